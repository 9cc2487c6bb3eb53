#if os(Linux)

    /// WebSockets on Linux: libcurl connects, with TLS and proxies, and the package's own codec
    /// speaks over the connection.
    ///
    /// One thread serves all connections of a transport and calls them back, so a callback should
    /// return soon; make more transports to use more cores. A connection outlives its transport.
    public final class CurlTransport: RealtimeTransport {
        /// The transport that the process shares.
        public static let shared = CurlTransport()

        private let loop: CurlLoop
        private let closeTimeout: Duration

        /// Creates a transport, whose thread starts with the first connection.
        public convenience init() {
            self.init(closeTimeout: .seconds(5))
        }

        /// Creates a transport whose peers may take a given time to answer a close frame.
        package init(closeTimeout: Duration) {
            loop = CurlLoop()
            self.closeTimeout = closeTimeout
        }

        deinit {
            loop.stopWhenIdle()
        }

        /// Starts a connection on a thread of its own and returns at once.
        public func open(
            _ request: RealtimeConnectRequest,
            onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
        ) -> any RealtimeTransportChannel {
            let connection = CurlConnection(
                request,
                loop: loop,
                closeTimeout: closeTimeout,
                onEvent: onEvent
            )
            connection.start()
            return connection
        }
    }

#endif
