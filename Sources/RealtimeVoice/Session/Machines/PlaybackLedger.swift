/// Knows, per item, what audio came and what of it was heard.
///
/// A provider generates faster than anybody listens, and several answers can be queued behind
/// each other. The ledger keeps what is audible, or about to be, as one row of runs; a player's
/// position within that row tells which item is heard and how far.
///
/// The row begins with the first chunk of a response that found the player silent, and goes on
/// over the response's further items and over what comes before it has drained. To know when
/// that is, the ledger plays along with an ideal player, which starts at once and never stalls.
/// After an interruption the row begins anew.
///
/// Bad input is harmless: positions are clamped to what came, and an interruption of nothing
/// does nothing.
package struct PlaybackLedger: Sendable {
    /// What of an item was heard when it was cut off.
    package struct Heard: Sendable, Hashable {
        package var content: RealtimeContentID
        package var heardMilliseconds: Int
        package var receivedMilliseconds: Int

        package init(
            content: RealtimeContentID, heardMilliseconds: Int, receivedMilliseconds: Int
        ) {
            self.content = content
            self.heardMilliseconds = heardMilliseconds
            self.receivedMilliseconds = receivedMilliseconds
        }
    }

    /// Consecutive audio of one part.
    struct Run: Sendable, Hashable {
        var content: RealtimeContentID
        var format: RealtimeAudioFormat
        var bytes: Int

        var microseconds: Int {
            bytes / format.bytesPerSample * 1_000_000 / max(1, format.samplesPerSecond)
        }
    }

    struct Row: Sendable, Hashable {
        var runs: [Run] = []
        /// When an ideal player has played it all.
        var end = Duration.zero
        /// What a player last reported, in milliseconds of the row.
        var reported: Int?
        var reportedAt = Duration.zero

        var microseconds: Int { runs.reduce(0) { $0 + $1.microseconds } }
    }

    /// A player may be so far behind the ideal one.
    static let playerLag = Duration.milliseconds(300)
    /// After so long without a report, a player that reports is thought to have stopped.
    static let reportLag = Duration.seconds(2)
    /// So long after it was stopped may a player take to say how far it had come, although the
    /// next answer plays already.
    static let cutLag = Duration.seconds(1)

    private(set) var row = Row()
    /// What was cut off and waits for a player to say how far it had come.
    private(set) var cutOff: Row?
    private var cutOffAt = Duration.zero
    /// What came of each recent item, for players that count per item.
    private var received: [RealtimeContentID: Int] = [:]
    private var receivedOrder: [RealtimeContentID] = []

    package init() {}

    // MARK: Audio comes

    /// Takes in a piece of audio.
    ///
    /// - Returns: Where in its part the piece begins, in milliseconds.
    @discardableResult
    package mutating func received(
        _ content: RealtimeContentID, bytes: Int, format: RealtimeAudioFormat, now: Duration
    ) -> Int {
        if let last = row.runs.last, last.content.responseID != content.responseID,
            isDrained(now: now)
        {
            row = Row()
        }
        // A player that never said how far it had come will not say so any more.
        // Where no time passes, as in a scenario without a clock, the next answer settles it.
        if row.runs.isEmpty, now > cutOffAt + Self.cutLag || now == cutOffAt { cutOff = nil }
        if let last = row.runs.indices.last, row.runs[last].content == content,
            row.runs[last].format == format
        {
            row.runs[last].bytes += bytes
        } else {
            row.runs.append(Run(content: content, format: format, bytes: bytes))
        }
        let piece = Run(content: content, format: format, bytes: bytes).microseconds
        row.end = max(row.end, now) + .microseconds(piece)
        return count(content, bytes: bytes, format: format)
    }

    /// Whether a player has played all that came, as it says, or else as an ideal one would have.
    private func isDrained(now: Duration) -> Bool {
        row.reported == nil ? now >= row.end : !isAudible(now: now)
    }

    private mutating func count(
        _ content: RealtimeContentID, bytes: Int, format: RealtimeAudioFormat
    ) -> Int {
        let before = received[content]
        if before == nil {
            receivedOrder.append(content)
            if receivedOrder.count > 64 { received[receivedOrder.removeFirst()] = nil }
        }
        received[content] = (before ?? 0) + bytes
        return format.milliseconds(ofBytes: before ?? 0)
    }

    /// Whether somebody may be hearing something, as far as anyone here can know.
    package func isAudible(now: Duration) -> Bool {
        guard let audibleUntil else { return false }
        return now < audibleUntil
    }

    /// Until when somebody may be hearing something; nil where nothing is to be heard.
    package var audibleUntil: Duration? {
        guard !row.runs.isEmpty else { return nil }
        guard let reported = row.reported else { return row.end + Self.playerLag }
        // Reports are rounded down to milliseconds.
        if (reported + 1) * 1_000 >= row.microseconds { return nil }
        return max(row.end, row.reportedAt) + Self.reportLag
    }

    /// The parts that are audible or queued.
    package var contents: [RealtimeContentID] {
        var seen: [RealtimeContentID] = []
        for run in row.runs where !seen.contains(run.content) { seen.append(run.content) }
        return seen
    }

    package func receivedMilliseconds(
        _ content: RealtimeContentID, format: RealtimeAudioFormat
    ) -> Int {
        format.milliseconds(ofBytes: received[content] ?? 0)
    }

    // MARK: Players report

    /// A player tells how far it is, in milliseconds since the row began.
    package mutating func progressed(playedMilliseconds: Int, now: Duration) {
        guard !row.runs.isEmpty else { return }
        row.reported = max(row.reported ?? 0, Self.clamped(playedMilliseconds))
        row.reportedAt = now
    }

    package enum CutAction: Sendable, Hashable {
        case doNothing
        /// Nobody knows yet how much was heard; this much at most.
        case awaitReport(estimate: [Heard])
        /// This much was heard.
        case settle([Heard])
    }

    /// What is audible or queued is thrown away, also what of a running response has been played
    /// while more is to come, before any player says how far it had come.
    package mutating func cut(now: Duration, isRunning: Bool = false) -> CutAction {
        guard isAudible(now: now) || isRunning && !row.runs.isEmpty else {
            row = Row()
            return .doNothing
        }
        let ended = row
        row = Row()
        if let reported = ended.reported {
            cutOff = nil
            return .settle(heard(of: ended, milliseconds: reported))
        }
        cutOff = ended
        cutOffAt = now
        let left = max(.zero, ended.end - now)
        let played = max(0, ended.microseconds - Int(left / .microseconds(1)))
        return .awaitReport(estimate: heard(of: ended, milliseconds: played / 1_000))
    }

    /// A player was stopped after so many milliseconds of the row. What it had played to its
    /// end long before was not interrupted.
    package mutating func interrupted(
        playedMilliseconds: Int, now: Duration, isRunning: Bool = false
    ) -> [Heard] {
        if !row.runs.isEmpty, now > cutOffAt + Self.cutLag { cutOff = nil }
        if cutOff == nil, !isAudible(now: now), !isRunning { row = Row() }
        let ended = cutOff ?? row
        if cutOff == nil { row = Row() }
        cutOff = nil
        return heard(of: ended, milliseconds: playedMilliseconds)
    }

    /// A player was stopped within an item, after so many milliseconds of it.
    package mutating func interrupted(
        itemID: String, contentIndex: Int, playedMilliseconds: Int, now: Duration,
        isRunning: Bool = false
    ) -> [Heard] {
        let ended = cutOff ?? row
        guard
            let index = ended.runs.firstIndex(where: {
                $0.content.itemID == itemID && $0.content.contentIndex == contentIndex
            })
        else { return [] }
        let before = ended.runs[..<index].reduce(0) { $0 + $1.microseconds }
        return interrupted(
            playedMilliseconds: before / 1_000 + Self.clamped(playedMilliseconds), now: now,
            isRunning: isRunning)
    }

    /// A position within what anybody could have heard; the rest is arithmetic.
    private static func clamped(_ milliseconds: Int) -> Int {
        min(max(0, milliseconds), 1_000_000_000)
    }

    /// Shares a position out over the parts of a row, in the order in which they are heard.
    private func heard(of row: Row, milliseconds: Int) -> [Heard] {
        var left = Self.clamped(milliseconds) * 1_000
        var order: [RealtimeContentID] = []
        var heard: [RealtimeContentID: Int] = [:]
        for run in row.runs {
            if heard[run.content] == nil { order.append(run.content) }
            let part = min(left, run.microseconds)
            heard[run.content, default: 0] += part
            left -= part
        }
        return order.map { content in
            let format = row.runs.first { $0.content == content }?.format ?? .pcm24kHz
            let received = receivedMilliseconds(content, format: format)
            return Heard(
                content: content, heardMilliseconds: min((heard[content] ?? 0) / 1_000, received),
                receivedMilliseconds: received)
        }
    }
}
