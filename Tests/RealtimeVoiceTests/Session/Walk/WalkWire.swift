import Foundation
import RealtimeVoice
import Synchronization
import Testing

/// The two directions of a walk's socket. A frame is only the number of an event that is kept
/// here, so that a walk spends its time in the engine and not in JSON.
final class WalkWire: Sendable {
    private struct Log {
        var server: [RealtimeServerEvent] = []
        var client: [RealtimeClientEvent] = []
    }

    private let log = Mutex(Log())

    func frame(of event: RealtimeServerEvent) -> RealtimeFrame {
        Self.frame(
            log.withLock { log in
                log.server.append(event)
                return log.server.count - 1
            })
    }

    func frame(of event: RealtimeClientEvent) -> RealtimeFrame {
        Self.frame(
            log.withLock { log in
                log.client.append(event)
                return log.client.count - 1
            })
    }

    func serverEvent(_ frame: RealtimeFrame) -> RealtimeServerEvent {
        let number = Self.number(frame)
        return log.withLock { $0.server[number] }
    }

    func clientEvent(_ frame: RealtimeFrame) -> RealtimeClientEvent {
        let number = Self.number(frame)
        return log.withLock { $0.client[number] }
    }

    private static func frame(_ number: Int) -> RealtimeFrame {
        RealtimeFrame(
            kind: .binary, bytes: (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    private static func number(_ frame: RealtimeFrame) -> Int {
        frame.bytes.enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
    }
}

/// What kind of provider a walk has at the other end.
struct WalkProvider: Sendable, Hashable, CustomTestStringConvertible {
    enum Kind: String, Sendable {
        case openAI
        case xAI
        case gemini
    }

    var kind = Kind.openAI
    var turnDetection = RealtimeTurnDetection(type: .serverVAD)
    /// Frames are doubled, lost or late, as no WebSocket does but a broken proxy may.
    var isUnreliable = false

    var testDescription: String {
        let turns =
            turnDetection.type == .disabled
            ? "manual"
            : "\(turnDetection.createResponse != false ? "answers" : "waits")-"
                + "\(turnDetection.interruptResponse != false ? "interrupts" : "goes on")"
        return "\(kind.rawValue) \(turns)\(isUnreliable ? " unreliable" : "")"
    }

    var answersSpeech: Bool {
        turnDetection.type != .disabled && turnDetection.createResponse != false
    }

    var interruptsAnswers: Bool {
        turnDetection.type != .disabled && turnDetection.interruptResponse != false
    }

    static let all: [WalkProvider] = [
        WalkProvider(),
        WalkProvider(
            turnDetection: .init(type: .serverVAD, createResponse: true, interruptResponse: false)),
        WalkProvider(
            turnDetection: .init(type: .serverVAD, createResponse: false, interruptResponse: true)),
        WalkProvider(turnDetection: .init(type: .disabled)),
        WalkProvider(kind: .xAI),
        WalkProvider(kind: .gemini),
        WalkProvider(isUnreliable: true),
        WalkProvider(kind: .xAI, isUnreliable: true),
    ]
}

/// A model whose codec looks frames up instead of reading them.
struct WalkModel: RealtimeModel {
    let wire: WalkWire
    let kind: WalkProvider.Kind

    var provider: String { "walk" }
    var modelID: String { kind.rawValue }

    var capabilities: RealtimeCapabilities {
        switch kind {
        case .openAI: RealtimeCapabilities(minimumCommitMilliseconds: 100)
        case .xAI:
            RealtimeCapabilities(
                supportsTextOutput: false, supportsTruncation: false,
                supportsItemDeletion: false, acceptsItemIDs: false)
        case .gemini:
            RealtimeCapabilities(
                supportsTruncation: false, supportsItemDeletion: false,
                requiresResponseCreate: false, supportsAudioClear: false, reportsSpeech: false,
                supportsSessionUpdate: false, echoesItems: false, acceptsItemIDs: false)
        }
    }

    func createClientSecret(
        options: RealtimeClientSecretOptions
    ) async throws(RealtimeError) -> RealtimeClientSecret {
        throw RealtimeError(.unsupported, "a walk has no secrets")
    }

    func connectRequest(
        secret: RealtimeClientSecret
    ) throws(RealtimeError) -> RealtimeConnectRequest {
        throw RealtimeError(.unsupported, "a walk has no socket")
    }

    func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest {
        throw RealtimeError(.unsupported, "a walk has no socket")
    }

    func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue { .null }

    func makeCodec() -> any RealtimeCodec { WalkCodec(wire: wire, kind: kind) }
}

struct WalkCodec: RealtimeCodec {
    let wire: WalkWire
    let kind: WalkProvider.Kind

    var configurationMoment: RealtimeConfigurationMoment {
        kind == .gemini ? .onOpen : .onSessionCreated
    }

    mutating func decode(_ frame: RealtimeFrame) throws(RealtimeError) -> [RealtimeServerEvent] {
        [wire.serverEvent(frame)]
    }

    mutating func encode(
        _ event: RealtimeClientEvent
    ) throws(RealtimeError) -> [RealtimeFrame] {
        [wire.frame(of: event)]
    }
}

/// Random choices that a seed repeats.
struct WalkDice {
    private var source: SeededGenerator

    init(seed: UInt64) { source = SeededGenerator(seed: seed &* 0x9E37_79B9) }

    mutating func roll(_ sides: Int) -> Int { Int(source.next() % UInt64(max(1, sides))) }

    mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }

    mutating func pick<Element>(_ choices: [Element]) -> Element? {
        choices.isEmpty ? nil : choices[roll(choices.count)]
    }
}
