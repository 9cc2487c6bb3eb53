import Foundation

/// The proof that a server understood an upgrade request (RFC 6455 section 4.2.2).
enum WebSocketAcceptKey {
    /// Returns the `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key`.
    static func make(key: String) -> String {
        let digest = SHA1.digest(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        return Data(digest).base64EncodedString()
    }
}
