#if os(Linux)

    import Foundation
    import Synchronization

    /// One WebSocket over libcurl.
    ///
    /// A thread of its own connects, since name lookup and TLS may take long; the loop's thread does
    /// the upgrade, reads, and writes what had to wait; `send` writes on the caller's thread where
    /// nothing waits. The lock guards everything, libcurl's handle included; nothing is called back
    /// under it.
    final class CurlConnection: RealtimeTransportChannel {
        typealias ID = UInt64

        /// When the loop must call again.
        enum Next: Sendable {
            /// When the socket is ready, or at the deadline.
            case wait(ContinuousClock.Instant?)
            /// At once, after the others' turns.
            case runAgain(ContinuousClock.Instant?)
            case forget
        }

        enum Phase: Sendable, Hashable {
            case connecting
            case handshaking
            /// Open, or waiting for the answer to our close frame.
            case open
            /// The end is reported; the last bytes go out, and the peer may end its side.
            case lingering
            case ended
        }

        struct State: ~Copyable, Sendable {
            var phase = Phase.connecting
            var handle: CurlHandle?
            var socket: Int32 = -1
            var handshake: WebSocketClientHandshake?
            var machine: WebSocketConnectionMachine
            var maskKeys = MaskKeys()
            var queue: WebSocketSendQueue
            var isWatchingWrites = false
            /// The queue emptied after it had been high; not told yet.
            var isDrained = false
            /// A write failed; the loop finds out what the peer said last.
            var isBroken = false
            var deadline: ContinuousClock.Instant?
            /// What waited when the deadline was set: while that shrinks, the peer is alive.
            var queuedAtDeadline = 0
            /// What to report in place of a connection.
            var failure: RealtimeError?
        }

        static let maximumQueuedBytes = 32 << 20
        /// How long the peer may take to end the connection after the last close frame.
        static let lingerTimeout = Duration.seconds(1)

        let id: ID
        let loop: CurlLoop
        /// How long the peer may take to answer our close frame.
        let closeTimeout: Duration
        let state: Mutex<State>
        let isCancelled = Atomic(false)
        let request: RealtimeConnectRequest
        private let onEvent: @Sendable (RealtimeTransportEvent) -> Void

        init(
            _ request: RealtimeConnectRequest,
            loop: CurlLoop,
            closeTimeout: Duration,
            onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
        ) {
            id = loop.makeID()
            self.loop = loop
            self.closeTimeout = closeTimeout
            self.request = request
            self.onEvent = onEvent
            state = Mutex(
                State(
                    machine: WebSocketConnectionMachine(
                        role: .client,
                        maximumMessageBytes: request.maximumMessageBytes
                    ),
                    queue: WebSocketSendQueue(highWaterMark: request.highWaterMark)
                )
            )
        }

        /// Starts the thread that connects.
        func start() {
            let thread = Thread { self.connect() }
            thread.name = "RealtimeVoice connect"
            thread.start()
        }

        /// Reports an event, on the loop's thread only.
        func report(_ event: RealtimeTransportEvent) {
            guard !isCancelled.load(ordering: .acquiring) else { return }
            onEvent(event)
        }

        // MARK: Connecting, on the connection's own thread

        private func connect() {
            blockAllSignals()
            let started = ContinuousClock.now
            do throws(RealtimeError) {
                let handle = try CurlHandle(request)
                var nonce = [UInt8](repeating: 0, count: 16)
                for index in nonce.indices { nonce[index] = .random(in: .min ... .max) }
                let handshake = try WebSocketClientHandshake(request, nonce: nonce)
                let mayConnect = state.withLock { state in
                    guard state.phase == .connecting else { return false }
                    state.handle = handle
                    return true
                }
                guard mayConnect else { return }
                let socket = try handle.connect {
                    state.withLock { $0.phase != .connecting || $0.failure != nil }
                }
                if let socket {
                    begin(handshake, socket, deadline: started + request.timeout)
                }
            } catch {
                state.withLock { state in
                    guard state.phase == .connecting else { return }
                    state.handle = nil
                    state.failure = error
                }
            }
            loop.add(self)
        }

        private func begin(
            _ handshake: consuming WebSocketClientHandshake,
            _ socket: Int32,
            deadline: ContinuousClock.Instant
        ) {
            var handshake = Optional(handshake)
            state.withLock { state in
                guard state.phase == .connecting, let taken = handshake.take() else { return }
                state.queue.append { $0 += taken.requestBytes }
                state.phase = .handshaking
                state.handshake = consume taken
                state.socket = socket
                state.deadline = deadline
                loop.watch(socket, id: id)
            }
        }

        // MARK: Called from any thread

        func send(_ frame: RealtimeFrame) throws(RealtimeError) {
            let isBroken = try state.withLock { state throws(RealtimeError) in
                guard state.phase == .open, !state.isBroken, state.machine.isOpen else {
                    throw RealtimeError(.notConnected, "The WebSocket is not open.")
                }
                guard state.queue.count + frame.bytes.count <= Self.maximumQueuedBytes else {
                    throw RealtimeError(.queueFull, "The send queue is full.", isRetryable: true)
                }
                return state.write(self) { machine, queue, key in
                    _ = queue.append { output in
                        machine.send(frame, maskKey: key(), to: &output)
                    }
                }
            }
            if isBroken { loop.wake(id) }
        }

        func ping() {
            let isBroken = state.withLock { state in
                guard state.phase == .open, !state.isBroken else { return false }
                return state.write(self) { machine, queue, key in
                    _ = queue.appendControl { output in
                        machine.sendPing(maskKey: key(), to: &output)
                    }
                }
            }
            if isBroken { loop.wake(id) }
        }

        var queuedBytes: Int {
            state.withLock { $0.phase == .open ? $0.queue.count : 0 }
        }

        func close(code: Int, reason: String) {
            state.withLock { state in
                switch state.phase {
                case .connecting, .handshaking:
                    state.failure = RealtimeError(
                        .cancelled,
                        "Closed before the WebSocket was open."
                    )
                    state.handle?.wake()
                case .open:
                    guard state.machine.isOpen else { return }
                    _ = state.write(self) { machine, queue, key in
                        _ = queue.append { output in
                            machine.requestClose(
                                code: code,
                                reason: reason,
                                maskKey: key(),
                                to: &output
                            )
                        }
                    }
                    state.setDeadline(after: closeTimeout)
                case .lingering, .ended:
                    return
                }
            }
            loop.wake(id)
        }

        func cancel() {
            isCancelled.store(true, ordering: .releasing)
            let handle = state.withLock { state in
                let isConnecting = state.phase == .connecting
                state.handle?.wake()
                // While its own thread connects with the handle, that thread drops it.
                let handle = state.end(self)
                return isConnecting ? nil : handle
            }
            withExtendedLifetime(handle) { loop.remove(id) }
        }
    }

#endif
