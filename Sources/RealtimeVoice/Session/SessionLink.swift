import Synchronization

/// The way from any thread to a session's present connection, past the main actor.
final class SessionLink: Sendable {
    private struct State {
        var connection: RealtimeConnection?
        var generation = 0
        /// The conversation of the last connection, which the next one continues.
        var reducer = ConversationReducer()
        /// By number, so that one that is cancelled leaves the others waiting.
        var waiters: [Int: CheckedContinuation<RealtimeConnection?, Never>] = [:]
        var waiterCount = 0
        /// The session is gone: there will be no connection any more.
        var isOver = false
    }

    private let state = Mutex(State())

    var connection: RealtimeConnection? { state.withLock { $0.connection } }

    /// Changes with every connect and disconnect: what began under another one is stale.
    var generation: Int { state.withLock { $0.generation } }

    /// The conversation so far, which the next connection continues.
    var reducer: ConversationReducer {
        get { state.withLock { $0.reducer } }
        set { state.withLock { $0.reducer = newValue } }
    }

    /// Puts another connection, or none, in the place of the present one, which is returned.
    @discardableResult
    func replace(_ connection: RealtimeConnection?) -> RealtimeConnection? {
        let (old, waiters) = state.withLock { state in
            let old = state.connection
            state.connection = connection
            state.generation += 1
            guard connection != nil else {
                return (old, [Int: CheckedContinuation<RealtimeConnection?, Never>]())
            }
            defer { state.waiters = [:] }
            return (old, state.waiters)
        }
        for waiter in waiters.values { waiter.resume(returning: connection) }
        return old
    }

    /// The session is gone: whoever waits for its next connection waits for nothing.
    func end() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: nil) }
    }

    /// The present connection, or the next one; nil when the caller is cancelled, or where no
    /// next one can come.
    func nextConnection() async -> RealtimeConnection? {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let present: RealtimeConnection?? = state.withLock { state in
                    if let connection = state.connection { return connection }
                    if Task.isCancelled || state.isOver { return .some(nil) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let present { continuation.resume(returning: present) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: nil)
        }
    }
}

/// A session's speech; begins with the session's present connection, or its next one.
public struct SessionAudioOutput: AsyncSequence, Sendable {
    let link: SessionLink

    /// Takes the pieces in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let link: SessionLink
        private var speech: BoundedQueue<RealtimeAudioChunk>?

        init(link: SessionLink) {
            self.link = link
        }

        /// The next piece; nil when the session was disconnected or broke.
        public mutating func next() async -> RealtimeAudioChunk? {
            await next(isolation: nil)
        }

        /// The next piece; nil when the session was disconnected or broke.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> RealtimeAudioChunk? {
            if speech == nil { speech = await link.nextConnection()?.speech }
            return await speech?.next()
        }
    }

    /// Begins to take pieces.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(link: link)
    }
}
