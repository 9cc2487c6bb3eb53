/// Writes frames into buffers that the caller owns.
package enum WebSocketEncoder {
    /// Small enough for the processor's nearest cache, so that masking re-reads nothing.
    private static let blockSize = 16 << 10

    /// Appends one frame.
    ///
    /// - Parameters:
    ///   - opcode: The frame's type. The payload of a control frame is at most 125 bytes.
    ///   - isFinal: False for a fragment that others follow.
    ///   - payload: The payload, unmasked.
    ///   - maskKey: An unpredictable key in the client's role, nil in the server's.
    ///   - output: Where to append the bytes.
    package static func append(
        _ opcode: WebSocketOpcode,
        isFinal: Bool = true,
        payload: [UInt8],
        maskKey: UInt32?,
        to output: inout [UInt8]
    ) {
        assert(!opcode.isControl || payload.count <= WebSocketFrameHeader.maximumControlPayload)
        let needed = output.count + payload.count + WebSocketFrameHeader.maximumByteCount
        if needed > output.capacity {
            output.reserveCapacity(max(needed, 2 * output.capacity))
        }
        WebSocketFrameHeader(
            opcode: opcode,
            isFinal: isFinal,
            payloadCount: payload.count,
            maskKey: maskKey
        ).append(to: &output)
        guard let maskKey else {
            output.append(contentsOf: payload)
            return
        }
        var start = 0
        while start < payload.count {
            let end = min(start + blockSize, payload.count)
            let written = output.count
            output.append(contentsOf: payload[start..<end])
            WebSocketMask.apply(maskKey, phase: start, to: &output, from: written)
            start = end
        }
    }

    /// Appends a whole message as one frame.
    package static func append(
        _ message: RealtimeFrame,
        maskKey: UInt32?,
        to output: inout [UInt8]
    ) {
        let opcode: WebSocketOpcode = message.kind == .text ? .text : .binary
        append(opcode, payload: message.bytes, maskKey: maskKey, to: &output)
    }
}
