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
