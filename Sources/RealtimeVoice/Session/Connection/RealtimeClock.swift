import Synchronization

/// Tells the time and wakes up; tests bring their own.
public protocol RealtimeClock: Sendable {
    /// The time since some moment in the past that stays the same.
    var now: Duration { get }
    /// Calls `body` once, no earlier than `deadline`, on any thread but never on this stack.
    /// Calling it late is harmless; there is no way to cancel it.
    func wake(at deadline: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's clock.
public struct SystemRealtimeClock: RealtimeClock {
    private let origin = ContinuousClock.now

    /// Creates a clock that starts now.
    public init() {}

    /// The time since this value was made.
    public var now: Duration { origin.duration(to: .now) }

    /// Calls `body` once the deadline has passed.
    public func wake(at deadline: Duration, _ body: @escaping @Sendable () -> Void) {
        let instant = origin.advanced(by: deadline)
        Task {
            try? await Task.sleep(until: instant, clock: .continuous)
            body()
        }
    }
}
