import Foundation
import RealtimeVoice

/// Turns the messages of a conversation into lines, each printed once it is final.
///
/// Messages are printed in their order; one that still grows holds up those behind it. What an
/// assistant said is final when it was heard, or cut off.
struct ConversationLog {
    /// A line of the conversation.
    struct Line: Equatable {
        var speaker: String
        var text: String
    }

    private var printed: Set<String> = []
    private var settled: Set<String> = []
    private var cutOff: Set<String> = []
    private var tools: [String: UIToolPart.State] = [:]

    /// Nothing will change any more of these messages.
    mutating func settle(_ messages: some Sequence<UIMessage>) {
        settled.formUnion(messages.map(\.id))
    }

    /// What of these was not printed yet was not heard to its end.
    mutating func cut(_ messages: some Sequence<UIMessage>) {
        settle(messages)
        cutOff.formUnion(messages.map(\.id))
    }

    /// The lines that are final now and were not before.
    mutating func finalLines(_ messages: [UIMessage]) -> [Line] {
        var lines: [Line] = []
        for message in messages {
            lines += toolLines(message)
            guard !printed.contains(message.id) else { continue }
            guard isFinal(message) else { break }
            if let line = Self.line(message, wasCut: cutOff.contains(message.id)) {
                lines.append(line)
            } else if message.role == .user {
                // Its transcript may come late; it is printed then.
                continue
            }
            printed.insert(message.id)
        }
        return lines
    }

    /// The line that is growing, to be rewritten.
    func liveLine(_ messages: [UIMessage]) -> Line? {
        let growing = messages.first { !printed.contains($0.id) && !$0.text.isEmpty }
        return growing.map { Line(speaker: $0.role.rawValue, text: $0.text) }
    }

    private func isFinal(_ message: UIMessage) -> Bool {
        if settled.contains(message.id) { return true }
        let texts = message.parts.compactMap(\.text)
        switch message.role {
        case .assistant: return texts.isEmpty && !message.parts.isEmpty
        case .user, .system: return !texts.isEmpty && texts.allSatisfy { $0.state == .done }
        }
    }

    private mutating func toolLines(_ message: UIMessage) -> [Line] {
        var lines: [Line] = []
        for part in message.parts.compactMap(\.tool) {
            let before = tools[part.toolCallID]
            guard part.state != before, part.state != .inputStreaming else { continue }
            tools[part.toolCallID] = part.state
            let call = "\(part.toolName)(\(Self.arguments(part.input)))"
            if before == nil || before == .inputStreaming {
                lines.append(Line(speaker: "tool call", text: call))
            }
            switch part.state {
            case .outputAvailable:
                let output = part.output?.serialized() ?? ""
                lines.append(Line(speaker: "tool result", text: output))
            case .outputError:
                lines.append(Line(speaker: "tool error", text: part.errorText ?? ""))
            case .inputStreaming, .inputAvailable: break
            }
        }
        return lines
    }

    private static func arguments(_ input: JSONValue?) -> String {
        guard let input, input != .object([:]) else { return "" }
        return input.serialized()
    }

    /// A message as a line; nil where it has no words.
    static func line(_ message: UIMessage, wasCut: Bool = false) -> Line? {
        let unheard = message.parts.compactMap { $0.text?.unheardText }
            .joined(separator: " ").trimmingCharacters(in: .whitespaces)
        guard message.isInterrupted || wasCut else {
            if !message.text.isEmpty {
                return Line(speaker: message.role.rawValue, text: message.text)
            }
            guard let ending = message.ending else { return nil }
            return Line(
                speaker: message.role.rawValue,
                text: "(\(ending.status)\(ending.reason.map { ", \($0)" } ?? ""))")
        }
        guard !message.text.isEmpty || !unheard.isEmpty else { return nil }
        let rest = unheard.isEmpty ? "" : " [unheard: \(unheard)]"
        return Line(
            speaker: "\(message.role.rawValue) (interrupted)", text: "\(message.text)…\(rest)")
    }
}
