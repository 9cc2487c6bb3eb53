package import Foundation
import RealtimeVoice

/// Feeds one wire's codec, and the machines and the reducer behind it, with sessions whose
/// frames are almost right, mixed with what an app does meanwhile.
///
/// All follows from the seed: the same seed makes the same sessions.
package struct WireFuzzer {
    /// The wires.
    package enum Wire: String, CaseIterable, Sendable {
        case openai, xai, google
    }

    /// What was wrong, and the seed that shows it again as the first session.
    package struct Failure: Error, CustomStringConvertible {
        package var seed: UInt64
        package var fault: String

        package var description: String { "seed \(seed): \(fault)" }
    }

    /// A frame may be computed with for this long; more is a hang.
    package static let longestFrame = Duration.seconds(2)

    package let wire: Wire
    /// The seed of the next session.
    package private(set) var seed: UInt64
    package private(set) var sessions = 0
    package private(set) var frames = 0
    package private(set) var undecodable = 0
    private let recordings: [[RealtimeFrame]]
    private let mutator: FrameMutator
    private let model: any RealtimeModel

    /// Creates a fuzzer.
    ///
    /// - Parameters:
    ///   - wire: The wire.
    ///   - seed: Where to begin.
    ///   - folder: Recordings to begin with; nil takes a few frames that every wire has.
    package init(wire: Wire, seed: UInt64, folder: URL?) {
        self.wire = wire
        self.seed = seed
        var recordings = folder.map { Self.recordings(in: $0, of: wire) } ?? []
        if recordings.isEmpty { recordings = [Self.builtIn(wire)] }
        self.recordings = recordings
        mutator = FrameMutator(corpus: recordings.flatMap { $0 }.map(\.bytes))
        model =
            switch wire {
            case .openai: OpenAIRealtimeModel("m", apiKey: "k")
            case .xai: XaiRealtimeModel("m", apiKey: "k")
            case .google: GoogleRealtimeModel("gemini-3.8-live", apiKey: "k")
            }
    }

    private static func recordings(in folder: URL, of wire: Wire) -> [[RealtimeFrame]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let prefixes = wire == .openai ? ["openai", "azure"] : [wire.rawValue]
        return names.sorted().compactMap { name -> [RealtimeFrame]? in
            guard name.hasSuffix(".jsonl"), prefixes.contains(where: name.hasPrefix),
                let data = try? Data(contentsOf: folder.appending(path: name)),
                let recording = try? Recording(data)
            else { return nil }
            let frames = recording.lines.compactMap { line -> RealtimeFrame? in
                guard case .received(let frame) = line else { return nil }
                return frame
            }
            return frames.isEmpty ? nil : frames
        }
    }

    private static func builtIn(_ wire: Wire) -> [RealtimeFrame] {
        let texts =
            wire == .google
            ? [
                #"{"setupComplete":{}}"#,
                #"{"serverContent":{"modelTurn":{"parts":[{"text":"Hi"},{"inlineData":"#
                    + #"{"mimeType":"audio/pcm;rate=24000","data":"AAAA"}}]},"turnComplete":true}}"#,
                #"{"toolCall":{"functionCalls":[{"name":"f","args":{},"id":"c"}]}}"#,
            ]
            : [
                #"{"type":"session.created","session":{"id":"s"}}"#,
                #"{"type":"session.updated","session":{"id":"s"}}"#,
                #"{"type":"response.created","response":{"id":"r"}}"#,
                #"{"type":"response.output_audio.delta","response_id":"r","item_id":"i","#
                    + #""content_index":0,"delta":"AAAA"}"#,
                #"{"type":"response.function_call_arguments.done","response_id":"r","#
                    + #""item_id":"f","call_id":"c","name":"f","arguments":"{}"}"#,
                #"{"type":"response.done","response":{"id":"r","status":"completed"}}"#,
            ]
        return texts.map(RealtimeFrame.init)
    }

    /// How long this thread has computed: waiting for a processor is no hang.
    private static var computingTime: Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    // MARK: Sessions

    /// Runs one session.
    ///
    /// - Throws: A ``Failure``, where a frame takes too long or what comes out breaks a rule.
    package mutating func runSession() throws(Failure) {
        var random = FuzzRandom(seed: seed)
        defer {
            seed = FuzzRandom.following(seed)
            sessions += 1
        }
        let recording = random.pick(recordings) ?? []
        var session = FuzzedSession(model: model)
        session.open()
        for frame in recording {
            // Left out, told again, or told later.
            if random.chance(3) { continue }
            var frame = frame
            if random.chance(35) { frame.bytes = mutator.mutate(frame.bytes, &random) }
            if random.chance(10) { frame.kind = .binary }
            for _ in 0..<(random.chance(3) ? 2 : 1) {
                let start = Self.computingTime
                session.receive(frame)
                frames += 1
                guard Self.computingTime - start < Self.longestFrame else {
                    throw Failure(seed: seed, fault: "a frame of \(frame.bytes.count) bytes hangs")
                }
            }
            if random.chance(15) { session.act(&random) }
            if random.chance(10) { session.wait(&random) }
        }
        if let fault = session.close() { throw Failure(seed: seed, fault: fault) }
        undecodable += session.engine.undecodableFrames
    }
}

extension FuzzRandom {
    static func following(_ seed: UInt64) -> UInt64 {
        var random = FuzzRandom(seed: seed)
        return random.next()
    }
}
