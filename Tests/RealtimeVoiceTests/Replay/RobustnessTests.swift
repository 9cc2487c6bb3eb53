import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// The recordings as a bad network, or a provider on a bad day, would bring them.
///
/// The usual run takes a sample of the lines, by a fixed seed; with `REALTIME_FUZZ_SECONDS` set,
/// every line is dropped, doubled and swapped.
@Suite(.enabled(if: !Fixtures.all.isEmpty, Fixtures.absence))
struct RobustnessTests {
    private static let sample =
        ProcessInfo.processInfo.environment["REALTIME_FUZZ_SECONDS"] == nil
        ? 8 : Int.max

    // MARK: Reads of any size

    @Test(arguments: Fixtures.sockets)
    func framesInSingleBytesAreTheSame(_ fixture: Fixture) throws {
        let recording = try fixture.recording()
        let whole = try RealtimeReplay.run(recording)
        for kind in [RealtimeFrame.Kind.text, .binary] {
            let cut = try RealtimeReplay.run(throughSocket(recording, kind: kind))
            #expect(cut.json == whole.json)
        }
    }

    /// The recording with every frame sent by a server's WebSocket and read by a client's, a
    /// byte at a time (big ones in a few sizes more).
    private func throughSocket(
        _ recording: Recording, kind: RealtimeFrame.Kind
    ) throws -> Recording {
        var decoder = WebSocketConnectionMachine(role: .client, maximumMessageBytes: 16 << 20)
        var random = FuzzRandom(seed: 7)
        var result = recording
        for (index, line) in recording.lines.enumerated() {
            guard case .received(let frame) = line else { continue }
            var bytes: [UInt8] = []
            WebSocketEncoder.append(
                RealtimeFrame(kind: kind, bytes: frame.bytes), maskKey: nil, to: &bytes)
            let received = receive(bytes, by: &decoder, &random)
            try #require(received.count == 1)
            result.lines[index] = .received(received[0])
        }
        return result
    }

    private func receive(
        _ bytes: [UInt8], by machine: inout WebSocketConnectionMachine,
        _ random: inout FuzzRandom
    ) -> [RealtimeFrame] {
        var frames: [RealtimeFrame] = []
        var control: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let size = bytes.count > 4_000 ? Int.random(in: 1...300, using: &random) : 1
            let end = min(bytes.count, start + size)
            unsafe bytes[start..<end].withUnsafeBytes { piece in
                var piece = unsafe piece
                reading: while true {
                    switch unsafe machine.receive(&piece, maskKey: 1, control: &control) {
                    case .deliver(let frame): frames.append(frame)
                    case .readMore: break reading
                    case .reportPong, .writeControl: continue
                    case .finish(let close):
                        Issue.record("closed: \(close)")
                        break reading
                    }
                }
            }
            start = end
        }
        return frames
    }

    // MARK: Lines that are missing, come twice, or come in another order

    @Test(arguments: Fixtures.sockets)
    func aMissingLineIsSurvived(_ fixture: Fixture) throws {
        let recording = try fixture.recording()
        for index in indices(of: recording) {
            var changed = recording
            changed.lines.remove(at: index)
            try check(changed, "without line \(index)")
        }
    }

    @Test(arguments: Fixtures.sockets)
    func aDoubledLineIsSurvived(_ fixture: Fixture) throws {
        let recording = try fixture.recording()
        let whole = try RealtimeReplay.run(recording)
        for index in indices(of: recording) {
            var changed = recording
            changed.lines.insert(changed.lines[index], at: index)
            let result = try check(changed, "line \(index) twice")
            // Without an id of the provider's, nothing tells a repetition from a second call.
            if !whole.toolCalls.contains(where: { $0.toolCallID.hasPrefix("local_") }) {
                #expect(result.toolCalls == whole.toolCalls, "line \(index) twice")
            }
            // What states the whole may be said twice; what adds can't be told from more.
            if case .received(let frame) = recording.lines[index], statesTheWhole(frame) {
                #expect(result.messages == whole.messages, "line \(index) twice")
            }
        }
    }

    @Test(arguments: Fixtures.sockets)
    func swappedLinesAreSurvived(_ fixture: Fixture) throws {
        let recording = try fixture.recording()
        for index in indices(of: recording) where index + 1 < recording.lines.count {
            var changed = recording
            changed.lines.swapAt(index, index + 1)
            try check(changed, "lines \(index) and the next swapped")
        }
    }

    private func statesTheWhole(_ frame: RealtimeFrame) -> Bool {
        guard let type = try? JSONValue(parsing: frame.bytes)["type"]?.stringValue else {
            return false
        }
        return !type.hasSuffix(".delta")
    }

    private func indices(of recording: Recording) -> [Int] {
        let lines = recording.lines.indices.filter { index in
            if case .received = recording.lines[index] { return true }
            return false
        }
        guard lines.count > Self.sample else { return lines }
        var random = FuzzRandom(seed: UInt64(recording.lines.count))
        return Array(lines.shuffled(using: &random).prefix(Self.sample))
    }

    @discardableResult
    private func check(_ recording: Recording, _ what: String) throws -> ReplayResult {
        let result = try RealtimeReplay.run(recording)
        #expect(result.undecodable == 0, "\(what)")
        #expect(Set(result.messages.map(\.id)).count == result.messages.count, "\(what)")
        let answers = result.messages.filter { $0.role == .assistant }
        let isStreaming = answers.contains { $0.parts.contains { $0.text?.state == .streaming } }
        #expect(!isStreaming, "\(what)")
        let calls = result.toolCalls.map(\.toolCallID)
        #expect(Set(calls).count == calls.count, "\(what)")
        return result
    }
}
