import Foundation
import RealtimeVoice

/// Shows what happens, to a person or to a program.
struct TalkPresenter {
    private let terminal: Terminal
    private let printsJSON: Bool
    private var log = ConversationLog()
    private var shown: [String: UIMessage] = [:]
    /// What stands on the line that is rewritten.
    private var live: ConversationLog.Line?

    init(terminal: Terminal, printsJSON: Bool) {
        self.terminal = terminal
        self.printsJSON = printsJSON
    }

    /// Something that is no message: a line for a person, members for a program.
    mutating func show(
        _ type: String, _ speaker: String, _ text: String,
        _ members: [String: JSONValue] = [:], at now: Duration
    ) {
        guard !printsJSON else {
            write(type, members, at: now)
            return
        }
        print(ConversationLog.Line(speaker: speaker, text: text), at: now)
    }

    /// Something for programs alone.
    func tell(_ type: String, _ members: [String: JSONValue], at now: Duration) {
        if printsJSON { write(type, members, at: now) }
    }

    /// Something failed that ends nothing.
    mutating func complain(_ error: RealtimeError, at now: Duration) {
        clearLiveLine()
        if printsJSON {
            write(
                "error",
                ["code": .string(error.code.rawValue), "message": .string(error.description)],
                at: now)
        }
        terminal.complain(error.description)
    }

    /// The messages changed.
    mutating func show(_ messages: [UIMessage], at now: Duration) {
        guard !printsJSON else {
            for message in messages where shown[message.id] != message {
                shown[message.id] = message
                write("message", ["message": Self.json(message)], at: now)
            }
            return
        }
        for line in log.finalLines(messages) { print(line, at: now) }
        guard terminal.isInteractive else { return }
        guard let line = log.liveLine(messages) else {
            clearLiveLine()
            return
        }
        guard line != live else { return }
        let text = Self.text(line, at: now)
        terminal.write("\r\u{1B}[K" + Self.tail(of: text, columns: terminal.columns - 1))
        live = line
    }

    /// Nothing more comes of these messages.
    mutating func settle(_ messages: [UIMessage], at now: Duration) {
        log.settle(messages)
        show(messages, at: now)
    }

    /// What the assistant says was cut off.
    mutating func cut(_ messages: [UIMessage], at now: Duration) {
        log.cut(messages.filter { $0.role == .assistant })
        show(messages, at: now)
    }

    /// What it all came to.
    mutating func show(_ summary: TalkSummary, at now: Duration) {
        clearLiveLine()
        if printsJSON {
            write("summary", summary.json.objectValue ?? [:], at: now)
        } else {
            terminal.write(summary.lines.joined(separator: "\n") + "\n")
        }
    }

    private mutating func clearLiveLine() {
        if live != nil { terminal.write("\r\u{1B}[K") }
        live = nil
    }

    private mutating func print(_ line: ConversationLog.Line, at now: Duration) {
        clearLiveLine()
        terminal.write(Self.text(line, at: now) + "\n")
    }

    private func write(_ type: String, _ members: [String: JSONValue], at now: Duration) {
        var members = members
        members["type"] = .string(type)
        members["at"] = .int(now.milliseconds)
        terminal.write(JSONValue.object(members).serialized() + "\n")
    }

    static func text(_ line: ConversationLog.Line, at now: Duration) -> String {
        let seconds = TalkSummary.seconds(now.inSeconds)
        let time = String(repeating: " ", count: max(0, 7 - seconds.count)) + seconds
        let text = "\(time)  \((line.speaker + ":").padded(to: 12)) \(line.text)"
        return text.withoutControls
    }

    /// The text cut to one line: its beginning with the speaker, and its end.
    static func tail(of text: String, columns: Int) -> String {
        guard text.count > columns, columns > 40 else { return text }
        return text.prefix(22) + "…" + text.suffix(columns - 23)
    }

    private static func json(_ message: UIMessage) -> JSONValue {
        let encoder = JSONEncoder()
        guard let data = try? encoder.encode(message),
            let json = try? JSONValue(parsing: Array(data))
        else { return .null }
        return json
    }
}
