import Synchronization

/// Hands elements from any thread to one consumer; when it is full, the oldest falls out.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State: ~Copyable {
        var elements: [Element] = []
        /// The elements before this index are taken; moving the rest at each step would make
        /// a long queue slow.
        var head = 0
        var size = 0
        var dropped = 0
        var isFinished = false
        var waiter: CheckedContinuation<Element?, Never>?

        mutating func popFirst() -> Element? {
            guard head < elements.count else { return nil }
            let element = elements[head]
            head += 1
            if head > 64, head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
            return element
        }
    }

    private let state = Mutex(State())
    private let limit: Int
    private let size: @Sendable (Element) -> Int

    /// - Parameters:
    ///   - limit: The most that all elements together may measure.
    ///   - size: What one element measures.
    init(limit: Int, size: @escaping @Sendable (Element) -> Int = { _ in 1 }) {
        self.limit = limit
        self.size = size
    }

    /// How much fell out.
    var dropped: Int { state.withLock { $0.dropped } }

    func push(_ element: Element) {
        let waiter: CheckedContinuation<Element?, Never>? = state.withLock { state in
            guard !state.isFinished else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.elements.append(element)
            state.size += size(element)
            while state.size > limit, let oldest = state.popFirst() {
                state.size -= size(oldest)
                state.dropped += size(oldest)
            }
            return nil
        }
        waiter?.resume(returning: element)
    }

    /// Throws away what waits.
    func removeAll() {
        state.withLock { state in
            state.elements = []
            state.head = 0
            state.size = 0
        }
    }

    /// Lets the consumer take what waits, then end.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The next element; nil at the end, when the caller is cancelled, and for a second
    /// consumer while another one waits.
    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Element?? = state.withLock { state in
                    if let element = state.popFirst() {
                        state.size -= size(element)
                        return element
                    }
                    if state.isFinished || state.waiter != nil || Task.isCancelled {
                        return .some(nil)
                    }
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiter
                state.waiter = nil
                return waiter
            }
            waiter?.resume(returning: nil)
        }
    }
}
