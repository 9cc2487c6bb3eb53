/// Which end of a connection this is; a client masks what it sends, a server doesn't.
package enum WebSocketRole: Sendable, Hashable {
    case client
    case server
}

/// The frame types of RFC 6455 section 5.2.
package enum WebSocketOpcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether frames of this type may come between the fragments of a message.
    package var isControl: Bool { rawValue & 0x8 != 0 }
}

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

/// The rules for close frames.
package enum WebSocketCloseCode {
    /// Whether a close frame may carry this code (RFC 6455 section 7.4 and the IANA registry).
    package static func isValid(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The payload of a close frame; a reason over 123 bytes is cut between characters, and a
    /// code that must not be sent leaves the payload empty.
    package static func payload(code: Int, reason: String) -> [UInt8] {
        guard isValid(code) else { return [] }
        var bytes = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        for character in reason {
            let encoded = character.utf8
            guard bytes.count + encoded.count <= WebSocketFrameHeader.maximumControlPayload else {
                break
            }
            bytes.append(contentsOf: encoded)
        }
        return bytes
    }
}
