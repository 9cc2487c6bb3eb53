import Testing

@testable import RealtimeVoice

/// Every state × every input of a connection's life.
struct ConnectionLifeTests {
    typealias Life = ConnectionLife

    static let time = Duration.seconds(5)
    static let opening = Life.State.opening(deadline: .seconds(25))
    static let awaiting = Life.State.awaitingSession(deadline: .seconds(12))
    static let configuring = Life.State.configuring(deadline: .seconds(12))
    static let error = RealtimeError(.provider, "no such model")

    enum Situation: String, CaseIterable {
        case idle
        case opening
        case awaitingSession
        case configuring
        case ready
        case over

        func life() -> Life {
            var life = Life(
                moment: self == .configuring ? .onOpen : .onSessionCreated,
                setupTimeout: .seconds(7))
            guard self != .idle else { return life }
            life.started(openTimeout: .seconds(15), now: time)
            guard self != .opening else { return life }
            _ = life.opened(now: time)
            if self == .ready { _ = life.sessionUpdated() }
            if self == .over { life.closed() }
            return life
        }

        var state: Life.State {
            switch self {
            case .idle: .idle
            case .opening: ConnectionLifeTests.opening
            case .awaitingSession: awaiting
            case .configuring: ConnectionLifeTests.configuring
            case .ready: .ready
            case .over: .over
            }
        }
    }

    private func check(
        _ expected: [Situation: (Life.Action, Life.State)],
        _ input: (inout Life) -> Life.Action, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for situation in Situation.allCases {
            var life = situation.life()
            #expect(life.state == situation.state, sourceLocation: sourceLocation)
            let (action, state) = expected[situation] ?? (.doNothing, situation.state)
            #expect(input(&life) == action, "\(situation)", sourceLocation: sourceLocation)
            #expect(life.state == state, "\(situation)", sourceLocation: sourceLocation)
            #expect(life.isReady == (state == .ready), sourceLocation: sourceLocation)
            #expect(life.isOver == (state == .over), sourceLocation: sourceLocation)
        }
    }

    @Test func itStartsOnce() {
        check([.idle: (.doNothing, Self.opening)]) {
            $0.started(openTimeout: .seconds(15), now: Self.time)
            return .doNothing
        }
    }

    @Test func anOpenSocketWaitsForTheSession() {
        check([.opening: (.doNothing, Self.awaiting)]) { $0.opened(now: Self.time) }
    }

    @Test func anOpenSocketIsConfiguredAtOnceWhereNothingIsAnnounced() {
        var life = Life(moment: .onOpen, setupTimeout: .seconds(7))
        life.started(openTimeout: .seconds(15), now: Self.time)
        #expect(life.opened(now: Self.time) == .sendConfiguration)
        #expect(life.state == Self.configuring)
        #expect(life.opened(now: Self.time) == .doNothing)
    }

    @Test func anAnnouncedSessionIsConfigured() {
        check([.awaitingSession: (.sendConfiguration, Self.configuring)]) {
            $0.sessionCreated(now: Self.time)
        }
    }

    @Test func aConfirmedConfigurationIsReady() {
        check([
            .awaitingSession: (.becomeReady, .ready), .configuring: (.becomeReady, .ready),
        ]) { $0.sessionUpdated() }
    }

    @Test func anErrorBeforeReadinessIsTheEnd() {
        check([
            .awaitingSession: (.fail(Self.error), .over),
            .configuring: (.fail(Self.error), .over),
        ]) { $0.errorReceived(Self.error) }
    }

    @Test func aClosedSocketIsTheEnd() {
        check(
            Dictionary(
                uniqueKeysWithValues: Situation.allCases.map { ($0, (.doNothing, .over)) })
        ) {
            $0.closed()
            return .doNothing
        }
    }

    @Test func silenceIsTheEnd() {
        func timeout(_ message: String) -> (Life.Action, Life.State) {
            (.fail(RealtimeError(.timeout, message, isRetryable: true)), .over)
        }
        check([
            .opening: timeout("the socket did not open in time"),
            .awaitingSession: timeout("the provider did not announce the session in time"),
            .configuring: timeout("the provider did not confirm the configuration in time"),
        ]) { life in
            guard let deadline = life.deadline else { return life.advance(now: .seconds(999)) }
            #expect(life.advance(now: deadline - .milliseconds(1)) == .doNothing)
            return life.advance(now: deadline)
        }
    }

    @Test(arguments: Situation.allCases)
    func theDeadlineIsThatOfTheStage(_ situation: Situation) {
        let expected: Duration? =
            switch situation {
            case .opening: .seconds(25)
            case .awaitingSession, .configuring: .seconds(12)
            case .idle, .ready, .over: nil
            }
        #expect(situation.life().deadline == expected)
    }
}
