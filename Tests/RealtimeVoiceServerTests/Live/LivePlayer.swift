import Foundation
import RealtimeVoice
import Synchronization

/// A sound card without a speaker: what it is given it plays in real time, and it knows to the
/// millisecond what was heard of the answer that plays.
final class LivePlayer: Sendable {
    private struct Piece: Sendable {
        var milliseconds: Double
        var start: Duration
    }

    private struct State: Sendable {
        var row: [Piece] = []
        var end = Duration.zero
        var isStopped = false
        /// All that came out of the session, per item, in bytes.
        var received: [String: Int] = [:]
        /// The first piece of each item.
        var first: [String: RealtimeAudioChunk] = [:]
        /// The items of which a piece was asked for and given after the player was stopped.
        var itemsAfterStop: Set<String> = []
        var hasEnded = false
        var waiter: (bytes: Int, item: String, continuation: CheckedContinuation<Void, Never>)?

        /// Whoever waits for what is there by now, or won't come any more.
        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            guard let waiter, hasEnded || received[waiter.item] ?? 0 >= waiter.bytes
            else { return nil }
            self.waiter = nil
            return waiter.continuation
        }
    }

    private let state = Mutex(State())
    private let clock = ContinuousClock()
    private let origin = ContinuousClock().now

    private var now: Duration { origin.duration(to: clock.now) }

    /// Plays what comes, until the session ends.
    func consume(_ output: RealtimeAudioOutput) async {
        let pieces = output.makeAsyncIterator()
        while true {
            let wasStopped = state.withLock { $0.isStopped }
            guard let piece = await pieces.next() else { break }
            take(piece, askedAfterStop: wasStopped)
            state.withLock { $0.takeWaiter() }?.resume()
        }
        state.withLock { state in
            state.hasEnded = true
            return state.takeWaiter()
        }?.resume()
    }

    /// Waits until so much of an item came out of the session, or the session is over. For one
    /// caller at a time.
    func hasReceived(bytes: Int, of item: String) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiter = (bytes, item, continuation)
                return state.takeWaiter()
            }?.resume()
        }
    }

    private func take(_ piece: RealtimeAudioChunk, askedAfterStop: Bool) {
        let now = now
        state.withLock { state in
            state.received[piece.itemID, default: 0] += piece.data.count
            if state.first[piece.itemID] == nil { state.first[piece.itemID] = piece }
            if askedAfterStop { state.itemsAfterStop.insert(piece.itemID) }
            // Only the answer that is interrupted needs a position.
            guard !state.isStopped else { return }
            let milliseconds = Double(piece.data.count) / 48
            let start = max(now, state.end)
            state.row.append(Piece(milliseconds: milliseconds, start: start))
            state.end = start + .milliseconds(milliseconds)
        }
    }

    /// Stops at once, and tells how much was heard, in whole milliseconds.
    func stop() -> Int {
        let now = now
        return state.withLock { state in
            state.isStopped = true
            return Self.played(state.row, now: now)
        }
    }

    /// Waits on the player's clock until so much was heard.
    func hasPlayed(milliseconds: Int) async throws {
        while true {
            let now = now
            let played = state.withLock { Self.played($0.row, now: now) }
            guard played < milliseconds else { return }
            try await clock.sleep(for: .milliseconds(milliseconds - played))
        }
    }

    private static func played(_ row: [Piece], now: Duration) -> Int {
        let milliseconds = row.reduce(0.0) { sum, piece in
            let elapsed = Double((now - piece.start) / .microseconds(1)) / 1_000
            return sum + min(max(0, elapsed), piece.milliseconds)
        }
        return Int(milliseconds)
    }

    /// How many bytes of an item came out of the session.
    func receivedBytes(of item: String) -> Int { state.withLock { $0.received[item] ?? 0 } }

    /// An item's first piece.
    func firstPiece(of item: String) -> RealtimeAudioChunk? { state.withLock { $0.first[item] } }

    /// The items of which something was given that was asked for after the stop.
    var itemsAfterStop: Set<String> { state.withLock { $0.itemsAfterStop } }
}
