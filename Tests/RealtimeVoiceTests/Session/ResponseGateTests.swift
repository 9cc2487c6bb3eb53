import Testing

@testable import RealtimeVoice

/// Every state × every input of the gate.
struct ResponseGateTests {
    typealias Gate = ResponseGate
    typealias Request = ResponseGate.Request

    static let ours = Request(eventID: "ours")
    static let next = Request(eventID: "next")
    /// A refused request goes out again under an id of its own.
    static let again = Request(eventID: "oursr")
    static let special = Request(options: .init(instructions: "be brief"), eventID: "special")
    static let time = Duration.seconds(100)

    // MARK: States

    enum Situation: String, CaseIterable, CustomTestStringConvertible {
        case idle
        case requested
        case discarded
        case activeOurs
        case activeOwn
        case activeCancelled
        case activeUnnamed
        case userSpeaks
        case answerDue

        var testDescription: String { rawValue }

        /// A fresh gate, driven there.
        func gate() -> Gate {
            var gate = Gate(providerAnswersSpeech: true)
            switch self {
            case .idle: break
            case .requested: _ = gate.request(ours, now: time)
            case .discarded:
                _ = gate.request(ours, now: time)
                _ = gate.cancel()
            case .activeOurs:
                _ = gate.request(ours, now: time)
                _ = gate.responseCreated("r1")
            case .activeOwn: _ = gate.responseCreated("r1")
            case .activeCancelled:
                _ = gate.responseCreated("r1")
                _ = gate.cancel()
            case .activeUnnamed:
                _ = gate.request(ours, now: time)
                _ = gate.errorReceived(busy("ours"), now: time)
            case .userSpeaks: gate.speechStarted(now: time)
            case .answerDue:
                gate.speechStarted(now: time)
                gate.speechStopped(now: time)
            }
            return gate
        }

        var state: Gate.State {
            switch self {
            case .idle, .userSpeaks, .answerDue: .idle
            case .requested: .requested(ours, isDiscarded: false, since: time)
            case .discarded: .requested(ours, isDiscarded: true, since: time)
            case .activeOurs: .active(id: "r1", request: ours, isCancelled: false)
            case .activeOwn: .active(id: "r1", request: nil, isCancelled: false)
            case .activeCancelled: .active(id: "r1", request: nil, isCancelled: true)
            case .activeUnnamed: .active(id: "", request: nil, isCancelled: false)
            }
        }
    }

    static func busy(_ eventID: String?) -> RealtimeError {
        RealtimeError(
            .provider, "busy", providerCode: "conversation_already_has_active_response",
            eventID: eventID)
    }

    static func refusal(_ eventID: String?) -> RealtimeError {
        RealtimeError(.provider, "no", providerCode: "invalid_value", eventID: eventID)
    }

    /// What an input does: the next state, what waits then, and what comes out.
    struct Row<Action: Equatable & Sendable>: Sendable {
        var from: Situation
        var action: Action
        var state: Gate.State
        var pending: [Request] = []

        init(
            _ from: Situation, _ action: Action, _ state: Gate.State, pending: [Request] = []
        ) {
            self.from = from
            self.action = action
            self.state = state
            self.pending = pending
        }
    }

    private func check<Action>(
        _ rows: [Row<Action>], _ input: (inout Gate) -> Action,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(rows.map(\.from) == Situation.allCases, sourceLocation: sourceLocation)
        for row in rows {
            var gate = row.from.gate()
            #expect(
                gate.state == row.from.state, "\(row.from)", sourceLocation: sourceLocation)
            let action = input(&gate)
            #expect(action == row.action, "\(row.from)", sourceLocation: sourceLocation)
            #expect(gate.state == row.state, "\(row.from)", sourceLocation: sourceLocation)
            #expect(gate.pending == row.pending, "\(row.from)", sourceLocation: sourceLocation)
        }
    }

    private static func active(
        _ id: String, _ request: Request? = nil, cancelled: Bool = false
    ) -> Gate.State { .active(id: id, request: request, isCancelled: cancelled) }

    private static func requested(_ request: Request, discarded: Bool = false) -> Gate.State {
        .requested(request, isDiscarded: discarded, since: time)
    }

    // MARK: Inputs

    @Test func aRequestGoesOutOnlyWhereNothingIsUnderWay() {
        typealias R = Row<Gate.RequestAction>
        check([
            R(.idle, .send(Self.next), Self.requested(Self.next)),
            R(.requested, .wait, Self.requested(Self.ours), pending: [Self.next]),
            R(.discarded, .wait, Self.requested(Self.ours, discarded: true), pending: [Self.next]),
            R(.activeOurs, .wait, Self.active("r1", Self.ours), pending: [Self.next]),
            R(.activeOwn, .wait, Self.active("r1"), pending: [Self.next]),
            R(.activeCancelled, .wait, Self.active("r1", cancelled: true), pending: [Self.next]),
            R(.activeUnnamed, .merge, Self.active(""), pending: [Self.again]),
            R(.userSpeaks, .wait, .idle, pending: [Self.next]),
            R(.answerDue, .wait, .idle, pending: [Self.next]),
        ]) { $0.request(Self.next, now: Self.time) }
    }

    @Test func aCancelIsSentOnceAndOnlyForWhatRuns() {
        typealias R = Row<Gate.CancelAction>
        let send = Gate.CancelAction.sendCancel(responseID: "r1")
        check([
            R(.idle, .doNothing, .idle),
            R(.requested, .remember, Self.requested(Self.ours, discarded: true)),
            R(.discarded, .remember, Self.requested(Self.ours, discarded: true)),
            R(.activeOurs, send, Self.active("r1", Self.ours, cancelled: true)),
            R(.activeOwn, send, Self.active("r1", cancelled: true)),
            R(.activeCancelled, .doNothing, Self.active("r1", cancelled: true)),
            R(
                .activeUnnamed, .doNothing, Self.active("", cancelled: true),
                pending: [Self.again]),
            R(.userSpeaks, .doNothing, .idle),
            R(.answerDue, .doNothing, .idle),
        ]) { $0.cancel() }
    }

    @Test func aProvidersOwnCancelNeedsNoneOfOurs() {
        for situation in Situation.allCases {
            var gate = situation.gate()
            gate.providerCancels()
            guard case .active = situation.state else {
                #expect(gate.state == situation.state)
                continue
            }
            #expect(gate.cancel() == .doNothing, "\(situation)")
        }
    }

    @Test func createdAnswersARequestOrIsTheProvidersOwn() {
        typealias R = Row<Gate.CreatedAction>
        check([
            R(.idle, .doNothing, Self.active("r2")),
            R(.requested, .doNothing, Self.active("r2", Self.ours)),
            R(
                .discarded, .sendCancel(responseID: "r2"),
                Self.active("r2", cancelled: true)),
            R(.activeOurs, .doNothing, Self.active("r2")),
            R(.activeOwn, .doNothing, Self.active("r2")),
            R(.activeCancelled, .doNothing, Self.active("r2")),
            R(.activeUnnamed, .doNothing, Self.active("r2"), pending: [Self.again]),
            R(.userSpeaks, .doNothing, Self.active("r2")),
            R(.answerDue, .doNothing, Self.active("r2")),
        ]) { $0.responseCreated("r2") }
    }

    @Test func doneFreesTheGate() {
        typealias R = Row<Gate.FreedAction>
        check([
            R(.idle, .doNothing, .idle),
            R(.requested, .doNothing, .idle),
            R(.discarded, .doNothing, .idle),
            R(.activeOurs, .doNothing, .idle),
            R(.activeOwn, .doNothing, .idle),
            R(.activeCancelled, .doNothing, .idle),
            R(.activeUnnamed, .send(Self.again), Self.requested(Self.again)),
            R(.userSpeaks, .doNothing, .idle),
            R(.answerDue, .doNothing, .idle),
        ]) { $0.responseDone("r1", reason: nil, now: Self.time) }
    }

    @Test func doneOfAnotherResponseChangesNothing() {
        for situation in [Situation.activeOurs, .activeOwn, .activeCancelled] {
            var gate = situation.gate()
            #expect(gate.responseDone("other", reason: nil, now: Self.time) == .doNothing)
            #expect(gate.state == situation.state)
        }
    }

    @Test func aRefusalOfOursFreesTheGate() {
        typealias R = Row<Gate.FreedAction>
        check([
            R(.idle, .doNothing, .idle),
            R(.requested, .doNothing, .idle),
            R(.discarded, .doNothing, .idle),
            R(.activeOurs, .doNothing, Self.active("r1", Self.ours)),
            R(.activeOwn, .doNothing, Self.active("r1")),
            R(.activeCancelled, .doNothing, Self.active("r1", cancelled: true)),
            R(.activeUnnamed, .doNothing, Self.active(""), pending: [Self.again]),
            R(.userSpeaks, .doNothing, .idle),
            R(.answerDue, .doNothing, .idle),
        ]) { $0.errorReceived(Self.refusal("ours"), now: Self.time) }
    }

    @Test func aBusyProviderMakesOursWait() {
        typealias R = Row<Gate.FreedAction>
        check([
            R(.idle, .doNothing, .idle),
            R(.requested, .doNothing, Self.active(""), pending: [Self.again]),
            R(.discarded, .doNothing, Self.active("", cancelled: true)),
            R(.activeOurs, .doNothing, Self.active("r1"), pending: [Self.again]),
            R(.activeOwn, .doNothing, Self.active("r1")),
            R(.activeCancelled, .doNothing, Self.active("r1", cancelled: true)),
            R(.activeUnnamed, .doNothing, Self.active(""), pending: [Self.again]),
            R(.userSpeaks, .doNothing, .idle),
            R(.answerDue, .doNothing, .idle),
        ]) { $0.errorReceived(Self.busy("ours"), now: Self.time) }
    }

    @Test func anErrorOfSomebodyElsesChangesNothing() {
        for situation in Situation.allCases {
            for error in [Self.refusal("other"), Self.busy("other")] {
                var gate = situation.gate()
                #expect(gate.errorReceived(error, now: Self.time) == .doNothing)
                #expect(gate.state == situation.state, "\(situation)")
            }
        }
    }

    @Test func speechTakesTheFloorOnlyWhereItIsAnswered() {
        for situation in Situation.allCases {
            var gate = situation.gate()
            gate.speechStarted(now: Self.time)
            #expect(gate.floor == .userSpeaks(since: Self.time))
            #expect(gate.state == situation.state)
            gate.speechStopped(now: Self.time)
            #expect(gate.floor == .answerDue(since: Self.time))
        }
        var manual = Gate(providerAnswersSpeech: false)
        manual.speechStarted(now: Self.time)
        #expect(manual.floor == .free)
        manual.speechStopped(now: Self.time)
        #expect(manual.floor == .free)
    }

    @Test func droppedSpeechGivesTheFloorBack() {
        typealias R = Row<Gate.FreedAction>
        check([
            R(.idle, .doNothing, .idle), R(.requested, .doNothing, Self.requested(Self.ours)),
            R(.discarded, .doNothing, Self.requested(Self.ours, discarded: true)),
            R(.activeOurs, .doNothing, Self.active("r1", Self.ours)),
            R(.activeOwn, .doNothing, Self.active("r1")),
            R(.activeCancelled, .doNothing, Self.active("r1", cancelled: true)),
            R(.activeUnnamed, .doNothing, Self.active(""), pending: [Self.again]),
            R(.userSpeaks, .doNothing, .idle), R(.answerDue, .doNothing, .idle),
        ]) { gate in
            let floor = gate.floor
            let action = gate.speechDropped(now: Self.time)
            // What was said before is answered all the same.
            let isDue = floor == .answerDue(since: Self.time)
            #expect(gate.floor == (isDue ? floor : .free))
            return action
        }
        var gate = Situation.userSpeaks.gate()
        #expect(gate.request(Self.ours, now: Self.time) == .wait)
        #expect(gate.speechDropped(now: Self.time) == .send(Self.ours))
    }

    @Test func switchingDetectionOffGivesTheFloorBack() {
        typealias R = Row<Gate.FreedAction>
        check([
            R(.idle, .doNothing, .idle), R(.requested, .doNothing, Self.requested(Self.ours)),
            R(.discarded, .doNothing, Self.requested(Self.ours, discarded: true)),
            R(.activeOurs, .doNothing, Self.active("r1", Self.ours)),
            R(.activeOwn, .doNothing, Self.active("r1")),
            R(.activeCancelled, .doNothing, Self.active("r1", cancelled: true)),
            R(.activeUnnamed, .doNothing, Self.active(""), pending: [Self.again]),
            R(.userSpeaks, .doNothing, .idle), R(.answerDue, .doNothing, .idle),
        ]) { gate in
            let action = gate.turnDetectionChanged(providerAnswersSpeech: false, now: Self.time)
            #expect(gate.floor == .free)
            return action
        }
        var gate = Situation.answerDue.gate()
        #expect(gate.request(Self.special, now: Self.time) == .wait)
        let freed = gate.turnDetectionChanged(providerAnswersSpeech: false, now: Self.time)
        #expect(freed == .send(Self.special))
        // Switched on again, speech takes the floor again.
        _ = gate.turnDetectionChanged(providerAnswersSpeech: true, now: Self.time)
        gate.speechStarted(now: Self.time)
        #expect(gate.floor == .userSpeaks(since: Self.time))
    }

    @Test func aResponseThatNobodyNamesIsForgotten() {
        var gate = Situation.activeUnnamed.gate()
        let due = Self.time + Gate.requestTimeout * 2
        #expect(gate.advance(now: due - .milliseconds(1)) == .doNothing)
        #expect(gate.advance(now: due) == .send(Self.again))
        #expect(gate.state == .requested(Self.again, isDiscarded: false, since: due))
    }

    @Test func anErrorWithoutAnIDIsOursUnlessItSpeaksOfSomethingElse() {
        let others: [RealtimeError] = [
            RealtimeError(.provider, "no", providerCode: "cannot_update_voice"),
            RealtimeError(.provider, "no", providerCode: "x", parameter: "previous_item_id"),
            RealtimeError(.provider, "no", providerCode: "x", parameter: "session.tools"),
            RealtimeError(.provider, "Cancellation failed: no active response found"),
        ]
        for error in others {
            var gate = Situation.requested.gate()
            #expect(gate.errorReceived(error, now: Self.time) == .doNothing)
            #expect(gate.state == Situation.requested.state)
        }
        var gate = Situation.requested.gate()
        #expect(gate.request(Self.next, now: Self.time) == .wait)
        #expect(gate.errorReceived(Self.refusal(nil), now: Self.time) == .send(Self.next))
    }

    @Test func timeFreesWhatTheProviderForgot() {
        typealias R = Row<Gate.AdvanceAction>
        let forgotten = Gate.AdvanceAction.reportTimeout(Self.ours, then: nil)
        check([
            R(.idle, .doNothing, .idle),
            R(.requested, forgotten, .idle),
            R(.discarded, forgotten, .idle),
            R(.activeOurs, .doNothing, Self.active("r1", Self.ours)),
            R(.activeOwn, .doNothing, Self.active("r1")),
            R(.activeCancelled, .doNothing, Self.active("r1", cancelled: true)),
            R(.activeUnnamed, .doNothing, Self.active(""), pending: [Self.again]),
            R(.userSpeaks, .doNothing, .idle),
            R(.answerDue, .doNothing, .idle),
        ]) { $0.advance(now: Self.time + Gate.requestTimeout) }
    }

    @Test(arguments: Situation.allCases)
    func theDeadlineIsWhenTimeMatters(_ situation: Situation) {
        let expected: Duration? =
            switch situation {
            case .requested, .discarded: Self.time + Gate.requestTimeout
            case .activeUnnamed: Self.time + Gate.requestTimeout * 2
            case .userSpeaks: Self.time + Gate.speechTimeout
            case .answerDue: Self.time + Gate.answerDueTimeout
            default: nil
            }
        #expect(situation.gate().deadline == expected)
    }
}
