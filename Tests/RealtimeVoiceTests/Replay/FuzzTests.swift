import Foundation
import RealtimeVoiceTesting
import Testing

/// Mutated sessions for `REALTIME_FUZZ_SECONDS` per wire, one second if not set, from
/// `REALTIME_FUZZ_SEED`, a new one each time if not set.
///
/// A failure names the seed of its session, with which it comes at once. Longer runs are better
/// made with `swift run -c release RealtimeVoiceBenchmarks --fuzz SECONDS`.
@Suite(.serialized)
struct FuzzTests {
    @Test(.timeLimit(.minutes(60)), arguments: WireFuzzer.Wire.allCases)
    func almostRightSessionsBreakNothing(_ wire: WireFuzzer.Wire) throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["REALTIME_FUZZ_SECONDS"].flatMap(Double.init) ?? 1
        let seed =
            environment["REALTIME_FUZZ_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...(1 << 53))
        print("fuzzing \(wire) for \(seconds) s: REALTIME_FUZZ_SEED=\(seed)")
        var fuzzer = WireFuzzer(wire: wire, seed: seed, folder: Fixtures.folder)
        let end = ContinuousClock.now + .seconds(seconds)
        repeat { try fuzzer.runSession() } while ContinuousClock.now < end
        print("\(wire): \(fuzzer.sessions) sessions, \(fuzzer.frames) frames")
        #expect(fuzzer.frames > 0)
    }

    @Test func aSeedMakesTheSameSessions() throws {
        for wire in WireFuzzer.Wire.allCases {
            var counts: [[Int]] = []
            for _ in 0..<2 {
                var fuzzer = WireFuzzer(wire: wire, seed: 42, folder: nil)
                for _ in 0..<20 { try fuzzer.runSession() }
                counts.append([fuzzer.frames, fuzzer.undecodable, Int(fuzzer.seed >> 1)])
            }
            #expect(counts[0] == counts[1])
        }
    }
}
