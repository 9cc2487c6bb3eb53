import RealtimeVoice

/// A sound card without a speaker: it plays what it is given in real time and knows to the
/// sample what was heard.
///
/// What it received counts for nothing; only time makes it heard. A piece that comes after the
/// one before was played leaves a gap, as it would be heard. Its position runs on from the first
/// piece of the response that is audible, over all that is queued behind it, and starts again
/// after it fell silent or was stopped: the count that `playbackInterrupted` takes.
///
/// Bad input is harmless: a piece of an item that was stopped is dropped and counted.
struct SimulatedPlayer {
    /// A piece with the time at which it begins to be heard.
    struct Piece: Equatable {
        var content: RealtimeContentID
        var samples: [Int16]
        var start: Duration
    }

    /// Something that was heard.
    struct Heard: Equatable {
        var itemID: String
        var samples: [Int16]
        var start: Duration
    }

    /// Samples a second.
    let rate: Int
    /// How much came after its item was stopped, in samples.
    private(set) var lateSamples = 0
    /// How often an answer's next piece came too late.
    private(set) var gaps = 0
    /// All that came, in samples.
    private(set) var receivedSamples = 0

    private var row: [Piece] = []
    private var end = Duration.zero
    private var stopped: [String] = []
    private var heard: [Heard] = []

    init(rate: Int = 24_000) {
        self.rate = rate
    }

    // MARK: Input

    /// Queues a piece.
    mutating func enqueue(_ samples: [Int16], of content: RealtimeContentID, now: Duration) {
        receivedSamples += samples.count
        guard !stopped.contains(content.itemID) else {
            lateSamples += samples.count
            return
        }
        if let last = row.last, now >= end {
            if last.content.responseID == content.responseID {
                if last.content == content { gaps += 1 }
            } else {
                leaveRow(at: now)
            }
        }
        let start = max(now, end)
        row.append(Piece(content: content, samples: samples, start: start))
        end = start + duration(samples.count)
    }

    /// Stops at once and forgets what is queued.
    ///
    /// - Parameters:
    ///   - items: What is cut off; pieces of other items go on.
    ///   - now: The time.
    /// - Returns: The position, in milliseconds; nil where nothing of these items was there.
    mutating func stop(items: [String], now: Duration) -> Int? {
        stopped += items
        if stopped.count > 64 { stopped.removeFirst(stopped.count - 64) }
        let survivors = row.filter { !items.contains($0.content.itemID) }
        guard survivors.count < row.count else { return nil }
        row.removeAll { !items.contains($0.content.itemID) }
        let position = playedMilliseconds(now: now)
        leaveRow(at: now)
        // What came of the next answer before the stop was known begins now.
        for piece in survivors {
            let start = max(now, end)
            row.append(Piece(content: piece.content, samples: piece.samples, start: start))
            end = start + duration(piece.samples.count)
        }
        return position
    }

    // MARK: Position

    /// Whether nothing is left to play.
    func isIdle(now: Duration) -> Bool { now >= end }

    /// What was heard of the row, in milliseconds, rounded down.
    func playedMilliseconds(now: Duration) -> Int {
        row.reduce(0) { $0 + playedSamples(of: $1, now: now) } * 1_000 / rate
    }

    /// When the present row began to be heard; nil where there is none.
    var rowStart: Duration? { row.first?.start }

    /// All that was heard until now, piece by piece; the row goes on.
    func everythingHeard(now: Duration) -> [Heard] {
        heard + row.compactMap { heardPart(of: $0, now: now) }
    }

    private func playedSamples(of piece: Piece, now: Duration) -> Int {
        guard now > piece.start else { return 0 }
        let samples = (now - piece.start).microseconds * rate / 1_000_000
        return min(samples, piece.samples.count)
    }

    private func heardPart(of piece: Piece, now: Duration) -> Heard? {
        let count = playedSamples(of: piece, now: now)
        guard count > 0 else { return nil }
        return Heard(
            itemID: piece.content.itemID, samples: Array(piece.samples.prefix(count)),
            start: piece.start)
    }

    private mutating func leaveRow(at now: Duration) {
        heard += row.compactMap { heardPart(of: $0, now: now) }
        row = []
        end = min(end, now)
    }

    private func duration(_ samples: Int) -> Duration {
        .nanoseconds(samples * 1_000_000_000 / rate)
    }
}

extension Duration {
    /// The whole microseconds.
    var microseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }

    /// The whole milliseconds.
    var milliseconds: Int { microseconds / 1_000 }

    /// The seconds, as a number to print.
    var inSeconds: Double { Double(microseconds) / 1_000_000 }
}
