/// What a WebSocket does after its upgrade, in either role: which bytes to write, what to
/// deliver, when it is over.
///
/// The owner has the socket, the queues and the clock. It feeds what it reads, writes the bytes
/// that the machine appends to its buffers, and acts on what is returned. Control bytes (pongs
/// and close frames) may overtake queued messages, between frames only.
///
/// Bad input: what the peer may not send ends the connection with the close code of the
/// violation; input after the end is harmless and ignored; pings beyond what the peer lets us
/// answer are dropped, as RFC 6455 section 5.5.3 allows; an operation at the wrong time returns
/// false.
package struct WebSocketConnectionMachine: ~Copyable, Sendable {
    /// What to do with what was read.
    package enum ReceiveAction: Sendable, Hashable {
        /// The input is used up: read more.
        case readMore
        /// A message for the application; call again with the rest of the input.
        case deliver(RealtimeFrame)
        /// A pong for the application; call again with the rest of the input.
        case reportPong
        /// A pong was appended to the control bytes; call again with the rest of the input.
        case writeControl
        /// The connection is over. Write the control bytes, report this, read no more, and
        /// close the socket once they are out: a reset would destroy them, so shut down the
        /// sending side and wait, briefly, for the end of the peer's.
        case finish(RealtimeClose)
    }

    private enum State: Sendable, Hashable {
        case open
        /// Our close frame is written or queued.
        case closing(code: Int, reason: String)
        case ended
    }

    /// While this much waits for the peer, its pings are not answered.
    private static let maximumControlBacklog = 16 << 10

    private let role: WebSocketRole
    private var decoder: WebSocketDecoder
    private var state = State.open

    /// Starts right after the upgrade.
    package init(role: WebSocketRole, maximumMessageBytes: Int) {
        self.role = role
        decoder = WebSocketDecoder(role: role, maximumMessageBytes: maximumMessageBytes)
    }

    /// Whether messages can be sent.
    package var isOpen: Bool { state == .open }

    /// Takes received bytes from the front of the input, up to the next thing to do.
    ///
    /// - Parameters:
    ///   - input: What was read; call again until it is used up, or over.
    ///   - maskKey: An unpredictable key; not asked for in the server's role.
    ///   - control: Control bytes that wait for the socket; more may be appended.
    /// - Returns: The next thing to do.
    package mutating func receive(
        _ input: inout UnsafeRawBufferPointer,
        maskKey: @autoclosure () -> UInt32,
        control: inout [UInt8]
    ) -> ReceiveAction {
        while state != .ended {
            do throws(WebSocketViolation) {
                switch try unsafe decoder.next(&input) {
                case nil: return .readMore
                case .message(let frame): return .deliver(frame)
                case .pong: return .reportPong
                case .ping(let payload):
                    guard state == .open, control.count < Self.maximumControlBacklog else { break }
                    append(.pong, payload, maskKey(), to: &control)
                    return .writeControl
                case .close(let code, let reason):
                    return receiveClose(code: code, reason: reason, maskKey(), &control)
                }
            } catch {
                return fail(error, maskKey(), &control)
            }
        }
        return .readMore
    }

    private mutating func receiveClose(
        code: Int?,
        reason: String,
        _ maskKey: @autoclosure () -> UInt32,
        _ control: inout [UInt8]
    ) -> ReceiveAction {
        switch state {
        case .open:
            // The echo carries the peer's code and no reason, like most implementations' does.
            let payload = WebSocketCloseCode.payload(code: code ?? 1005, reason: "")
            append(.close, payload, maskKey(), to: &control)
            state = .ended
            return .finish(RealtimeClose(code: code ?? 1005, reason: reason, isClean: true))
        case .closing(let code, let reason):
            state = .ended
            return .finish(RealtimeClose(code: code, reason: reason, isClean: true))
        case .ended:
            return .readMore
        }
    }

    private mutating func fail(
        _ violation: WebSocketViolation,
        _ maskKey: @autoclosure () -> UInt32,
        _ control: inout [UInt8]
    ) -> ReceiveAction {
        let (code, reason) = (violation.closeCode, violation.reason)
        switch state {
        case .open:
            let payload = WebSocketCloseCode.payload(code: code, reason: reason)
            append(.close, payload, maskKey(), to: &control)
            state = .ended
            return .finish(RealtimeClose(code: code, reason: reason, isClean: false))
        case .closing:
            state = .ended
            return .finish(RealtimeClose(code: code, reason: reason, isClean: false))
        case .ended:
            return .readMore
        }
    }

    /// The peer's side of the socket ended, or the socket broke.
    ///
    /// - Returns: What to report, or nil where the connection was over already.
    package mutating func receiveEndOfFile() -> RealtimeClose? {
        switch state {
        case .open:
            state = .ended
            return RealtimeClose(code: 1006, isClean: false)
        case .closing(let code, let reason):
            state = .ended
            return RealtimeClose(code: code, reason: reason, isClean: false)
        case .ended:
            return nil
        }
    }

    /// The peer did not answer our close frame in the owner's time; close the socket.
    ///
    /// - Returns: What to report, or nil where the connection was over, or not being closed.
    package mutating func closeTimedOut() -> RealtimeClose? {
        switch state {
        case .closing(let code, let reason):
            state = .ended
            return RealtimeClose(code: code, reason: reason, isClean: false)
        case .open, .ended:
            return nil
        }
    }

    /// Appends a message as one frame.
    ///
    /// - Returns: False, with nothing appended, where the connection isn't open.
    package func send(
        _ message: RealtimeFrame,
        maskKey: @autoclosure () -> UInt32,
        to output: inout [UInt8]
    ) -> Bool {
        guard state == .open else { return false }
        WebSocketEncoder.append(message, maskKey: role == .client ? maskKey() : nil, to: &output)
        return true
    }

    /// Appends a ping, whose payload is at most 125 bytes.
    ///
    /// - Returns: False, with nothing appended, where the connection isn't open.
    package func sendPing(
        _ payload: [UInt8] = [],
        maskKey: @autoclosure () -> UInt32,
        to control: inout [UInt8]
    ) -> Bool {
        guard state == .open else { return false }
        append(.ping, payload, maskKey(), to: &control)
        return true
    }

    /// Starts the close handshake; write the appended frame after all queued messages, and call
    /// ``closeTimedOut()`` if the peer stays silent.
    ///
    /// - Returns: False, with nothing appended, where the connection isn't open.
    package mutating func requestClose(
        code: Int,
        reason: String,
        maskKey: @autoclosure () -> UInt32,
        to output: inout [UInt8]
    ) -> Bool {
        guard state == .open else { return false }
        let payload = WebSocketCloseCode.payload(code: code, reason: reason)
        append(.close, payload, maskKey(), to: &output)
        state = .closing(code: payload.isEmpty ? 1005 : code, reason: reason)
        return true
    }

    private func append(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8],
        _ maskKey: @autoclosure () -> UInt32,
        to output: inout [UInt8]
    ) {
        let key = role == .client ? maskKey() : nil
        WebSocketEncoder.append(opcode, payload: payload, maskKey: key, to: &output)
    }
}
