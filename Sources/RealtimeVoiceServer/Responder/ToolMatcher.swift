import RealtimeVoice

/// Finds the tool that the user's words ask for, and its arguments in them.
enum ToolMatcher {
    /// The best tool for the words, nil where none matches well enough.
    static func tool(
        for text: String,
        among tools: [RealtimeToolDefinition]
    ) -> RealtimeToolDefinition? {
        let heard = WordTools.stems(WordTools.words(text))
        var best: (tool: RealtimeToolDefinition, score: Int)?
        for tool in tools {
            let name = WordTools.stems(WordTools.parts(of: tool.name))
            let description = WordTools.stems(WordTools.words(tool.description ?? ""))
            let score =
                3 * name.intersection(heard).count
                + description.subtracting(name).intersection(heard).count
            // One word of the name is enough, of the description it takes two.
            if score >= 2, score > best?.score ?? 0 { best = (tool, score) }
        }
        return best?.tool
    }

    /// The arguments for a tool, JSON text, filled from the words.
    static func arguments(for tool: RealtimeToolDefinition, from text: String) -> String {
        let schema = tool.parameters
        let properties = schema?["properties"]?.objectValue ?? [:]
        let required = Set((schema?["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        var arguments: [String: JSONValue] = [:]
        for (name, property) in properties {
            let isRequired = required.contains(name)
            if let value = value(name, property, text: text, isRequired: isRequired) {
                arguments[name] = value
            }
        }
        return JSONValue.object(arguments).serialized()
    }

    private static func value(
        _ name: String,
        _ property: JSONValue,
        text: String,
        isRequired: Bool
    ) -> JSONValue? {
        if let choices = property["enum"]?.arrayValue {
            return choice(among: choices, text: text) ?? (isRequired ? choices.first : nil)
        }
        let type =
            property["type"]?.stringValue
            ?? property["type"]?.arrayValue?.compactMap(\.stringValue).first { $0 != "null" }
        switch type {
        case "number", "integer":
            return number(text, isInteger: type == "integer") ?? (isRequired ? .int(0) : nil)
        case "boolean":
            return isRequired ? .bool(!isNegated(text)) : nil
        case "array":
            return isRequired ? .array([]) : nil
        case "object":
            return isRequired ? .object([:]) : nil
        case "string", nil:
            return string(name, property, text: text, isRequired: isRequired).map { .string($0) }
        default:
            return isRequired ? .null : nil
        }
    }

    private static func choice(among choices: [JSONValue], text: String) -> JSONValue? {
        let heard = WordTools.stems(WordTools.words(text))
        return choices.first { choice in
            guard let word = choice.stringValue else { return false }
            let wanted = WordTools.stems(WordTools.parts(of: word))
            return !wanted.isEmpty && wanted.isSubset(of: heard)
        }
    }

    private static func number(_ text: String, isInteger: Bool) -> JSONValue? {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let value = SpokenNumber.all(in: words).first else { return nil }
        return Int(exactly: value).map { .int($0) } ?? (isInteger ? nil : .double(value))
    }

    private static func isNegated(_ text: String) -> Bool {
        let negations: Set = ["not", "no", "dont", "never", "off", "disable", "without", "deny"]
        return !negations.isDisjoint(with: WordTools.words(text))
    }

    private static let places: Set = [
        "city", "location", "place", "town", "country", "address", "destination", "region",
    ]
    private static let wholeTexts: Set = [
        "query", "question", "text", "message", "prompt", "content", "input", "request", "body",
    ]
    private static let days = [
        "today", "tomorrow", "tonight", "yesterday", "monday", "tuesday", "wednesday",
        "thursday", "friday", "saturday", "sunday",
    ]

    private static func string(
        _ name: String,
        _ property: JSONValue,
        text: String,
        isRequired: Bool
    ) -> String? {
        let hints = Set(WordTools.parts(of: name))
        if !hints.isDisjoint(with: ["date", "day", "when"]) {
            let heard = Set(WordTools.words(text))
            return days.first(where: heard.contains) ?? (isRequired ? "today" : nil)
        }
        if !hints.isDisjoint(with: wholeTexts) { return isRequired ? text : nil }
        let isPlace = !hints.isDisjoint(with: places)
        let marks =
            isPlace
            ? ["in", "at", "for", "near", "to", "of"]
            : hints.contains("name")
                ? ["named", "called", "is", "for", "to"]
                : ["for", "to", "in", "about", "of", "on", "with", "named", "called"]
        if let phrase = Phrase.after(marks, in: text) { return phrase }
        guard isRequired else { return nil }
        return Phrase.properName(in: text) ?? (isPlace ? "here" : text)
    }
}

/// Picks phrases out of a sentence by their neighbours and capitals.
enum Phrase {
    private static let ends: Set = [
        "today", "tomorrow", "tonight", "now", "right", "please", "and", "or", "at", "on", "in",
        "for", "with", "this", "like", "is", "are", "to", "by",
    ]

    /// The words behind the first mark that is followed by some, the earlier mark of the list
    /// first.
    static func after(_ marks: [String], in text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        for mark in marks {
            for index in words.indices where plain(words[index]).lowercased() == mark {
                let phrase = phrase(words[(index + 1)...])
                if !phrase.isEmpty { return phrase }
            }
        }
        return nil
    }

    /// Words with capitals that don't begin the sentence.
    static func properName(in text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init).dropFirst()
        let name = words.drop { $0.first?.isUppercase != true || plain($0) == "I" }
            .prefix { $0.first?.isUppercase == true }
        return name.isEmpty ? nil : name.map(plain).joined(separator: " ")
    }

    private static func phrase(_ words: ArraySlice<String>) -> String {
        var found: [String] = []
        for word in words {
            let lower = plain(word).lowercased()
            if found.isEmpty, ["the", "a", "an", "my"].contains(lower) { continue }
            if ends.contains(lower) || lower.isEmpty { break }
            found.append(plain(word))
            if found.count == 4 || word.last.map({ ".,!?;".contains($0) }) == true { break }
        }
        return found.joined(separator: " ")
    }

    private static func plain(_ word: String) -> String {
        word.trimmingPrefix { !$0.isLetter && !$0.isNumber }.reversed()
            .drop { !$0.isLetter && !$0.isNumber }.reversed().map(String.init).joined()
    }
}
