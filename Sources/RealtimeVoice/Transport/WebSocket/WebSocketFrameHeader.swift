/// The first 2 to 14 bytes of a frame.
struct WebSocketFrameHeader: Hashable {
    static let maximumControlPayload = 125
    static let maximumByteCount = 14

    var opcode: WebSocketOpcode
    var isFinal: Bool
    var payloadCount: Int
    /// The mask key, its first wire byte the highest; nil for an unmasked frame.
    var maskKey: UInt32?

    /// Reads a header, as soon as its bytes suffice, and refuses it as early as they allow.
    ///
    /// Only a server accepts masked frames. Returns the header and its size, or nil where more
    /// bytes are needed.
    static func parse(
        _ bytes: UnsafeRawBufferPointer,
        role: WebSocketRole
    ) throws(WebSocketViolation) -> (header: WebSocketFrameHeader, count: Int)? {
        guard let first = unsafe bytes.first else { return nil }
        guard first & 0x70 == 0 else { throw .protocolError("reserved bit set") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .protocolError("reserved opcode")
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .protocolError("fragmented control") }
        guard bytes.count >= 2 else { return nil }
        let second = unsafe bytes[1]
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw .protocolError(isMasked ? "masked frame" : "unmasked frame")
        }
        let short = Int(second & 0x7F)
        guard short <= maximumControlPayload || !opcode.isControl else {
            throw .protocolError("control frame too long")
        }
        var count = short < 126 ? 2 : short == 126 ? 4 : 10
        guard bytes.count >= count else { return nil }
        let payloadCount = try unsafe payloadCount(short, bytes)
        var maskKey: UInt32?
        if isMasked {
            guard bytes.count >= count + 4 else { return nil }
            let stored = unsafe bytes.loadUnaligned(fromByteOffset: count, as: UInt32.self)
            maskKey = UInt32(bigEndian: stored)
            count += 4
        }
        let header = WebSocketFrameHeader(
            opcode: opcode,
            isFinal: isFinal,
            payloadCount: payloadCount,
            maskKey: maskKey
        )
        return (header, count)
    }

    private static func payloadCount(
        _ short: Int,
        _ bytes: UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> Int {
        switch short {
        case 126:
            let stored = unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
            let count = Int(UInt16(bigEndian: stored))
            guard count > 125 else { throw .protocolError("length not minimal") }
            return count
        case 127:
            let stored = unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self)
            let count = UInt64(bigEndian: stored)
            guard count > 0xFFFF else { throw .protocolError("length not minimal") }
            guard count >> 63 == 0 else { throw .protocolError("length out of range") }
            return Int(clamping: count)
        default:
            return short
        }
    }

    /// Appends the header's bytes.
    func append(to output: inout [UInt8]) {
        output.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let maskBit: UInt8 = maskKey == nil ? 0 : 0x80
        if payloadCount < 126 {
            output.append(maskBit | UInt8(payloadCount))
        } else if payloadCount <= 0xFFFF {
            output.append(maskBit | 126)
            output.append(UInt8(truncatingIfNeeded: payloadCount >> 8))
            output.append(UInt8(truncatingIfNeeded: payloadCount))
        } else {
            output.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: UInt64(payloadCount) >> UInt64(shift)))
            }
        }
        guard let maskKey else { return }
        for shift in stride(from: 24, through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: maskKey >> UInt32(shift)))
        }
    }
}
