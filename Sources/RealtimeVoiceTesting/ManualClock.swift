public import RealtimeVoice
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: RealtimeClock {
    private struct State {
        var now = Duration.zero
        var alarms: [(deadline: Duration, body: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// What the clock shows.
    public var now: Duration { state.withLock { $0.now } }

    /// Keeps `body` until the clock is moved to `deadline`.
    public func wake(at deadline: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.alarms.append((deadline, body)) }
    }

    /// Moves the clock on; whatever falls due on the way is called, in order, at its time.
    public func advance(by step: Duration) {
        let target = now + step
        while let body = nextAlarm(until: target) { body() }
        state.withLock { $0.now = target }
    }

    private func nextAlarm(until target: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.alarms.indices.filter { state.alarms[$0].deadline <= target }
            guard let index = due.min(by: { state.alarms[$0].deadline < state.alarms[$1].deadline })
            else { return nil }
            let alarm = state.alarms.remove(at: index)
            state.now = max(state.now, alarm.deadline)
            return alarm.body
        }
    }
}
