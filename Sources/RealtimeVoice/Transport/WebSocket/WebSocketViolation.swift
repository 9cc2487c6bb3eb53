/// What the peer sent that RFC 6455 forbids, as the close frame that answers it.
package struct WebSocketViolation: Error, Sendable, Hashable {
    /// 1002, 1007 or 1009.
    package var closeCode: Int
    /// A short ASCII text for the close frame.
    package var reason: String

    package init(closeCode: Int, reason: String) {
        self.closeCode = closeCode
        self.reason = reason
    }

    static func protocolError(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(closeCode: 1002, reason: reason)
    }

    static let invalidText = WebSocketViolation(closeCode: 1007, reason: "invalid UTF-8")
    static let tooLarge = WebSocketViolation(closeCode: 1009, reason: "message too large")
}
