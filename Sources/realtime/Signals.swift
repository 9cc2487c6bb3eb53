import Foundation
import Synchronization

/// Ctrl-C and SIGTERM as a call instead of the end of the process. A second one ends it.
final class Signals {
    private final class Inbox: Sendable {
        private struct State {
            var received: Int32?
            var handler: (@Sendable (Int32) -> Void)?
        }

        private let state = Mutex(State())

        func setHandler(_ handler: @escaping @Sendable (Int32) -> Void) {
            let received = state.withLock { state in
                state.handler = handler
                return state.received
            }
            if let received { handler(received) }
        }

        func arrived(_ number: Int32) {
            let handler = state.withLock { state in
                if state.received == nil { state.received = number }
                return state.handler
            }
            handler?(number)
        }
    }

    private static let numbers = [SIGINT, SIGTERM]

    private let inbox = Inbox()
    private let sources: [any DispatchSourceSignal]

    /// Begins to listen.
    init() {
        let queue = DispatchQueue(label: "realtime.signals")
        let inbox = inbox
        sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                signal(number, SIG_DFL)
                inbox.arrived(number)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }

    /// Calls `handler` at each signal, at once if one came before.
    func onSignal(_ handler: @escaping @Sendable (Int32) -> Void) {
        inbox.setHandler(handler)
    }

    /// Waits for a signal.
    func wait() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        onSignal { continuation.yield($0) }
        for await _ in signals { break }
    }
}
