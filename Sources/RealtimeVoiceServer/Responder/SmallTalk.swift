import Foundation

/// What the built-in responder says without a tool.
enum SmallTalk {
    /// The sentences of an answer to these words.
    static func sentences(for text: String, _ request: ResponderRequest) -> [String] {
        let words = WordTools.words(text)
        let heard = Set(words)
        if words.isEmpty { return ["Sorry, I did not catch that.", "Could you say it again?"] }
        if !heard.isDisjoint(with: ["count", "counting"]), let count = count(text) {
            return count
        }
        if let clock = clock(heard, request) { return clock }
        if !heard.isDisjoint(with: ["story", "tale"]) { return story }
        if let sum = Arithmetic.answer(text) { return [sum] }
        if let name = name(text) { return ["Nice to meet you, \(name).", "How can I help you?"] }
        if heard.contains("name"), heard.contains("my"), let name = knownName(request.history) {
            return ["Your name is \(name)."]
        }
        if let echo = Phrase.quoted(in: text) { return [echo] }
        return courtesy(words, heard) ?? reflection(text, heard)
    }

    private static func courtesy(_ words: [String], _ heard: Set<String>) -> [String]? {
        if heard.isSuperset(of: ["how", "are", "you"]) {
            return ["I am doing well, thank you.", "How can I help you?"]
        }
        if !heard.isDisjoint(with: ["thanks", "thank"]) { return ["You are welcome."] }
        if !heard.isDisjoint(with: ["goodbye", "bye"]) { return ["Goodbye.", "Have a good day."] }
        if heard.isSuperset(of: ["who", "are", "you"]) || heard.isSuperset(of: ["your", "name"]) {
            return ["I am the voice of your local server.", "I work without any network."]
        }
        let greetings: Set = ["hello", "hi", "hey", "greetings", "morning", "afternoon", "evening"]
        if words.count <= 6, !heard.isDisjoint(with: greetings) {
            return ["Hello!", "It is good to hear you.", "How can I help you?"]
        }
        return nil
    }

    private static func count(_ text: String) -> [String]? {
        let numbers = SpokenNumber.all(in: text.split(separator: " ").map(String.init))
        let last = min(Int(numbers.last ?? 10), 100)
        let first = numbers.count > 1 ? min(Int(numbers[numbers.count - 2]), 100) : 1
        guard first >= 0, last >= first else { return nil }
        // Short sentences: the first is spoken while the next is synthesized.
        return stride(from: first, through: last, by: 5).map { start in
            let group = (start...min(start + 4, last)).map(SpokenNumber.words)
            let sentence = group.joined(separator: ", ") + "."
            return sentence.prefix(1).uppercased() + sentence.dropFirst()
        }
    }

    private static func clock(_ heard: Set<String>, _ request: ResponderRequest) -> [String]? {
        let asks = !heard.isDisjoint(with: ["what", "whats", "tell", "which", "current"])
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = request.timeZone
        let parts = calendar.dateComponents(
            [.hour, .minute, .weekday, .day, .month, .year], from: request.now)
        if asks, heard.contains("time"), let hour = parts.hour, let minute = parts.minute {
            let shown = hour % 12 == 0 ? 12 : hour % 12
            let minutes =
                minute == 0
                ? "o'clock"
                : minute < 10 ? "oh \(SpokenNumber.words(minute))" : SpokenNumber.words(minute)
            let half = hour < 12 ? "in the morning" : hour < 18 ? "in the afternoon" : "at night"
            return ["It is \(SpokenNumber.words(shown)) \(minutes) \(half)."]
        }
        if asks, !heard.isDisjoint(with: ["date", "day"]), let weekday = parts.weekday,
            let day = parts.day, let month = parts.month, let year = parts.year
        {
            return ["Today is \(weekdays[weekday - 1]), \(months[month - 1]) \(day), \(year)."]
        }
        return nil
    }

    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    private static func name(_ text: String) -> String? {
        for mark in ["my name is ", "i am called ", "call me "] {
            guard let range = text.lowercased().range(of: mark) else { continue }
            let distance = text.lowercased().distance(
                from: text.lowercased().startIndex, to: range.upperBound)
            let name = text.dropFirst(distance).prefix { $0.isLetter || $0 == "-" }
            if !name.isEmpty { return name.prefix(1).uppercased() + name.dropFirst() }
        }
        return nil
    }

    private static func knownName(_ history: [ResponderMessage]) -> String? {
        for message in history.reversed() {
            if case .user(let text) = message, let name = name(text) { return name }
        }
        return nil
    }

    private static func reflection(_ text: String, _ heard: Set<String>) -> [String] {
        let questions: Set = [
            "what", "whats", "who", "where", "when", "why", "how", "which", "can", "could",
            "is", "are", "do", "does", "did", "will",
        ]
        let said = text.trimmingCharacters(in: CharacterSet(charactersIn: " .!?"))
        let isQuestion =
            text.hasSuffix("?") || WordTools.words(text).first.map(questions.contains) == true
        if isQuestion {
            return [
                "You asked: \(said).",
                "I cannot look that up here, but I heard every word of your question.",
            ]
        }
        return ["You said: \(said).", "I am listening."]
    }

    /// Long enough for an interruption.
    private static let story = [
        "Once upon a time, there was a small lighthouse at the end of a long road.",
        "Every evening, its keeper climbed the stairs and lit the lamp.",
        "One night, a thick fog came in from the sea, and the lamp could not be seen.",
        "So the keeper rang the old brass bell, again and again, until the morning came.",
        "And when the fog lifted, three little boats were resting safely in the harbor.",
        "Since then, the people of the village say good night to the bell before they sleep.",
    ]
}

/// Sums and products of two spoken numbers.
enum Arithmetic {
    /// A sentence with the result, nil where the words ask for none.
    static func answer(_ text: String) -> String? {
        let words = text.lowercased().split { $0 == " " || $0 == "?" || $0 == "," }
            .map(String.init)
        let numbers = SpokenNumber.all(in: words)
        guard numbers.count == 2, numbers.allSatisfy({ abs($0) < 1_000_000 }) else { return nil }
        let (left, right) = (numbers[0], numbers[1])
        let result: Double
        if words.contains("plus") || words.contains("+") {
            result = left + right
        } else if words.contains("minus") || words.contains("-") {
            result = left - right
        } else if words.contains("times") || words.contains("*") {
            result = left * right
        } else {
            return nil
        }
        guard let whole = Int(exactly: result) else { return "That makes \(result)." }
        return "That makes \(whole)."
    }
}

extension Phrase {
    /// What is to be said back: the words behind "say" or "repeat after me" at the beginning.
    static func quoted(in text: String) -> String? {
        let lowered = text.lowercased()
        for mark in ["repeat after me: ", "repeat after me, ", "please say ", "say "]
        where lowered.hasPrefix(mark) {
            let rest = text.dropFirst(mark.count).trimmingCharacters(in: .whitespaces)
            return rest.isEmpty ? nil : rest.prefix(1).uppercased() + rest.dropFirst()
        }
        return nil
    }
}
