#if os(Linux)

    import CCurl
    import Foundation
    import Glibc
    import Synchronization

    /// The thread that waits for the sockets of a transport and runs their timers.
    ///
    /// Connections act on their sockets themselves, under their own locks; the loop tells them when.
    /// It keeps a connection alive from `start` to its end.
    final class CurlLoop: Sendable {
        /// What other threads ask of the loop.
        private enum Command: Sendable {
            case add(CurlConnection)
            case wake(CurlConnection.ID)
            case remove(CurlConnection.ID)
        }

        private struct Inbox: Sendable {
            var commands: [Command] = []
            var isRunning = false
            /// Nothing starts connections any more: the thread ends with the last one.
            var isStopping = false
        }

        /// What only the loop's thread touches.
        private struct Members {
            var connections: [CurlConnection.ID: CurlConnection] = [:]
            /// The connections that have a deadline, few at any time.
            var deadlines: [CurlConnection.ID: ContinuousClock.Instant] = [:]
            /// Connections that may have more to read than poll can see.
            var ready: Set<CurlConnection.ID> = []

            mutating func forget(_ id: CurlConnection.ID) {
                connections[id] = nil
                deadlines[id] = nil
                ready.remove(id)
            }
        }

        private static let wakeUpID: CurlConnection.ID = 0

        private let poll: Int32
        private let wakeUp: Int32
        private let inbox = Mutex(Inbox())
        private let lastID = Atomic<CurlConnection.ID>(wakeUpID)

        init() {
            poll = epoll_create1(Int32(EPOLL_CLOEXEC))
            wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            control(EPOLL_CTL_ADD, wakeUp, id: Self.wakeUpID, isWriting: false)
        }

        deinit {
            close(poll)
            close(wakeUp)
        }

        func makeID() -> CurlConnection.ID {
            lastID.add(1, ordering: .relaxed).newValue
        }

        // MARK: Called from any thread

        /// Takes a connection whose socket is connected, or that failed, and calls it at once.
        func add(_ connection: CurlConnection) { send(.add(connection)) }
        /// Calls a connection at once.
        func wake(_ id: CurlConnection.ID) { send(.wake(id)) }
        /// Forgets a connection.
        func remove(_ id: CurlConnection.ID) { send(.remove(id)) }

        /// Ends the thread after the last connection.
        func stopWhenIdle() {
            inbox.withLock { $0.isStopping = true }
            interrupt()
        }

        private func send(_ command: Command) {
            let (isFirst, mustStart) = inbox.withLock { inbox in
                let isRunning = inbox.isRunning
                if case .add = command { inbox.isRunning = true }
                // Without a thread there is no connection that could be meant.
                guard inbox.isRunning else { return (false, false) }
                inbox.commands.append(command)
                return (inbox.commands.count == 1, !isRunning)
            }
            if isFirst { interrupt() }
            if mustStart {
                let thread = Thread { self.run() }
                thread.name = "RealtimeVoice"
                thread.start()
            }
        }

        private func interrupt() {
            var one: UInt64 = 1
            unsafe write(wakeUp, &one, 8)
        }

        /// Watches a socket for reading, and for writing on demand.
        func watch(_ socket: Int32, id: CurlConnection.ID) {
            control(EPOLL_CTL_ADD, socket, id: id, isWriting: false)
        }

        func update(_ socket: Int32, id: CurlConnection.ID, isWriting: Bool) {
            control(EPOLL_CTL_MOD, socket, id: id, isWriting: isWriting)
        }

        func unwatch(_ socket: Int32, id: CurlConnection.ID) {
            control(EPOLL_CTL_DEL, socket, id: id, isWriting: false)
        }

        private func control(
            _ operation: Int32,
            _ socket: Int32,
            id: CurlConnection.ID,
            isWriting: Bool
        ) {
            let events = EPOLLIN.rawValue | (isWriting ? EPOLLOUT.rawValue : 0)
            var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: id))
            unsafe epoll_ctl(poll, operation, socket, &event)
        }

        // MARK: On the loop's thread

        private func run() {
            // Reads of TLS may write. Other signals are for threads that the application made.
            blockAllSignals()
            var members = Members()
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                var called = wait(Self.timeout(members))
                called.formUnion(members.ready)
                members.ready = []
                if called.remove(Self.wakeUpID) != nil {
                    called.formUnion(takeCommands(&members))
                }
                for id in called {
                    guard let connection = members.connections[id] else { continue }
                    note(connection.run(buffer: &buffer), id, &members)
                }
                runDeadlines(&members)
                if members.connections.isEmpty, mayEnd() { return }
            }
        }

        /// Waits for sockets and returns whose they are.
        private func wait(_ timeout: Int32) -> Set<CurlConnection.ID> {
            var ids: Set<CurlConnection.ID> = []
            unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
                let count = unsafe epoll_wait(poll, events.baseAddress, 64, timeout)
                for index in 0..<max(0, Int(count)) {
                    unsafe ids.insert(events[index].data.u64)
                }
            }
            return ids
        }

        /// Whether the thread is to end; the next connection then starts another.
        private func mayEnd() -> Bool {
            inbox.withLock { inbox in
                guard inbox.isStopping, inbox.commands.isEmpty else { return false }
                inbox.isRunning = false
                return true
            }
        }

        /// Returns the connections to call.
        private func takeCommands(_ members: inout Members) -> Set<CurlConnection.ID> {
            var count: UInt64 = 0
            unsafe read(wakeUp, &count, 8)
            let commands = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                return inbox.commands
            }
            var called: Set<CurlConnection.ID> = []
            for command in commands {
                switch command {
                case .add(let connection):
                    members.connections[connection.id] = connection
                    called.insert(connection.id)
                case .wake(let id):
                    called.insert(id)
                case .remove(let id):
                    members.forget(id)
                }
            }
            return called
        }

        private func note(
            _ next: CurlConnection.Next,
            _ id: CurlConnection.ID,
            _ members: inout Members
        ) {
            switch next {
            case .forget:
                members.forget(id)
            case .wait(let deadline):
                members.deadlines[id] = deadline
            case .runAgain(let deadline):
                members.deadlines[id] = deadline
                members.ready.insert(id)
            }
        }

        private func runDeadlines(_ members: inout Members) {
            guard !members.deadlines.isEmpty else { return }
            let now = ContinuousClock.now
            for (id, deadline) in members.deadlines where deadline <= now {
                members.deadlines[id] = nil
                guard let connection = members.connections[id] else { continue }
                note(connection.runDeadline(now: now), id, &members)
            }
        }

        private static func timeout(_ members: Members) -> Int32 {
            guard members.ready.isEmpty else { return 0 }
            guard let first = members.deadlines.values.min() else { return -1 }
            let left = (first - ContinuousClock.now) / .milliseconds(1)
            return Int32(min(max(left.rounded(.up), 0), 3_600_000))
        }
    }

#endif
