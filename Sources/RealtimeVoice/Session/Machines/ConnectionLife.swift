/// The life of one connection: opening, configuring, ready, over.
///
/// Bad input: an event of a stage that is past is harmless; an error while the configuration
/// is unconfirmed, and silence, are the provider's fault and end the connection.
package struct ConnectionLife: Sendable {
    enum State: Sendable, Hashable {
        case idle
        case opening(deadline: Duration)
        /// Open; the provider announces the session before it is configured.
        case awaitingSession(deadline: Duration)
        case configuring(deadline: Duration)
        case ready
        case over
    }

    package enum Action: Sendable, Equatable {
        case doNothing
        case sendConfiguration
        case becomeReady
        case fail(RealtimeError)
    }

    private(set) var state = State.idle
    private let moment: RealtimeConfigurationMoment
    private let setupTimeout: Duration

    package init(moment: RealtimeConfigurationMoment, setupTimeout: Duration) {
        self.moment = moment
        self.setupTimeout = setupTimeout
    }

    package var isReady: Bool { state == .ready }
    package var isOver: Bool { state == .over }

    package mutating func started(openTimeout: Duration, now: Duration) {
        guard state == .idle else { return }
        // The transport has a timeout of its own; this one is for a transport that forgets.
        state = .opening(deadline: now + openTimeout + .seconds(5))
    }

    package mutating func opened(now: Duration) -> Action {
        guard case .opening = state else { return .doNothing }
        switch moment {
        case .onOpen:
            state = .configuring(deadline: now + setupTimeout)
            return .sendConfiguration
        case .onSessionCreated:
            state = .awaitingSession(deadline: now + setupTimeout)
            return .doNothing
        }
    }

    package mutating func sessionCreated(now: Duration) -> Action {
        guard case .awaitingSession = state else { return .doNothing }
        state = .configuring(deadline: now + setupTimeout)
        return .sendConfiguration
    }

    package mutating func sessionUpdated() -> Action {
        switch state {
        case .awaitingSession, .configuring:
            state = .ready
            return .becomeReady
        case .idle, .opening, .ready, .over: return .doNothing
        }
    }

    package mutating func errorReceived(_ error: RealtimeError) -> Action {
        switch state {
        case .awaitingSession, .configuring:
            state = .over
            return .fail(error)
        case .idle, .opening, .ready, .over: return .doNothing
        }
    }

    package mutating func closed() { state = .over }

    package var deadline: Duration? {
        switch state {
        case .opening(let deadline), .awaitingSession(let deadline), .configuring(let deadline):
            deadline
        case .idle, .ready, .over: nil
        }
    }

    package mutating func advance(now: Duration) -> Action {
        guard let deadline, now >= deadline else { return .doNothing }
        let stage =
            switch state {
            case .opening: "the socket did not open in time"
            case .awaitingSession: "the provider did not announce the session in time"
            case .idle, .configuring, .ready, .over:
                "the provider did not confirm the configuration in time"
            }
        state = .over
        return .fail(RealtimeError(.timeout, stage, isRetryable: true))
    }
}
