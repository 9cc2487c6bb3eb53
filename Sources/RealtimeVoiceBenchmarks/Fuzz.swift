import Foundation
import RealtimeVoiceTesting

/// A long run of mutated sessions, one wire after the other, watched for crash, hang and growth.
///
/// A crash or a hang is reproduced from the last seed that was printed: it is the seed of a
/// session shortly before.
enum Fuzz {
    static func run(seconds: Double, seed: UInt64, wires: [WireFuzzer.Wire]) -> Bool {
        var isGood = true
        for wire in wires { isGood = run(wire, seconds, seed) && isGood }
        return isGood
    }

    private static func run(_ wire: WireFuzzer.Wire, _ seconds: Double, _ seed: UInt64) -> Bool {
        var fuzzer = WireFuzzer(wire: wire, seed: seed, folder: folder)
        let start = DispatchTime.now().uptimeNanoseconds
        var report = 0.0
        var early: Int?
        while true {
            let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            if elapsed >= report {
                print(
                    "\(wire) \(Int(elapsed)) s: seed \(fuzzer.seed), \(fuzzer.sessions) sessions, "
                        + "\(fuzzer.frames) frames, \(fuzzer.undecodable) undecodable, "
                        + "\(residentMiB) MiB")
                fflush(nil)
                report = elapsed + max(1, seconds / 20)
            }
            // What caches and pools take is taken by then.
            if early == nil, elapsed >= seconds / 5 { early = residentMiB }
            if elapsed >= seconds { break }
            do throws(WireFuzzer.Failure) {
                try fuzzer.runSession()
            } catch {
                print("\(wire) FAILED: \(error)")
                return false
            }
        }
        let growth = residentMiB - (early ?? 0)
        print("\(wire) done: \(fuzzer.frames) frames, grown by \(growth) MiB since \(early ?? 0)")
        return growth < 64
    }

    private static var folder: URL? {
        if let path = ProcessInfo.processInfo.environment["REALTIME_FIXTURES"] {
            return URL(filePath: path)
        }
        return ["../shared/fixtures", "../../shared/fixtures"].map { URL(filePath: $0) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The memory that the process has, 0 where that can't be told.
    private static var residentMiB: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (pages * 4_096) >> 20
    }
}
