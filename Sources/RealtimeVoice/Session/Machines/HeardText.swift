/// Estimates how much of a transcript was heard, from how much of the audio was.
///
/// Where a wire tells when each phrase begins (xAI), that is exact. Otherwise each piece of
/// transcript is noted with the audio that had come before it. A wire that sends both in step
/// gives good marks; one whose transcript runs ahead gives none, and the share of the audio is
/// taken instead, or, while more is to come, the usual speed of speech.
package struct HeardText: Sendable, Hashable {
    private struct Mark: Sendable, Hashable {
        var characters: Int
        var milliseconds: Int
    }

    /// Speech is seldom faster than this.
    private static let fastestCharactersPerSecond = 26.0
    private static let usualCharactersPerSecond = 15.0

    private var text = ""
    /// The length of `text`, which would be slow to count again with every piece.
    private var count = 0
    private var marks: [Mark] = []
    private var hasExactMarks = false
    package private(set) var isAudioComplete = false

    package init() {}

    /// A piece of transcript came, when so much audio of its part had.
    package mutating func appended(
        _ delta: String, startMilliseconds: Int?, receivedMilliseconds: Int
    ) {
        if startMilliseconds != nil { hasExactMarks = true }
        marks.append(
            Mark(
                characters: count,
                milliseconds: startMilliseconds ?? receivedMilliseconds))
        text += delta
        count += delta.count
    }

    package mutating func completed(_ final: String?) {
        if let final {
            text = final
            count = final.count
        }
    }

    package mutating func audioCompleted() { isAudioComplete = true }

    /// How many characters were heard, up to the end of a word.
    package func characters(heardMilliseconds: Int, receivedMilliseconds: Int) -> Int {
        guard heardMilliseconds > 0 else { return 0 }
        if isAudioComplete, heardMilliseconds >= receivedMilliseconds { return count }
        let raw: Double
        if hasExactMarks || isInStep(receivedMilliseconds) {
            raw = interpolated(heardMilliseconds, receivedMilliseconds)
        } else if isAudioComplete, receivedMilliseconds > 0 {
            raw = Double(count) * Double(heardMilliseconds) / Double(receivedMilliseconds)
        } else {
            raw = Double(heardMilliseconds) * Self.usualCharactersPerSecond / 1_000
        }
        return wordBoundary(near: min(count, Int(raw.rounded())))
    }

    /// Whether the transcript came about as fast as it was spoken.
    private func isInStep(_ receivedMilliseconds: Int) -> Bool {
        guard let last = marks.last, marks.count > 1, last.milliseconds > 0 else { return false }
        let speed = Double(last.characters) * 1_000 / Double(last.milliseconds)
        return speed < Self.fastestCharactersPerSecond
            && last.milliseconds * 2 > receivedMilliseconds
    }

    private func interpolated(_ heard: Int, _ received: Int) -> Double {
        guard let index = marks.lastIndex(where: { $0.milliseconds <= heard }) else { return 0 }
        let from = marks[index]
        let next = index + 1 < marks.count ? marks[index + 1] : end(after: from, received)
        let span = next.milliseconds - from.milliseconds
        guard span > 0 else { return Double(next.characters) }
        let share = min(1, Double(heard - from.milliseconds) / Double(span))
        return Double(from.characters) + share * Double(next.characters - from.characters)
    }

    /// Where the last piece of transcript ends. While more audio of it may come, not before the
    /// usual speed of speech would have it.
    private func end(after last: Mark, _ received: Int) -> Mark {
        guard !isAudioComplete else { return Mark(characters: count, milliseconds: received) }
        let usual = Double(count - last.characters) * 1_000 / Self.usualCharactersPerSecond
        return Mark(
            characters: count, milliseconds: max(received, last.milliseconds + Int(usual)))
    }

    /// The end of the word that is half spoken, or of the one before it, whichever is nearer.
    private func wordBoundary(near count: Int) -> Int {
        guard count > 0,
            let at = text.index(
                text.startIndex, offsetBy: count, limitedBy: text.endIndex), at < text.endIndex
        else { return count }
        if text[at].isWhitespace || text[at].isWrittenWithoutSpaces { return count }
        let before = text[..<at].lastIndex(where: \.isWhitespace)
        let after = text[at...].firstIndex(where: \.isWhitespace) ?? text.endIndex
        let back = before.map { text.distance(from: $0, to: at) } ?? count
        let ahead = text.distance(from: at, to: after)
        return ahead <= back ? count + ahead : count - back
    }
}

extension Character {
    /// Whether this belongs to a script that puts no spaces between words, such as Han, kana or
    /// Thai, so that any place is as good as the next.
    fileprivate var isWrittenWithoutSpaces: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        if scalar.properties.isIdeographic { return true }
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3000...0x30FF: return true
        default: return false
        }
    }
}
