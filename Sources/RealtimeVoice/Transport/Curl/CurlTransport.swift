#if os(Linux)

    /// WebSockets on Linux: libcurl connects, with TLS and proxies, and the package's own codec
    /// speaks over the connection.
    ///
    /// One thread serves all connections of a transport; make more transports to use more cores.
    /// A connection outlives its transport.
    public final class CurlTransport: RealtimeTransport {
        /// The transport that the process shares.
        public static let shared = CurlTransport()

        private let loop: CurlLoop

        /// Creates a transport, whose thread starts with the first connection.
        public init() {
            loop = CurlLoop()
        }

        deinit {
            loop.stopWhenIdle()
        }

        /// Starts a connection on a thread of its own and returns at once.
        public func open(
            _ request: RealtimeConnectRequest,
            onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
        ) -> any RealtimeTransportChannel {
            let connection = CurlConnection(request, loop: loop, onEvent: onEvent)
            connection.start()
            return connection
        }
    }

#endif
