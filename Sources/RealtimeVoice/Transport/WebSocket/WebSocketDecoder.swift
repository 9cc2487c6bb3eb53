/// Turns the bytes of one direction of a WebSocket into messages and control frames.
///
/// Bytes may come in pieces of any size. What the peer may not send (RFC 6455) is thrown as a
/// ``WebSocketViolation`` at the first byte that shows it; after that, or after `close`, the
/// decoder must not be fed again. Memory follows what arrived, never what a header declares.
package struct WebSocketDecoder: ~Copyable, Sendable {
    /// What a whole message or control frame says.
    package enum Event: Sendable, Hashable {
        case message(RealtimeFrame)
        case ping([UInt8])
        case pong([UInt8])
        /// A close frame; the code is nil where the frame is empty.
        case close(code: Int?, reason: String)
    }

    /// The frame whose payload is being read.
    private struct OpenFrame {
        var header: WebSocketFrameHeader
        var received = 0

        var missing: Int { header.payloadCount - received }
    }

    /// The room made at once for the first frame of a message, whatever it declares.
    private static let maximumReservation = 256 << 10

    private let role: WebSocketRole
    private let maximumMessageBytes: Int
    private var headerBytes: [UInt8] = []
    private var frame: OpenFrame?
    /// The kind of the message whose fragments are being collected.
    private var messageKind: RealtimeFrame.Kind?
    private var message: [UInt8] = []
    private var text = UTF8Validator()
    private var control: [UInt8] = []

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - role: The reader's own role: a server reads masked frames, a client unmasked ones.
    ///   - maximumMessageBytes: The largest message to accept; a larger one is a 1009.
    package init(role: WebSocketRole, maximumMessageBytes: Int) {
        self.role = role
        self.maximumMessageBytes = maximumMessageBytes
    }

    /// Takes bytes from the front of the input up to the end of the next message or control
    /// frame.
    ///
    /// - Returns: The event, or nil once the input is used up; call again until then.
    package mutating func next(
        _ input: inout UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> Event? {
        while true {
            if frame == nil {
                guard try unsafe readHeader(&input) else { return nil }
            }
            guard try unsafe readPayload(&input) else { return nil }
            if let event = try finishFrame() {
                return event
            }
        }
    }

    /// Like ``next(_:)`` for an array slice.
    package mutating func next(
        _ input: inout ArraySlice<UInt8>
    ) throws(WebSocketViolation) -> Event? {
        var used = 0
        // `withUnsafeBytes` rethrows any error, so the typed one travels in a result.
        let result: Result<Event?, WebSocketViolation> = unsafe input.withUnsafeBytes { bytes in
            var rest = unsafe bytes
            defer { used = bytes.count - rest.count }
            do throws(WebSocketViolation) {
                return .success(try unsafe next(&rest))
            } catch {
                return .failure(error)
            }
        }
        input = input.dropFirst(used)
        return try result.get()
    }

    /// Returns whether a whole header was there; it is now the current frame.
    private mutating func readHeader(
        _ input: inout UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> Bool {
        if headerBytes.isEmpty {
            if let (header, count) = try unsafe WebSocketFrameHeader.parse(input, role: role) {
                unsafe input = .init(rebasing: input.dropFirst(count))
                try begin(header)
                return true
            }
        }
        while let byte = unsafe input.first {
            unsafe input = .init(rebasing: input.dropFirst())
            headerBytes.append(byte)
            if let header = try parseCollectedHeader() {
                headerBytes.removeAll(keepingCapacity: true)
                try begin(header)
                return true
            }
        }
        return false
    }

    private func parseCollectedHeader() throws(WebSocketViolation) -> WebSocketFrameHeader? {
        let role = role
        let result: Result<WebSocketFrameHeader?, WebSocketViolation> =
            unsafe headerBytes.withUnsafeBytes { bytes in
                do throws(WebSocketViolation) {
                    return .success(
                        try unsafe WebSocketFrameHeader.parse(bytes, role: role)?.header
                    )
                } catch {
                    return .failure(error)
                }
            }
        return try result.get()
    }

    /// Checks a header against the message so far.
    private mutating func begin(
        _ header: WebSocketFrameHeader
    ) throws(WebSocketViolation) {
        switch header.opcode {
        case .text, .binary:
            guard messageKind == nil else { throw .protocolError("message within a message") }
            messageKind = header.opcode == .text ? .text : .binary
        case .continuation:
            guard messageKind != nil else { throw .protocolError("continuation of nothing") }
        case .close, .ping, .pong:
            frame = OpenFrame(header: header)
            return
        }
        guard header.payloadCount <= maximumMessageBytes - message.count else { throw .tooLarge }
        if message.isEmpty {
            message.reserveCapacity(min(header.payloadCount, Self.maximumReservation))
        }
        frame = OpenFrame(header: header)
    }

    /// Returns whether the payload of the current frame is complete.
    private mutating func readPayload(
        _ input: inout UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> Bool {
        guard var current = frame else { return false }
        let piece = unsafe UnsafeRawBufferPointer(rebasing: input.prefix(current.missing))
        unsafe input = .init(rebasing: input.dropFirst(piece.count))
        if current.header.opcode.isControl {
            unsafe Self.append(piece, of: current, to: &control)
        } else {
            let start = message.count
            unsafe Self.append(piece, of: current, to: &message)
            if messageKind == .text {
                guard acceptText(from: start) else { throw .invalidText }
            }
        }
        current.received += piece.count
        frame = current
        return current.missing == 0
    }

    private mutating func acceptText(from start: Int) -> Bool {
        unsafe message.withUnsafeBytes { bytes in
            unsafe text.accept(.init(rebasing: bytes[start...]))
        }
    }

    private static func append(
        _ piece: UnsafeRawBufferPointer,
        of frame: OpenFrame,
        to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        // Bound to bytes, since appending a raw buffer copies one byte at a time.
        unsafe bytes.append(contentsOf: piece.assumingMemoryBound(to: UInt8.self))
        guard let key = frame.header.maskKey else { return }
        WebSocketMask.apply(key, phase: frame.received, to: &bytes, from: start)
    }

    /// Ends the current frame; returns nil for a fragment that isn't the last.
    private mutating func finishFrame() throws(WebSocketViolation) -> Event? {
        guard let header = frame?.header else { return nil }
        frame = nil
        switch header.opcode {
        case .text, .binary, .continuation:
            guard header.isFinal, let kind = messageKind else { return nil }
            guard kind == .binary || text.isComplete else { throw .invalidText }
            messageKind = nil
            let bytes = message
            message = []
            return .message(RealtimeFrame(kind: kind, bytes: bytes))
        case .ping:
            return .ping(takeControl())
        case .pong:
            return .pong(takeControl())
        case .close:
            return try Self.closeEvent(takeControl())
        }
    }

    private mutating func takeControl() -> [UInt8] {
        let payload = control
        control = []
        return payload
    }

    private static func closeEvent(_ payload: [UInt8]) throws(WebSocketViolation) -> Event {
        guard !payload.isEmpty else { return .close(code: nil, reason: "") }
        guard payload.count >= 2 else { throw .protocolError("close payload of one byte") }
        let code = Int(payload[0]) << 8 | Int(payload[1])
        guard WebSocketCloseCode.isValid(code) else { throw .protocolError("invalid close code") }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else {
            throw .invalidText
        }
        return .close(code: code, reason: reason)
    }
}
