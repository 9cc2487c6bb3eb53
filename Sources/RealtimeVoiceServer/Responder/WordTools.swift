/// Small helpers over English words.
enum WordTools {
    static let stopWords: Set<String> = [
        "a", "an", "and", "any", "are", "as", "at", "be", "by", "call", "can", "current", "do",
        "does", "fetch", "for", "from", "function", "get", "gets", "give", "given", "has",
        "have", "how", "i", "if", "in", "is", "it", "its", "lookup", "make", "me", "my", "of",
        "on", "or", "please", "return", "returns", "set", "so", "some", "tell", "that", "the",
        "their", "them", "this", "to", "tool", "up", "use", "used", "user", "want", "was",
        "we", "what", "whats", "when", "where", "which", "who", "will", "with", "would", "you",
        "your",
    ]

    /// The words of a text in lower case, without punctuation.
    static func words(_ text: String) -> [String] {
        text.lowercased().replacing("\u{2019}", with: "'")
            .split { !$0.isLetter && !$0.isNumber && $0 != "'" }
            .map { $0.filter { $0 != "'" } }.filter { !$0.isEmpty }
    }

    /// The words of a name such as `get_weather` or `getWeather`, in lower case.
    static func parts(of name: String) -> [String] {
        var parts: [String] = []
        var part = ""
        for character in name {
            if !character.isLetter && !character.isNumber {
                if !part.isEmpty { parts.append(part) }
                part = ""
            } else if character.isUppercase, part.last?.isLowercase == true {
                parts.append(part)
                part = String(character)
            } else {
                part.append(character)
            }
        }
        if !part.isEmpty { parts.append(part) }
        return parts.map { $0.lowercased() }
    }

    /// A word without its commonest endings, so that `orders` meets `order`.
    static func stem(_ word: String) -> String {
        for ending in ["ing", "ed", "es", "s"] where word.count > ending.count + 2 {
            if word.hasSuffix(ending) { return String(word.dropLast(ending.count)) }
        }
        return word
    }

    /// The stems of the words that carry meaning.
    static func stems(_ words: [String]) -> Set<String> {
        Set(words.filter { !stopWords.contains($0) }.map(stem))
    }
}
