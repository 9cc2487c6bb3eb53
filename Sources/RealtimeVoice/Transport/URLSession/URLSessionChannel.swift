import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One WebSocket of a session of its own, which keeps it alive until the end.
///
/// Every callback of the session goes on to `queue`, which is serial, and events come from there.
final class URLSessionChannel: NSObject, RealtimeTransportChannel {
    private enum Phase: Sendable, Hashable {
        case connecting
        case open
        /// `close` was called; the close frame goes out once nothing is queued.
        case closing(code: Int, reason: String, isSent: Bool)
        case ended
    }

    private struct State: Sendable {
        var phase = Phase.connecting
        var session: URLSession?
        var task: URLSessionWebSocketTask?
        var queuedBytes = 0
        var wasHigh = false
    }

    private static let maximumQueuedBytes = 32 << 20
    private static let closeTimeout = DispatchTimeInterval.seconds(5)

    private let subprotocols: [String]
    private let highWaterMark: Int
    private let queue = DispatchQueue(label: "RealtimeVoice.URLSessionChannel")
    private let state = Mutex(State())
    private let onEvent: @Sendable (RealtimeTransportEvent) -> Void

    init(
        _ request: RealtimeConnectRequest,
        onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
    ) {
        subprotocols = request.subprotocols
        highWaterMark = request.highWaterMark
        self.onEvent = onEvent
    }

    func start(_ request: RealtimeConnectRequest) {
        do throws(RealtimeError) {
            try connect(request)
        } catch {
            queue.async { self.finish(.failed(error)) }
        }
    }

    private func connect(_ request: RealtimeConnectRequest) throws(RealtimeError) {
        guard request.certificateAuthorityFile == nil, request.proxy == nil else {
            throw RealtimeError(
                .unsupported,
                "URLSession takes certificates and proxies from the system's settings only."
            )
        }
        // Checks what can't be sent, as on every platform.
        let zeros = [UInt8](repeating: 0, count: 16)
        _ = try WebSocketClientHandshake(request, nonce: zeros)
        var upgrade = URLRequest(url: request.url)
        // It would also end a quiet connection; `queue` watches the time to connect.
        upgrade.timeoutInterval = 7 * 86_400
        for header in request.headers {
            upgrade.addValue(header.value, forHTTPHeaderField: header.name)
        }
        if !request.subprotocols.isEmpty {
            upgrade.setValue(
                request.subprotocols.joined(separator: ", "),
                forHTTPHeaderField: "Sec-WebSocket-Protocol"
            )
        }
        let callbacks = OperationQueue()
        callbacks.maxConcurrentOperationCount = 1
        let session = URLSession(
            configuration: .ephemeral,
            delegate: self,
            delegateQueue: callbacks
        )
        let task = session.webSocketTask(with: upgrade)
        task.maximumMessageSize = request.maximumMessageBytes
        state.withLock { state in
            state.session = session
            state.task = task
        }
        let milliseconds = min(max(request.timeout / .milliseconds(1), 1), 86_400_000)
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds))) { [weak self] in
            self?.connectTimedOut()
        }
        task.resume()
    }

    // MARK: Called from any thread

    func send(_ frame: RealtimeFrame) throws(RealtimeError) {
        let count = frame.bytes.count
        let message: URLSessionWebSocketTask.Message =
            switch frame.kind {
            case .text: .string(String(decoding: frame.bytes, as: UTF8.self))
            case .binary: .data(Data(frame.bytes))
            }
        try state.withLock { state throws(RealtimeError) in
            guard state.phase == .open, let task = state.task else {
                throw RealtimeError(.notConnected, "The WebSocket is not open.")
            }
            guard state.queuedBytes + count <= Self.maximumQueuedBytes else {
                throw RealtimeError(.queueFull, "The send queue is full.", isRetryable: true)
            }
            state.queuedBytes += count
            state.wasHigh = state.wasHigh || state.queuedBytes > highWaterMark
            // Under the lock, so that messages leave in the order of the calls.
            task.send(message) { [weak self] _ in
                self?.queue.async { self?.sent(count) }
            }
        }
    }

    func ping() {
        let task = state.withLock { $0.phase == .open ? $0.task : nil }
        task?.sendPing { [weak self] error in
            guard error == nil else { return }
            self?.queue.async { self?.report(.pong) }
        }
    }

    var queuedBytes: Int {
        state.withLock { $0.queuedBytes }
    }

    func close(code: Int, reason: String) {
        let wasConnecting = state.withLock { state in
            guard state.phase == .open else { return state.phase == .connecting }
            state.phase = .closing(code: code, reason: reason, isSent: false)
            return false
        }
        queue.async {
            if wasConnecting {
                let message = "Closed before the WebSocket was open."
                self.finish(.failed(RealtimeError(.cancelled, message)))
            } else {
                self.sendClose()
            }
        }
        queue.asyncAfter(deadline: .now() + Self.closeTimeout) { [weak self] in
            self?.finish(self?.closed(isClean: false))
        }
    }

    func cancel() {
        end()
    }

    // MARK: On the queue

    private func report(_ event: RealtimeTransportEvent) {
        guard state.withLock({ $0.phase != .ended }) else { return }
        onEvent(event)
    }

    private func sent(_ count: Int) {
        let isDrained = state.withLock { state in
            state.queuedBytes -= count
            guard state.queuedBytes == 0, state.wasHigh else { return false }
            state.wasHigh = false
            return state.phase == .open
        }
        if isDrained { report(.drained) }
        sendClose()
    }

    private func sendClose() {
        let close = state.withLock { state -> (URLSessionWebSocketTask, Int, String)? in
            guard case .closing(let code, let reason, isSent: false) = state.phase,
                state.queuedBytes == 0, let task = state.task
            else { return nil }
            state.phase = .closing(code: code, reason: reason, isSent: true)
            return (task, code, reason)
        }
        guard let (task, code, reason) = close else { return }
        let closeCode = URLSessionWebSocketTask.CloseCode(rawValue: code) ?? .normalClosure
        task.cancel(with: closeCode, reason: Data(reason.utf8))
    }

    private func receive() {
        let task = state.withLock { $0.task }
        task?.receive { [weak self] result in
            self?.queue.async { self?.received(result) }
        }
    }

    private func received(_ result: Result<URLSessionWebSocketTask.Message, any Error>) {
        switch result {
        case .success(.string(let text)):
            report(.received(RealtimeFrame(text)))
            receive()
        case .success(.data(let data)):
            report(.received(RealtimeFrame(kind: .binary, bytes: Array(data))))
            receive()
        case .success:
            receive()
        case .failure(let error as NSError):
            // Everything else comes again as the completion of the task.
            guard error.domain == NSPOSIXErrorDomain, error.code == Int(EMSGSIZE) else { return }
            state.withLock { $0.task }?.cancel(with: .messageTooBig, reason: nil)
            finish(.closed(RealtimeClose(code: 1009, isClean: false)))
        }
    }

    private func connectTimedOut() {
        guard state.withLock({ $0.phase == .connecting }) else { return }
        let message = "The connection was not made in time."
        finish(.failed(RealtimeError(.timeout, message, isRetryable: true)))
    }

    /// The end as this side knows it: our close if there is one, else 1006.
    private func closed(isClean: Bool) -> RealtimeTransportEvent? {
        switch state.withLock({ $0.phase }) {
        case .closing(let code, let reason, _):
            .closed(RealtimeClose(code: code, reason: reason, isClean: isClean))
        case .open: .closed(RealtimeClose(code: 1006, isClean: false))
        case .connecting, .ended: nil
        }
    }

    private func finish(_ event: RealtimeTransportEvent?) {
        guard let event, end() else { return }
        onEvent(event)
    }

    /// Lets go of the session, which holds this object; returns false where that was done.
    @discardableResult
    private func end() -> Bool {
        let ended = state.withLock { state -> (URLSession?, Bool) in
            guard state.phase != .ended else { return (nil, false) }
            state.phase = .ended
            state.task = nil
            state.queuedBytes = 0
            return (state.session.take(), true)
        }
        ended.0?.invalidateAndCancel()
        return ended.1
    }
}

extension URLSessionChannel: URLSessionWebSocketDelegate {
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol subprotocol: String?
    ) {
        let name = subprotocol.flatMap { $0.isEmpty ? nil : $0 }
        queue.async { self.opened(name) }
    }

    private func opened(_ name: String?) {
        guard name.map(subprotocols.contains) ?? true else {
            let message = "The server chose a subprotocol that was not offered."
            return finish(.failed(RealtimeError(.handshakeFailed, message)))
        }
        let isOpen = state.withLock { state in
            guard state.phase == .connecting else { return false }
            state.phase = .open
            return true
        }
        guard isOpen else { return }
        report(.opened(subprotocol: name))
        receive()
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        let text = reason.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let theirs = RealtimeClose(code: closeCode.rawValue, reason: text, isClean: true)
        let isOpen = state.withLock { $0.phase == .open }
        // Behind messages that are still being handed over.
        queue.async { self.finish(isOpen ? .closed(theirs) : self.closed(isClean: true)) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let isConnecting = state.withLock { $0.phase == .connecting }
        let event: RealtimeTransportEvent? =
            isConnecting
            ? .failed(
                URLSessionFailure.make(
                    error,
                    status: (task.response as? HTTPURLResponse)?.statusCode
                )
            )
            : closed(isClean: false)
        queue.async { self.finish(event) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
