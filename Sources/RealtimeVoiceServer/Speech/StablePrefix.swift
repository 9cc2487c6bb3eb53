/// Turns a recogniser's changing guesses into text that only grows.
///
/// A word counts as heard when two guesses in a row agree on it and another word follows it;
/// so what was sent is seldom wrong, and never taken back.
struct StablePrefix: Sendable, Equatable {
    private var guess: [String] = []
    private var sent: [String] = []

    /// Everything that was given out.
    var text: String { sent.joined(separator: " ") }

    /// Takes a guess and gives the words that are certain now, with a leading space.
    mutating func received(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        defer { guess = words }
        let agreed = zip(words, guess).prefix { Self.plain($0) == Self.plain($1) }.count
        return extend(to: words, count: min(agreed, words.count - 1))
    }

    /// Takes the final text and gives what is missing of it; nil where it differs from what was
    /// given out, since the whole text follows anyway.
    mutating func finished(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard zip(words, sent).allSatisfy({ Self.plain($0) == Self.plain($1) }) else { return nil }
        return extend(to: words, count: words.count)
    }

    private mutating func extend(to words: [String], count: Int) -> String? {
        guard count > sent.count else { return nil }
        let new = words[sent.count..<count]
        sent += new
        return new.map { " " + $0 }.joined()
    }

    private static func plain(_ word: String) -> String {
        word.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
