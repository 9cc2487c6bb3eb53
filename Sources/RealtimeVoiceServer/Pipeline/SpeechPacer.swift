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
            while nextWord < sentence.words.count,
                sentence.words[nextWord].startByte <= offset
            {
                var word = sentence.words[nextWord]
                word.startByte += finishedBytes
                pieces.append(.word(word))
                nextWord += 1
            }
            let size = nextSize(sentence)
            if size == 0 {
                finishedBytes += sentence.bytes.count
                sentences.removeFirst()
                (offset, nextWord) = (0, 0)
                continue
            }
            guard sentBytes + size <= allowed else { break }
            pieces.append(.audio(Array(sentence.bytes[offset..<offset + size])))
            offset += size
            sentBytes += size
        }
        return pieces
    }

    /// When the next piece is due, nil where none waits.
    func nextDue() -> Int? {
        guard let sentence = sentences.first, let origin else { return nil }
        let missing =
            Double(sentBytes + nextSize(sentence) - origin.sentBytes)
            / Double(bytesPerMillisecond) - Double(pace.leadMilliseconds)
        return origin.milliseconds + max(0, Int((missing / pace.speedup).rounded(.up)))
    }

    /// Up to the next word, or a chunk's length, whichever is shorter.
    private func nextSize(_ sentence: SpokenSentence) -> Int {
        var end = min(
            offset + Self.chunkMilliseconds * bytesPerMillisecond, sentence.bytes.count)
        if nextWord < sentence.words.count {
            end = min(end, max(offset, sentence.words[nextWord].startByte))
        }
        // A word at the very place of the next byte was given out by now.
        return end > offset ? end - offset : sentence.bytes.count - offset
    }

    private func allowedBytes(now: Int, _ origin: (milliseconds: Int, sentBytes: Int)) -> Int {
        let elapsed = Double(max(0, now - origin.milliseconds)) * pace.speedup
        return origin.sentBytes
            + (pace.leadMilliseconds + Int(elapsed)) * bytesPerMillisecond
    }
}
