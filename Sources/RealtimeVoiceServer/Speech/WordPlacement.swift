/// Places the words of a text on its sound.
enum WordPlacement {
    /// The words with their first samples.
    ///
    /// `ends` are the engine's own word ends. They are used where there is one for each word;
    /// else the words share the sound by their length in letters.
    static func place(
        words: [String],
        ends: [Int],
        sampleCount: Int
    ) -> [SynthesizedSpeech.Word] {
        let starts =
            ends.count == words.count
            ? starts(ends: ends, sampleCount: sampleCount)
            : starts(weights: words.map { $0.count + 1 }, sampleCount: sampleCount)
        return zip(words, starts).map { SynthesizedSpeech.Word(text: $0, startSample: $1) }
    }

    private static func starts(ends: [Int], sampleCount: Int) -> [Int] {
        var starts: [Int] = []
        var position = 0
        for end in ends {
            starts.append(position)
            // A token that says nothing, such as a lone dash, has no end of its own.
            position = min(max(position, end), sampleCount)
        }
        return starts
    }

    private static func starts(weights: [Int], sampleCount: Int) -> [Int] {
        let total = max(1, weights.reduce(0, +))
        var before = 0
        return weights.map { weight in
            defer { before += weight }
            return sampleCount * before / total
        }
    }
}
