/// The model's speech, piece by piece, as it comes in: faster than anybody listens.
///
/// One consumer at a time. What is not taken waits, up to a limit (five minutes of it unless
/// configured otherwise), beyond which the oldest falls out. After an interruption nothing of
/// the old answer comes any more. Ends when the connection ends.
public struct RealtimeAudioOutput: AsyncSequence, Sendable {
    let queue: BoundedQueue<RealtimeAudioChunk>

    /// Takes the pieces in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let queue: BoundedQueue<RealtimeAudioChunk>

        /// The next piece; nil at the end.
        public func next() async -> RealtimeAudioChunk? {
            await queue.next()
        }

        /// The next piece; nil at the end.
        public func next(
            isolation actor: isolated (any Actor)?
        ) async -> RealtimeAudioChunk? {
            await queue.next()
        }
    }

    /// Begins to take pieces.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(queue: queue)
    }
}

/// What happens on a connection, in order. Any number of consumers; each that falls more than
/// 4,096 updates behind loses the oldest.
public struct RealtimeUpdates: AsyncSequence, Sendable {
    let queue: BoundedQueue<RealtimeUpdate>

    /// Takes the updates in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let queue: BoundedQueue<RealtimeUpdate>

        /// The next update; nil at the end.
        public func next() async -> RealtimeUpdate? {
            await queue.next()
        }

        /// The next update; nil at the end.
        public func next(isolation actor: isolated (any Actor)?) async -> RealtimeUpdate? {
            await queue.next()
        }
    }

    /// Begins to take updates.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(queue: queue)
    }
}

/// Something that happened on a connection.
@nonexhaustive
public enum RealtimeUpdate: Sendable {
    /// The connection is in another state.
    case status(RealtimeStatus)
    /// The provider told something.
    case event(RealtimeServerEvent)
    /// Speech was cut off: the player must stop at once.
    case interruption(RealtimeInterruption)
    /// Something failed that ends nothing.
    case failure(RealtimeError)
    /// Somebody began or ceased to speak, or to think.
    case activity(RealtimeActivity)
    /// `messages` changed, once for all that happened together.
    case messagesChanged
}

/// How a connection, or a session, stands.
public enum RealtimeStatus: Sendable, Equatable {
    /// There is no connection, or it was ended by us.
    case disconnected
    /// The socket is opening, or the session is being configured.
    case connecting
    /// The session is configured.
    case connected
    /// The connection could not be made, or broke.
    case failed(RealtimeError)
}
