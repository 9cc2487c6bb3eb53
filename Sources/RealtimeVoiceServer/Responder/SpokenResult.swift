import RealtimeVoice

/// Says a tool's result the way a person would.
enum SpokenResult {
    /// One or two sentences for an output, which is plain text or JSON text.
    static func sentence(for output: String) -> String {
        guard let value = try? JSONValue(parsing: output) else {
            return ended(output.isEmpty ? "That is done" : output)
        }
        switch value {
        case .null: return "That is done."
        case .bool(let value): return value ? "Yes, that worked." : "No, that did not work."
        case .int, .double: return "The answer is \(phrase(value))."
        case .string(let text): return ended(text.isEmpty ? "That is done" : text)
        case .array(let elements):
            if elements.isEmpty { return "There is nothing." }
            return "Here is what I found: \(list(elements.prefix(8).map(phrase)))."
        case .object(let members): return sentence(for: members)
        }
    }

    private static func sentence(for members: [String: JSONValue]) -> String {
        for name in ["error", "errorText", "error_message"] {
            guard let error = members[name], !error.isNull, error != .bool(false) else { continue }
            let reason = error["message"] ?? members["message"] ?? error
            return ended("I am sorry, that did not work: \(phrase(reason))")
        }
        if members.isEmpty { return "That is done." }
        if members.count == 1, let only = members.first,
            ["result", "output", "message", "text", "answer"].contains(only.key)
        {
            return sentence(for: only.value.stringValue ?? only.value.serialized())
        }
        let facts = members.sorted { $0.key < $1.key }.prefix(6).map(fact)
        return ended(capitalized(list(facts)))
    }

    private static func fact(name: String, value: JSONValue) -> String {
        let words = WordTools.parts(of: name).joined(separator: " ")
        switch value {
        case .bool(let isTrue): return "\(words) is \(isTrue ? "yes" : "no")"
        case .null: return "\(words) is unknown"
        case .int, .double, .string, .array, .object: return "the \(words) is \(phrase(value))"
        }
    }

    private static func phrase(_ value: JSONValue) -> String {
        switch value {
        case .null: "nothing"
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .int(let number): String(number)
        case .double(let number): number.description
        case .string(let text): text
        case .array(let elements): list(elements.prefix(8).map(phrase))
        case .object(let members):
            list(members.sorted { $0.key < $1.key }.prefix(6).map(fact))
        }
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    private static func ended(_ text: String) -> String {
        guard let last = text.last, !".!?".contains(last) else { return text }
        return text + "."
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
