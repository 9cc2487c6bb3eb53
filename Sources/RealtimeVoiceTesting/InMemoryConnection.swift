public import RealtimeVoice
import Synchronization

/// The server's half of a connection of an ``InMemoryTransport``.
///
/// As an async sequence it is what the client does, in order, up to its end; one consumer. What
/// the server half does after the end is ignored, as it is with a socket.
public final class InMemoryConnection: AsyncSequence, Sendable {
    /// What the client did.
    public enum Element: Sendable, Hashable {
        /// It sent a message.
        case message(RealtimeFrame)
        /// It sent a ping, which is answered.
        case ping
        /// The client closed, and was answered; the last element.
        case close(code: Int, reason: String)
        /// The client dropped the connection; the last element.
        case cancel
    }

    /// Waits for what the client does.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Element>.AsyncIterator

        /// Returns what the client did next, or nil after the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await base.next(isolation: actor)
        }
    }

    private enum Phase: Sendable, Hashable {
        case connecting
        case open
        /// The client's close waits behind its messages.
        case closing
        case ended
    }

    private struct State: Sendable {
        var phase = Phase.connecting
        var isStalled = false
        var held: [Element] = []
        var heldBytes = 0
        var wasHigh = false
    }

    /// What the client asked for.
    public let request: RealtimeConnectRequest
    private let maximumQueuedBytes: Int
    private let state = Mutex(State())
    private let isCancelled = Mutex(false)
    private let actions: AsyncStream<Element>
    private let act: AsyncStream<Element>.Continuation
    private let report: AsyncStream<RealtimeTransportEvent>.Continuation

    init(
        _ request: RealtimeConnectRequest,
        maximumQueuedBytes: Int,
        onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
    ) {
        self.request = request
        self.maximumQueuedBytes = maximumQueuedBytes
        (actions, act) = AsyncStream.makeStream()
        let (events, report) = AsyncStream.makeStream(of: RealtimeTransportEvent.self)
        self.report = report
        // A task of its own, so that no event comes on the stack of a call.
        Task { [weak self] in
            for await event in events {
                guard let self, !self.isCancelled.withLock({ $0 }) else { return }
                onEvent(event)
            }
        }
    }

    /// Starts to wait for what the client does.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: actions.makeAsyncIterator())
    }

    /// Returns what the client did next, or nil after the end.
    public func next() async -> Element? {
        for await element in actions { return element }
        return nil
    }

    // MARK: What the server does

    /// Accepts the connection; a subprotocol that was not offered fails it, as RFC 6455 demands.
    public func accept(subprotocol: String? = nil) {
        state.withLock { state in
            guard state.phase == .connecting else { return }
            guard subprotocol.map(request.subprotocols.contains) ?? true else {
                let message = "The server chose a subprotocol that was not offered."
                return end(&state, .failed(RealtimeError(.handshakeFailed, message)))
            }
            state.phase = .open
            report.yield(.opened(subprotocol: subprotocol))
        }
    }

    /// Refuses the connection.
    public func refuse(_ error: RealtimeError) {
        state.withLock { state in
            guard state.phase == .connecting else { return }
            end(&state, .failed(error))
        }
    }

    /// Sends a message; one over the limit of the client ends the connection with 1009.
    public func send(_ frame: RealtimeFrame) {
        state.withLock { state in
            guard state.phase == .open || state.phase == .closing else { return }
            guard frame.bytes.count <= request.maximumMessageBytes else {
                let reason = "message too large"
                return end(&state, .closed(.init(code: 1009, reason: reason, isClean: false)))
            }
            report.yield(.received(frame))
        }
    }

    /// Closes the connection; the client answers.
    public func close(code: Int = 1000, reason: String = "") {
        state.withLock { state in
            guard state.phase == .open || state.phase == .closing else { return }
            end(&state, .closed(.init(code: code, reason: reason, isClean: true)))
        }
    }

    /// Ends the connection without a close frame, like a lost network.
    public func drop() {
        state.withLock { state in
            guard state.phase == .open || state.phase == .closing else { return }
            end(&state, .closed(.init(code: 1006, isClean: false)))
        }
    }

    /// Stops taking what the client sends, so that its queue grows.
    public func stall() {
        state.withLock { $0.isStalled = true }
    }

    /// Takes what the client sends again, first what waits.
    public func resume() {
        state.withLock { state in
            state.isStalled = false
            let held = state.held
            state.held = []
            state.heldBytes = 0
            for element in held {
                take(element, &state)
            }
            if state.wasHigh, state.phase == .open { report.yield(.drained) }
            state.wasHigh = false
        }
    }

    // MARK: What the client does

    func clientSends(_ frame: RealtimeFrame) throws(RealtimeError) {
        try state.withLock { state throws(RealtimeError) in
            guard state.phase == .open else {
                throw RealtimeError(.notConnected, "The WebSocket is not open.")
            }
            guard state.heldBytes + frame.bytes.count <= maximumQueuedBytes else {
                throw RealtimeError(.queueFull, "The send queue is full.", isRetryable: true)
            }
            if state.isStalled {
                state.heldBytes += frame.bytes.count
                state.wasHigh = state.wasHigh || state.heldBytes > request.highWaterMark
            }
            take(.message(frame), &state)
        }
    }

    func clientPings() {
        state.withLock { state in
            guard state.phase == .open else { return }
            take(.ping, &state)
        }
    }

    var queuedBytes: Int {
        state.withLock { $0.heldBytes }
    }

    func clientCloses(code: Int, reason: String) {
        state.withLock { state in
            switch state.phase {
            case .connecting:
                let message = "Closed before the WebSocket was open."
                end(&state, .failed(RealtimeError(.cancelled, message)))
            case .open:
                state.phase = .closing
                take(.close(code: code, reason: reason), &state)
            case .closing, .ended:
                return
            }
        }
    }

    func clientCancels() {
        isCancelled.withLock { $0 = true }
        state.withLock { state in
            guard state.phase != .ended else { return }
            act.yield(.cancel)
            end(&state, nil)
        }
    }

    // MARK: Under the lock

    private func take(_ element: Element, _ state: inout State) {
        guard !state.isStalled else {
            state.held.append(element)
            return
        }
        act.yield(element)
        switch element {
        case .ping:
            report.yield(.pong)
        case .close(let code, let reason):
            end(&state, .closed(.init(code: code, reason: reason, isClean: true)))
        case .message, .cancel:
            break
        }
    }

    private func end(_ state: inout State, _ event: RealtimeTransportEvent?) {
        state.phase = .ended
        state.held = []
        state.heldBytes = 0
        if let event { report.yield(event) }
        report.finish()
        act.finish()
    }
}
