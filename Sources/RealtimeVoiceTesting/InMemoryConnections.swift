/// The connections of an ``InMemoryTransport``.
public struct InMemoryConnections: AsyncSequence, Sendable {
    /// Waits for the connections.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<InMemoryConnection>.AsyncIterator

        /// Returns the next connection that the client opens.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> InMemoryConnection? {
            await base.next(isolation: actor)
        }
    }

    let stream: AsyncStream<InMemoryConnection>

    /// Starts to wait.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: stream.makeAsyncIterator())
    }
}
