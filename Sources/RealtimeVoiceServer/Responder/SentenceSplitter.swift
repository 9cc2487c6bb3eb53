/// Cuts streamed text into sentences, each given out as soon as it is whole.
struct SentenceSplitter: Sendable, Equatable {
    private var text = ""

    /// Takes more text and gives the sentences that are whole now.
    mutating func received(_ more: String) -> [String] {
        text += more
        var sentences: [String] = []
        while let end = endOfSentence() {
            let sentence = Self.trimmed(text[..<end])
            text = String(text[end...])
            if !sentence.isEmpty { sentences.append(sentence) }
        }
        return sentences
    }

    /// Gives what is left.
    mutating func finished() -> String? {
        defer { text = "" }
        let rest = Self.trimmed(text[...])
        return rest.isEmpty ? nil : rest
    }

    /// The index behind a mark that white space follows: `3.5` is no end, and a mark at the
    /// very end may yet go on.
    private func endOfSentence() -> String.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index].isNewline { return next }
            if ".!?".contains(text[index]), next < text.endIndex, text[next].isWhitespace,
                !isAbbreviation(before: index)
            {
                return next
            }
            index = next
        }
        return nil
    }

    private func isAbbreviation(before mark: String.Index) -> Bool {
        let word = text[..<mark].split(separator: " ").last.map { $0.lowercased() } ?? ""
        return ["mr", "mrs", "ms", "dr", "st", "e.g", "i.e", "vs"].contains(word)
    }

    private static func trimmed(_ text: Substring) -> String {
        var words = text.split(whereSeparator: \.isWhitespace)
        words.removeAll { $0.allSatisfy { !$0.isLetter && !$0.isNumber } }
        return words.joined(separator: " ")
    }
}
