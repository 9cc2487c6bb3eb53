public import Foundation

/// One WebSocket message.
public struct RealtimeFrame: Sendable, Hashable {
    /// The two kinds of data message.
    public enum Kind: Sendable, Hashable {
        /// UTF-8 text.
        case text
        /// Any bytes.
        case binary
    }

    /// Whether the message was, or is to be, a text or a binary one.
    public var kind: Kind
    /// The payload; UTF-8 for text.
    public var bytes: [UInt8]

    /// Creates a message of any kind.
    public init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// Creates a text message.
    public init(_ text: String) {
        self.init(kind: .text, bytes: Array(text.utf8))
    }
}

/// Where and how to open a WebSocket.
public struct RealtimeConnectRequest: Sendable {
    /// The address, `ws` or `wss`.
    public var url: URL
    /// Extra headers of the upgrade request, in order. Values may be secret: never logged.
    public var headers: [(name: String, value: String)]
    /// The subprotocols to offer, in order. May carry a secret: never logged.
    public var subprotocols: [String]
    /// How long name lookup, TCP, TLS and the upgrade may take together.
    public var timeout: Duration
    /// The largest message to accept, in bytes; a larger one closes the socket with 1009.
    public var maximumMessageBytes: Int
    /// So much in the send queue, in bytes, makes the channel tell `drained` once it is empty.
    public var highWaterMark: Int
    /// A PEM file of certificate authorities to trust instead of the system's.
    public var certificateAuthorityFile: String?
    /// An HTTP CONNECT proxy, such as `http://user:password@host:port`; nil follows the
    /// environment as libcurl or the system does.
    public var proxy: String?

    /// Creates a request.
    public init(
        url: URL,
        headers: [(name: String, value: String)] = [],
        subprotocols: [String] = [],
        timeout: Duration = .seconds(15),
        maximumMessageBytes: Int = 16 << 20,
        highWaterMark: Int = 256 << 10,
        certificateAuthorityFile: String? = nil,
        proxy: String? = nil
    ) {
        self.url = url
        self.headers = headers
        self.subprotocols = subprotocols
        self.timeout = timeout
        self.maximumMessageBytes = maximumMessageBytes
        self.highWaterMark = highWaterMark
        self.certificateAuthorityFile = certificateAuthorityFile
        self.proxy = proxy
    }
}

/// How a WebSocket ended.
public struct RealtimeClose: Sendable, Hashable {
    /// The close code: the peer's, ours if we closed, or 1006 where no close frame came.
    public var code: Int
    /// The close reason, empty where there is none.
    public var reason: String
    /// Whether both sides exchanged close frames.
    public var isClean: Bool

    /// Creates a description of an end.
    public init(code: Int, reason: String = "", isClean: Bool) {
        self.code = code
        self.reason = reason
        self.isClean = isClean
    }
}

/// What a transport tells about one connection, in order and one at a time.
public enum RealtimeTransportEvent: Sendable, Equatable {
    /// The upgrade was accepted, with this subprotocol if the server chose one.
    case opened(subprotocol: String?)
    /// A whole message arrived.
    case received(RealtimeFrame)
    /// A pong arrived; liveness only.
    case pong
    /// The send queue, after it had held more than the request's high-water mark, is empty
    /// again.
    case drained
    /// The connection was open and is over. The last event.
    case closed(RealtimeClose)
    /// The connection could not be opened. The last event.
    case failed(RealtimeError)
}

/// Opens WebSockets.
///
/// A transport that conforms must: deliver the events of one channel serially and in order,
/// `opened` first and exactly one of `closed` and `failed` last; never call back on the stack
/// of a call made to it; answer pings; close with 1002, 1007 or 1009 when the peer breaks the
/// protocol; and deliver nothing after `cancel()`.
public protocol RealtimeTransport: Sendable {
    /// Starts to connect and returns at once.
    func open(
        _ request: RealtimeConnectRequest,
        onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
    ) -> any RealtimeTransportChannel
}

/// One WebSocket. Every method may be called from any thread and none waits.
public protocol RealtimeTransportChannel: AnyObject, Sendable {
    /// Sends a message, straight from the calling thread where nothing is queued.
    ///
    /// - Throws: `notConnected` before `opened` and after the end; `queueFull` where the
    ///   queue has no room, with the message not sent.
    func send(_ frame: RealtimeFrame) throws(RealtimeError)
    /// Sends a ping.
    func ping()
    /// The bytes that wait for the socket.
    var queuedBytes: Int { get }
    /// Starts the close handshake after what is queued; ends by itself if the peer is silent.
    func close(code: Int, reason: String)
    /// Drops the connection at once; no event follows.
    func cancel()
}
