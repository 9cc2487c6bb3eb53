import Foundation
import Synchronization

/// Standard output and standard error, written from a queue of their own: a reader that is slow
/// never holds up the one who writes.
final class Terminal: Sendable {
    /// Whether lines may be rewritten while they grow.
    let isInteractive: Bool
    /// The columns of the terminal.
    let columns: Int

    private let queue = DispatchQueue(label: "realtime.terminal")

    init() {
        let term = ProcessInfo.processInfo.environment["TERM"]
        isInteractive = isatty(STDOUT_FILENO) == 1 && term != nil && term != "dumb"
        columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
    }

    /// Writes results.
    func write(_ text: String) {
        queue.async { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
    }

    /// Writes a line of diagnostics.
    func note(_ text: String) {
        let text = text.withoutControls
        queue.async { try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8)) }
    }

    /// Writes why something can't be done, in one line.
    func complain(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        note("realtime: \(line)")
    }

    /// Returns when all is written.
    func flush() {
        queue.sync {}
    }
}

extension String {
    /// This text without what would steer a terminal or turn it around: what others say is
    /// printed, never obeyed.
    var withoutControls: String {
        let isHarmless = unicodeScalars.allSatisfy { !$0.steersTerminals }
        if isHarmless { return self }
        return String(
            String.UnicodeScalarView(unicodeScalars.map { $0.steersTerminals ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var steersTerminals: Bool {
        switch value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
