import CMicroHTTPD
import Foundation
import Synchronization

/// One thread that reads and writes the upgraded sockets, none of which ever blocks it.
final class SocketLoop: Sendable {
    private let channels = Mutex<[Int32: SocketChannel]>([:])
    private let isStopped = Mutex(false)
    /// A pipe: a byte in it wakes the thread.
    private let wakeReader: Int32
    private let wakeWriter: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        wakeReader = ends[0]
        wakeWriter = ends[1]
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// Starts the thread, which lives until ``stop()``.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "RealtimeVoice.sockets"
        thread.start()
    }

    /// Ends the thread once all sockets are gone.
    func stop() {
        isStopped.withLock { $0 = true }
        wake()
    }

    /// Takes a socket over.
    func add(_ channel: SocketChannel) {
        channels.withLock { $0[channel.handle] = channel }
        wake()
    }

    /// Makes the thread look at the sockets' wishes again.
    func wake() {
        var byte: UInt8 = 1
        _ = unsafe write(wakeWriter, &byte, 1)
    }

    private func run() {
        while true {
            let current = channels.withLock { Array($0.values) }
            if current.isEmpty, isStopped.withLock({ $0 }) { return }
            let now = Self.now()
            var polls = [pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0)]
            var timeout = 60_000
            for channel in current {
                let wishes = channel.wishes()
                polls.append(pollfd(fd: channel.handle, events: wishes.events, revents: 0))
                if let deadline = wishes.deadline { timeout = min(timeout, deadline - now) }
            }
            let count = nfds_t(polls.count)
            _ = unsafe poll(&polls, count, Int32(max(0, timeout)))
            if polls[0].revents != 0 { drainWakes() }
            for (channel, entry) in zip(current, polls.dropFirst()) {
                channel.handleReadiness(entry.revents, now: Self.now())
                if channel.isGone { remove(channel) }
            }
        }
    }

    private func remove(_ channel: SocketChannel) {
        _ = channels.withLock { $0.removeValue(forKey: channel.handle) }
        channel.release()
    }

    private func drainWakes() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while unsafe read(wakeReader, &bytes, 256) == 256 {}
    }

    /// Milliseconds of a steady clock.
    static func now() -> Int {
        Int(DispatchTime.now().uptimeNanoseconds / 1_000_000)
    }
}
