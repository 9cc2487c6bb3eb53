public import RealtimeVoice
import Synchronization

/// A transport without sockets, whose server half a test plays.
///
/// ```swift
/// let transport = InMemoryTransport()
/// let channel = transport.open(request) { event in print(event) }
/// let peer = await transport.nextConnection()
/// peer?.accept(subprotocol: "realtime")
/// try channel.send(RealtimeFrame("hello"))
/// let sent = await peer?.next()  // .message(RealtimeFrame("hello"))
/// ```
public final class InMemoryTransport: RealtimeTransport {
    /// The client's connections in the order of their opening; one consumer.
    public let connections: InMemoryConnections
    private let opened: AsyncStream<InMemoryConnection>.Continuation
    private let maximumQueuedBytes: Int

    /// Creates a transport.
    ///
    /// - Parameter maximumQueuedBytes: What a stalled connection holds before `send` throws `queueFull`.
    public init(maximumQueuedBytes: Int = 32 << 20) {
        let (stream, continuation) = AsyncStream.makeStream(of: InMemoryConnection.self)
        connections = InMemoryConnections(stream: stream)
        opened = continuation
        self.maximumQueuedBytes = maximumQueuedBytes
    }

    deinit {
        opened.finish()
    }

    /// Starts a connection, which waits for the test to accept or refuse it.
    public func open(
        _ request: RealtimeConnectRequest,
        onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
    ) -> any RealtimeTransportChannel {
        let connection = InMemoryConnection(
            request, maximumQueuedBytes: maximumQueuedBytes, onEvent: onEvent)
        opened.yield(connection)
        return InMemoryChannel(connection)
    }

    /// Returns the next connection that the client opens; nil if the task is cancelled.
    public func nextConnection() async -> InMemoryConnection? {
        for await connection in connections { return connection }
        return nil
    }
}
