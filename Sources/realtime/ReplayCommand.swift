import Foundation
import RealtimeVoice
import RealtimeVoiceTesting

/// `realtime replay`.
struct ReplayCommand {
    var options: ReplayOptions
    var terminal: Terminal

    /// Replays each file.
    func run() throws(CommandFailure) -> ExitCode {
        var code = ExitCode.success
        for (index, path) in options.files.enumerated() {
            let result = try Self.replay(path)
            let hasFault = result.http.contains { $0.fault != nil }
            if !result.mismatches.isEmpty || hasFault { code = .unanswered }
            if options.printsJSON {
                terminal.write(Self.json(result, path: path).serialized() + "\n")
            } else {
                let lines = (index > 0 ? [""] : []) + Self.lines(result, path: path)
                terminal.write(lines.joined(separator: "\n") + "\n")
            }
        }
        return code
    }

    private static func replay(_ path: String) throws(CommandFailure) -> ReplayResult {
        let url = URL(fileURLWithPath: path)
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            let isMissing = !FileManager.default.fileExists(atPath: path)
            throw CommandFailure(
                .input, isMissing ? "There is no file \(path)." : "\(path) can't be read.")
        }
        do throws(RealtimeError) {
            return try RealtimeReplay.run(Recording(data))
        } catch {
            throw CommandFailure(.input, "\(url.lastPathComponent): \(error.message)")
        }
    }

    private static func json(_ result: ReplayResult, path: String) -> JSONValue {
        result.json.merging([
            "file": .string(path),
            "mismatches": .array(result.mismatches.map(JSONValue.string)),
        ])
    }

    /// The conversation, then what was counted.
    static func lines(_ result: ReplayResult, path: String) -> [String] {
        var log = ConversationLog()
        log.settle(result.messages)
        var lines = ["\(path): \(result.provider)"]
        lines += log.finalLines(result.messages).map {
            "  " + ($0.speaker + ":").padded(to: 12) + " " + $0.text
        }
        let names = Dictionary(grouping: result.eventTypes, by: \.self).mapValues(\.count)
        lines.append("  events: \(result.eventTypes.count)" + list(names))
        for audio in result.audio {
            lines.append("  audio: \(audio.bytes) bytes of \(audio.content.itemID)")
        }
        for response in result.responses {
            let reason = response.reason.map { ", \($0)" } ?? ""
            lines.append("  response \(response.id): \(response.status)\(reason)")
        }
        let usage = result.usage
        if usage.totalTokens > 0 || usage.input.total != nil || usage.seconds > 0 {
            lines.append(
                "  usage: \(usage.input.total ?? 0) tokens in, "
                    + "\(usage.output.total ?? 0) out, \(usage.totalTokens) in all")
        }
        lines += result.errors.map { "  error: \($0.description)" }
        lines += result.closes.map { "  closed: \($0.code) \($0.reason)" }
        if result.undecodable > 0 { lines.append("  unreadable frames: \(result.undecodable)") }
        let sent = Dictionary(
            grouping: result.sent, by: { name(of: $0.frame) }
        ).mapValues(\.count)
        lines.append("  sent: \(result.sent.count)" + list(sent))
        lines += result.http.map { check in
            "  http: \(check.check): \(check.fault ?? "as it should be")"
        }
        lines += result.mismatches.map { "  mismatch: \($0)" }
        return lines
    }

    /// What a frame is: its type, or on a wire without types its only member.
    private static func name(of frame: JSONValue) -> String {
        frame["type"]?.stringValue ?? frame.objectValue?.keys.sorted().first ?? "?"
    }

    private static func list(_ counts: [String: Int]) -> String {
        guard !counts.isEmpty else { return "" }
        let words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key)" }
        return " (" + words.joined(separator: ", ") + ")"
    }
}
