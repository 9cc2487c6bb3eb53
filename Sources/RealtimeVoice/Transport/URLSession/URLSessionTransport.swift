import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// WebSockets by Foundation, for Apple's platforms.
///
/// It follows the system's proxy and trust settings; a request with a proxy or a file of
/// certificate authorities of its own fails with `unsupported`. The body of a refused upgrade
/// isn't available.
public struct URLSessionTransport: RealtimeTransport {
    /// Creates a transport.
    public init() {}

    /// Starts to connect and returns at once.
    public func open(
        _ request: RealtimeConnectRequest,
        onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
    ) -> any RealtimeTransportChannel {
        let channel = URLSessionChannel(request, onEvent: onEvent)
        channel.start(request)
        return channel
    }
}
