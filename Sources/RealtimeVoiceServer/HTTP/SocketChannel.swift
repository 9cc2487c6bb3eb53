import CMicroHTTPD
import Foundation
import RealtimeVoice
import Synchronization

/// One upgraded connection: the codec over the socket that libmicrohttpd handed over.
///
/// Whoever sends writes straight to the socket where nothing is queued; the loop's thread writes
/// the rest. A client that doesn't read is dropped when the queue has grown too long.
final class SocketChannel: Sendable {
    /// What the channel tells, on the loop's thread.
    struct Handlers: Sendable {
        /// A message; false stops reading until ``SocketChannel/resumeReading()``.
        var received: @Sendable (RealtimeFrame) -> Bool
        /// The connection is over; called once.
        var closed: @Sendable (RealtimeClose) -> Void
        /// The socket was given back; called once, the last.
        var released: @Sendable () -> Void
    }

    private enum Phase {
        case open
        /// Our close frame is out or queued; the peer has until the deadline to answer.
        case closing(deadline: Int)
        /// Over; what is queued still goes out, and the peer's end is awaited until the deadline.
        case lingering(deadline: Int)
        case gone
    }

    private struct State: ~Copyable {
        var codec: WebSocketConnectionMachine
        var queue: [UInt8] = []
        var sent = 0
        var phase = Phase.open
        var isReading = true
        var isShutDown = false
        var waiting: Int { queue.count - sent }
    }

    private static let closeMilliseconds = 2_000

    let handle: Int32
    private let upgrade: Int
    private let handlers: Handlers
    private let maximumQueue: Int
    private let lingerMilliseconds: Int
    private let wakeLoop: @Sendable () -> Void
    private let firstBytes: Mutex<[UInt8]>
    private let state: Mutex<State>

    /// Takes over a socket.
    ///
    /// - Parameters:
    ///   - handle: The socket.
    ///   - upgrade: libmicrohttpd's handle, which closes the socket, as an address.
    ///   - firstBytes: What came behind the request's headers.
    ///   - maximumQueue: The most bytes that may wait for the client.
    ///   - lingerMilliseconds: How long the peer has to end its side.
    ///   - wakeLoop: Makes the loop look at the channel's wishes.
    ///   - handlers: Who is told.
    init(
        handle: Int32,
        upgrade: Int,
        firstBytes: [UInt8],
        maximumQueue: Int,
        lingerMilliseconds: Int,
        wakeLoop: @escaping @Sendable () -> Void,
        handlers: Handlers
    ) {
        self.handle = handle
        self.upgrade = upgrade
        self.handlers = handlers
        self.maximumQueue = maximumQueue
        self.lingerMilliseconds = lingerMilliseconds
        self.wakeLoop = wakeLoop
        self.firstBytes = Mutex(firstBytes)
        state = Mutex(
            State(codec: WebSocketConnectionMachine(role: .server, maximumMessageBytes: 16 << 20)))
        cmhd_prepare(handle)
    }

    // MARK: Any thread

    /// Sends a text message; does nothing where the connection is over.
    func send(_ event: JSONValue) {
        let frame = RealtimeFrame(kind: .text, bytes: event.serializedBytes())
        let mustWake = state.withLock { state in
            guard state.codec.send(frame, maskKey: 0, to: &state.queue) else { return false }
            if flush(&state) == .broken || state.waiting > maximumQueue {
                // Nothing reaches this client in time any more.
                state.phase = .gone
            }
            return state.waiting > 0
        }
        if mustWake { wakeLoop() }
    }

    /// Starts the close handshake behind what is queued.
    func close(code: Int, reason: String) {
        state.withLock { state in
            guard
                state.codec.requestClose(
                    code: code, reason: reason, maskKey: 0, to: &state.queue)
            else { return }
            if case .open = state.phase {
                state.phase = .closing(deadline: SocketLoop.now() + Self.closeMilliseconds)
            }
            if flush(&state) == .broken { state.phase = .gone }
        }
        wakeLoop()
    }

    /// Reads on after a message that could not be taken at once.
    func resumeReading() {
        state.withLock { $0.isReading = true }
        wakeLoop()
    }

    // MARK: The loop's thread

    /// What to poll for, and until when.
    func wishes() -> (events: Int16, deadline: Int?) {
        let hasFirstBytes = firstBytes.withLock { !$0.isEmpty }
        return state.withLock { state in
            var events: Int32 = 0
            if state.isReading { events |= Int32(POLLIN) }
            if state.waiting > 0 { events |= Int32(POLLOUT) }
            switch state.phase {
            case .open: return (Int16(events), hasFirstBytes && state.isReading ? 0 : nil)
            case .gone: return (Int16(events), 0)
            case .closing(let deadline), .lingering(let deadline):
                return (Int16(events), deadline)
            }
        }
    }

    /// Whether the socket can be given back.
    var isGone: Bool {
        state.withLock { state in
            if case .gone = state.phase { true } else { false }
        }
    }

    /// Gives the socket back, which closes it.
    func release() {
        report(state.withLock { $0.codec.receiveEndOfFile() })
        unsafe cmhd_close_upgraded(OpaquePointer(bitPattern: upgrade))
        handlers.released()
    }

    /// Reads and writes what is possible, and looks at the deadlines.
    func handleReadiness(_ readiness: Int16, now: Int) {
        let first = firstBytes.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        if !first.isEmpty { receive(first) }
        if readiness & Int16(POLLIN | POLLHUP | POLLERR) != 0 { read(now: now) }
        let ended = state.withLock { state -> RealtimeClose? in
            if state.waiting > 0, flush(&state) == .broken { state.phase = .gone }
            return advance(&state, now: now)
        }
        report(ended)
    }

    private func advance(_ state: inout State, now: Int) -> RealtimeClose? {
        switch state.phase {
        case .open, .gone: return nil
        case .closing(let deadline):
            guard now >= deadline else { return nil }
            state.phase = .gone
            return state.codec.closeTimedOut()
        case .lingering(let deadline):
            if state.waiting == 0, !state.isShutDown {
                cmhd_shutdown(handle)
                state.isShutDown = true
            }
            if now >= deadline { state.phase = .gone }
            return nil
        }
    }

    private func read(now: Int) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // One turn each: a busy client must not starve the others.
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe cmhd_receive(handle, bytes.baseAddress, bytes.count)
        }
        if count > 0 {
            receive(Array(buffer.prefix(count)))
        } else if count == 0 || count == -2 {
            report(
                state.withLock { state in
                    state.phase = .gone
                    return state.codec.receiveEndOfFile()
                })
        }
    }

    private func receive(_ bytes: [UInt8]) {
        var frames: [RealtimeFrame] = []
        let ended = state.withLock { state in
            let ended = decode(bytes, &state, into: &frames)
            if ended != nil {
                state.phase = .lingering(deadline: SocketLoop.now() + lingerMilliseconds)
            }
            if state.waiting > 0, flush(&state) == .broken { state.phase = .gone }
            return ended
        }
        for frame in frames {
            // Before the frame is handed over: who takes it may make room, and say so, at once.
            state.withLock { $0.isReading = false }
            if handlers.received(frame) { state.withLock { $0.isReading = true } }
        }
        report(ended)
    }

    private func decode(
        _ bytes: [UInt8],
        _ state: inout State,
        into frames: inout [RealtimeFrame]
    ) -> RealtimeClose? {
        unsafe bytes.withUnsafeBytes { input in
            var rest = unsafe input
            while true {
                // Control frames stand behind the data frames that are queued: between frames.
                switch unsafe state.codec.receive(&rest, maskKey: 0, control: &state.queue) {
                case .readMore: return nil
                case .deliver(let frame): frames.append(frame)
                case .reportPong, .writeControl: continue
                case .finish(let close): return close
                }
            }
        }
    }

    private func report(_ close: RealtimeClose?) {
        if let close { handlers.closed(close) }
    }

    // MARK: Writing

    private enum FlushResult { case done, full, broken }

    private func flush(_ state: inout State) -> FlushResult {
        while state.waiting > 0 {
            let sent = state.sent
            let count = unsafe state.queue.withUnsafeBytes { bytes in
                unsafe cmhd_send(
                    handle, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent)
            }
            if count < 0 { return .broken }
            if count == 0 { break }
            state.sent += count
        }
        if state.waiting == 0 {
            state.queue.removeAll(keepingCapacity: state.queue.capacity < 65_536)
            state.sent = 0
            return .done
        }
        if state.sent > 1 << 20 {
            state.queue.removeFirst(state.sent)
            state.sent = 0
        }
        return .full
    }
}
