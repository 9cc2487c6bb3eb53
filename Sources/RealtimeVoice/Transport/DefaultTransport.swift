#if os(Linux)

    /// The transport for this platform.
    public enum DefaultTransport {
        /// Returns the transport that a session uses if it is given none: libcurl on Linux, since
        /// Foundation's WebSockets do not work there, and `URLSession` elsewhere.
        public static func make() -> any RealtimeTransport {
            CurlTransport.shared
        }
    }

#else

    /// The transport for this platform.
    public enum DefaultTransport {
        /// Returns the transport that a session uses if it is given none: libcurl on Linux, since
        /// Foundation's WebSockets do not work there, and `URLSession` elsewhere.
        public static func make() -> any RealtimeTransport {
            URLSessionTransport()
        }
    }

#endif
