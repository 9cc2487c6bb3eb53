#if os(Linux)

    import Foundation
    import Synchronization

    /// What the loop's thread does with a connection.
    extension CurlConnection {
        /// What came of one look at the socket.
        struct Step: Sendable {
            var events: [RealtimeTransportEvent] = []
            /// Closed when the lock is no longer held, since closing TLS writes.
            var finishedHandle: CurlHandle?
            var next = Next.wait(nil)
        }

        /// How many buffers one connection may read before the others' turns.
        private static let maximumReads = 16

        /// Writes what waits, reads what is there, and reports.
        func run(buffer: inout [UInt8]) -> Next {
            for _ in 0..<Self.maximumReads {
                let next = report(state.withLock { $0.step(self, &buffer) })
                guard case .runAgain = next else { return next }
            }
            return .runAgain(state.withLock { $0.deadline })
        }

        /// Acts on the deadline.
        func runDeadline(now: ContinuousClock.Instant) -> Next {
            report(state.withLock { $0.passDeadline(self, now: now) })
        }

        private func report(_ step: Step) -> Next {
            for event in step.events {
                report(event)
            }
            return step.next
        }
    }

    extension CurlConnection.State {
        // MARK: Writing

        /// Queues frames, and writes them at once where nothing waits.
        ///
        /// Returns whether the connection broke, which the loop must look into.
        mutating func write(
            _ owner: CurlConnection,
            _ append: (
                inout WebSocketConnectionMachine,
                inout WebSocketSendQueue,
                _ maskKey: () -> UInt32
            ) -> Void
        ) -> Bool {
            let isWaiting = !queue.isEmpty
            append(&machine, &queue) { maskKeys.next() }
            if !isWaiting { flush(owner) }
            return isBroken
        }

        private mutating func flush(_ owner: CurlConnection) {
            guard let handle, !isBroken, !queue.isEmpty else { return }
            let result = unsafe queue.flush { unsafe handle.send($0) }
            switch result {
            case .empty(let wasHigh):
                isDrained = isDrained || wasHigh
            case .blocked:
                break
            case .failed:
                isBroken = true
            }
            let mustWatch = result == .blocked
            guard mustWatch != isWatchingWrites else { return }
            isWatchingWrites = mustWatch
            owner.loop.update(socket, id: owner.id, isWriting: mustWatch)
        }

        mutating func setDeadline(after duration: Duration) {
            deadline = .now + duration
            queuedAtDeadline = queue.count
        }

        // MARK: The end

        /// Lets go of the connection; the handle is for the caller to drop outside the lock.
        mutating func end(_ owner: CurlConnection) -> CurlHandle? {
            guard phase != .ended else { return nil }
            phase = .ended
            deadline = nil
            handshake = nil
            queue = WebSocketSendQueue(highWaterMark: owner.request.highWaterMark)
            if socket >= 0 {
                owner.loop.unwatch(socket, id: owner.id)
                socket = -1
            }
            return handle.take()
        }

        private mutating func end(
            _ owner: CurlConnection,
            _ event: RealtimeTransportEvent?,
            _ step: inout CurlConnection.Step
        ) {
            if let event { step.events.append(event) }
            step.finishedHandle = end(owner)
            step.next = .forget
        }

        // MARK: Reading

        /// Writes what waits and reads one buffer.
        mutating func step(_ owner: CurlConnection, _ buffer: inout [UInt8]) -> CurlConnection.Step
        {
            var step = CurlConnection.Step()
            switch phase {
            case .connecting, .handshaking:
                if let failure {
                    end(owner, .failed(failure), &step)
                } else if phase == .handshaking {
                    read(owner, &buffer, &step)
                }
            case .open, .lingering:
                read(owner, &buffer, &step)
            case .ended:
                step.next = .forget
            }
            return step
        }

        private mutating func read(
            _ owner: CurlConnection,
            _ buffer: inout [UInt8],
            _ step: inout CurlConnection.Step
        ) {
            guard let handle else { return }
            flush(owner)
            reportDrained(&step)
            switch unsafe buffer.withUnsafeMutableBytes({ unsafe handle.receive($0) }) {
            case .read(let count):
                // A short read emptied a plain socket; TLS may hold more than poll can see.
                if handle.isSecure || count == buffer.count { step.next = .runAgain(nil) }
                unsafe buffer.withUnsafeBytes { bytes in
                    unsafe receive(.init(rebasing: bytes[..<count]), owner, &step)
                }
                flush(owner)
                reportDrained(&step)
            case .wouldBlock where !isBroken:
                break
            case .wouldBlock, .endOfFile:
                receiveEndOfFile(owner, &step)
            }
            switch step.next {
            case .wait: step.next = .wait(deadline)
            case .runAgain: step.next = .runAgain(deadline)
            case .forget: break
            }
        }

        private mutating func reportDrained(_ step: inout CurlConnection.Step) {
            guard isDrained, phase == .open else { return }
            isDrained = false
            step.events.append(.drained)
        }

        private mutating func receive(
            _ bytes: UnsafeRawBufferPointer,
            _ owner: CurlConnection,
            _ step: inout CurlConnection.Step
        ) {
            var input = unsafe bytes
            if phase == .handshaking {
                do throws(RealtimeError) {
                    let progress = try unsafe handshake?.receive(&input)
                    guard case .open(let subprotocol) = progress else { return }
                    handshake = nil
                    phase = .open
                    deadline = nil
                    step.events.append(.opened(subprotocol: subprotocol))
                } catch {
                    end(owner, .failed(error), &step)
                    return
                }
            }
            while phase == .open {
                let wasOpen = machine.isOpen
                switch unsafe Self.receive(&input, &machine, &queue, &maskKeys) {
                case .readMore:
                    return
                case .deliver(let frame):
                    step.events.append(.received(frame))
                case .reportPong:
                    step.events.append(.pong)
                case .writeControl:
                    break
                case .finish(let close):
                    // Behind our own close frame there may be messages that still want to go out;
                    // the answer to the peer's takes their place.
                    if wasOpen { queue.dropMessages() }
                    phase = .lingering
                    setDeadline(after: CurlConnection.lingerTimeout)
                    step.events.append(.closed(close))
                }
            }
        }

        private static func receive(
            _ input: inout UnsafeRawBufferPointer,
            _ machine: inout WebSocketConnectionMachine,
            _ queue: inout WebSocketSendQueue,
            _ maskKeys: inout MaskKeys
        ) -> WebSocketConnectionMachine.ReceiveAction {
            queue.appendControl { control in
                unsafe machine.receive(
                    &input,
                    maskKey: maskKeys.next(),
                    control: &control
                )
            }
        }

        private mutating func receiveEndOfFile(
            _ owner: CurlConnection,
            _ step: inout CurlConnection.Step
        ) {
            switch phase {
            case .handshaking:
                let error = handshake?.end(.endOfFile)
                end(owner, error.map { .failed($0) }, &step)
            case .open:
                end(owner, machine.receiveEndOfFile().map { .closed($0) }, &step)
            case .connecting, .lingering, .ended:
                end(owner, nil, &step)
            }
        }

        // MARK: Deadlines

        mutating func passDeadline(
            _ owner: CurlConnection,
            now: ContinuousClock.Instant
        ) -> CurlConnection.Step {
            var step = CurlConnection.Step()
            if let deadline, deadline > now {
                step.next = .wait(deadline)
                return step
            }
            switch phase {
            case .handshaking:
                let error = handshake?.end(.timeout)
                end(owner, error.map { .failed($0) }, &step)
            case .open, .lingering:
                // A peer that still takes what waits is slow, not silent.
                if queue.count < queuedAtDeadline {
                    setDeadline(after: owner.closeTimeout)
                    step.next = .wait(deadline)
                } else {
                    end(owner, machine.closeTimedOut().map { .closed($0) }, &step)
                }
            case .connecting, .ended:
                step.next = .forget
            }
            return step
        }
    }

#endif
