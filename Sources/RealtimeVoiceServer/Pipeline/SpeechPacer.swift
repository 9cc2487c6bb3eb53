/// A sentence ready for the wire.
struct SpokenSentence: Sendable, Equatable {
    /// The audio in the response's format.
    var bytes: [UInt8]
    /// The words with the bytes at which they begin.
    var words: [WireItem.Word]
}

/// How fast speech is sent.
public struct SpeechPace: Sendable, Hashable {
    /// The head start that the client gets, in milliseconds.
    public var leadMilliseconds: Int
    /// How much faster than it is spoken the speech is sent; 1 keeps the lead as it is.
    public var speedup: Double

    /// Creates a pace.
    public init(leadMilliseconds: Int = 200, speedup: Double = 1.1) {
        self.leadMilliseconds = leadMilliseconds
        self.speedup = speedup
    }

    /// A little ahead of the voice, as a phone line would deliver it.
    public static let speaking = SpeechPace()
    /// As soon as it is there, as the real services do.
    public static let immediate = SpeechPace(leadMilliseconds: 86_400_000, speedup: 1)
}

/// Decides when which piece of speech goes out. A pure value; time is passed in.
///
/// A word's text goes right before its audio, so that who counts both knows what was heard.
struct SpeechPacer: Sendable {
    /// What to send.
    enum Piece: Sendable, Equatable {
        case word(WireItem.Word)
        case audio([UInt8])
    }

    private static let chunkMilliseconds = 100

    private let pace: SpeechPace
    private let bytesPerMillisecond: Int
    private var sentences: [SpokenSentence] = []
    /// Where the next byte stands in the first sentence, and the next word.
    private var offset = 0
    private var nextWord = 0
    /// Bytes of finished sentences, and all that were sent.
    private var finishedBytes = 0
    private(set) var sentBytes = 0
    /// When the clock of the lead began, and what was sent by then.
    private var origin: (milliseconds: Int, sentBytes: Int)?

    init(pace: SpeechPace, bytesPerMillisecond: Int) {
        self.pace = pace
        self.bytesPerMillisecond = max(1, bytesPerMillisecond)
    }

    /// Whether everything was sent.
    var isEmpty: Bool { sentences.isEmpty }

    /// The speech sent that a listener at normal speed can not have heard yet, in milliseconds.
    func unheardMilliseconds(now: Int) -> Int {
        guard let origin else { return 0 }
        let sent = (sentBytes - origin.sentBytes) / bytesPerMillisecond
        return max(0, sent - (now - origin.milliseconds))
    }

    /// Adds a sentence behind the others.
    mutating func add(_ sentence: SpokenSentence, now: Int) {
        if sentences.isEmpty {
            // After a gap the listener has caught up: the lead is given anew, not saved up.
            let hasGap = origin.map { allowedBytes(now: now, $0) > sentBytes } ?? true
            if hasGap { origin = (now, sentBytes) }
        }
        sentences.append(sentence)
    }

    /// The pieces to send by now.
    mutating func due(now: Int) -> [Piece] {
        guard let origin else { return [] }
        let allowed = allowedBytes(now: now, origin)
        var pieces: [Piece] = []
        while let sentence = sentences.first {
            let next = upcoming(sentence)
            // A word waits for its audio.
            if next.size > 0, sentBytes + next.size > allowed { break }
            for var word in sentence.words[nextWord..<next.wordEnd] {
                word.startByte += finishedBytes
                pieces.append(.word(word))
            }
            nextWord = next.wordEnd
            if next.size > 0 {
                pieces.append(.audio(Array(sentence.bytes[offset..<offset + next.size])))
                offset += next.size
                sentBytes += next.size
            } else {
                finishedBytes += sentence.bytes.count
                sentences.removeFirst()
                (offset, nextWord) = (0, 0)
            }
        }
        return pieces
    }

    /// When the next piece is due, nil where none waits.
    func nextDue() -> Int? {
        guard let sentence = sentences.first, let origin else { return nil }
        let missing =
            Double(sentBytes + upcoming(sentence).size - origin.sentBytes)
            / Double(bytesPerMillisecond) - Double(pace.leadMilliseconds)
        return origin.milliseconds + max(0, Int((missing / pace.speedup).rounded(.up)))
    }

    /// The words that begin here, and the bytes up to the next word or to a chunk's length.
    private func upcoming(_ sentence: SpokenSentence) -> (wordEnd: Int, size: Int) {
        var wordEnd = nextWord
        while wordEnd < sentence.words.count, sentence.words[wordEnd].startByte <= offset {
            wordEnd += 1
        }
        var end = min(
            offset + Self.chunkMilliseconds * bytesPerMillisecond, sentence.bytes.count)
        if wordEnd < sentence.words.count { end = min(end, sentence.words[wordEnd].startByte) }
        if offset == sentence.bytes.count { wordEnd = sentence.words.count }
        return (wordEnd, end - offset)
    }

    private func allowedBytes(now: Int, _ origin: (milliseconds: Int, sentBytes: Int)) -> Int {
        let elapsed = Double(max(0, now - origin.milliseconds)) * pace.speedup
        return origin.sentBytes
            + (pace.leadMilliseconds + Int(elapsed)) * bytesPerMillisecond
    }
}
