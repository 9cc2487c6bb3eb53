import Testing

@testable import RealtimeVoice

/// What the gate does over several inputs; each alone is in `ResponseGateTests`.
struct ResponseGateSequenceTests {
    typealias Tables = ResponseGateTests
    typealias Gate = ResponseGate
    typealias Request = ResponseGate.Request

    @Test func whatWaitsGoesOutInOrderAndPlainWishesAreOne() {
        var gate = Tables.Situation.activeOwn.gate()
        #expect(gate.request(Tables.special, now: Tables.time) == .wait)
        #expect(gate.request(Tables.ours, now: Tables.time) == .wait)
        #expect(gate.request(Tables.next, now: Tables.time) == .merge)
        #expect(gate.responseDone("r1", reason: nil, now: Tables.time) == .send(Tables.special))
        #expect(gate.responseCreated("r2") == .doNothing)
        #expect(gate.responseDone("r2", reason: nil, now: Tables.time) == .send(Tables.ours))
        #expect(gate.responseCreated("r3") == .doNothing)
        #expect(gate.responseDone("r3", reason: nil, now: Tables.time) == .doNothing)
        #expect(gate.isIdle)
    }

    @Test func theSeventeenthWishIsRefused() {
        var gate = Tables.Situation.activeOwn.gate()
        for number in 0..<16 {
            let wish = Request(options: .init(instructions: "\(number)"), eventID: "\(number)")
            #expect(gate.request(wish, now: Tables.time) == .wait)
        }
        #expect(gate.request(Tables.special, now: Tables.time) == .refuse)
    }

    @Test func aCancelledRequestIsNotAskedForAgain() {
        var gate = Tables.Situation.discarded.gate()
        #expect(gate.responseCreated("own") == .sendCancel(responseID: "own"))
        #expect(gate.errorReceived(Tables.busy("ours"), now: Tables.time) == .doNothing)
        #expect(gate.responseDone("own", reason: nil, now: Tables.time) == .doNothing)
        #expect(gate.pending == [])
    }

    @Test(arguments: [true, false])
    func aBargeInDropsOnlyWhatTheProviderWillAnswer(_ answersSpeech: Bool) {
        var gate = Gate(providerAnswersSpeech: answersSpeech)
        _ = gate.responseCreated("r1")
        #expect(gate.request(Tables.ours, now: Tables.time) == .wait)
        #expect(gate.request(Tables.special, now: Tables.time) == .wait)
        let freed = gate.responseDone("r1", reason: "turn_detected", now: Tables.time)
        #expect(freed == .send(answersSpeech ? Tables.special : Tables.ours))
        #expect(gate.pending == (answersSpeech ? [] : [Tables.special]))
    }

    @Test func aRefusedPlainRequestMergesWithAPlainOneThatWaits() {
        var gate = Tables.Situation.requested.gate()
        #expect(gate.request(Tables.next, now: Tables.time) == .wait)
        #expect(gate.errorReceived(Tables.busy("ours"), now: Tables.time) == .doNothing)
        #expect(gate.pending == [Tables.next])
    }

    @Test func theProvidersAnswerToSpeechIsTheOneThatWasWished() {
        var gate = Tables.Situation.answerDue.gate()
        #expect(gate.request(Tables.ours, now: Tables.time) == .wait)
        #expect(gate.responseCreated("r1") == .doNothing)
        #expect(gate.pending == [])
        #expect(gate.responseDone("r1", reason: nil, now: Tables.time) == .doNothing)
    }

    @Test func anAnswerThatCanNotKnowWhatWasAskedLeavesItWaiting() {
        var gate = Tables.Situation.answerDue.gate()
        #expect(gate.request(Tables.ours, now: Tables.time) == .wait)
        #expect(gate.responseCreated("r1", coversPending: false) == .doNothing)
        #expect(gate.responseDone("r1", reason: nil, now: Tables.time) == .send(Tables.ours))
    }

    @Test func whatWaitedForAnAnswerThatNeverCameGoesOut() {
        var gate = Tables.Situation.answerDue.gate()
        #expect(gate.request(Tables.ours, now: Tables.time) == .wait)
        let due = Tables.time + Gate.answerDueTimeout
        #expect(gate.advance(now: due - .milliseconds(1)) == .doNothing)
        #expect(gate.advance(now: due) == .send(Tables.ours))
        #expect(gate.state == .requested(Tables.ours, isDiscarded: false, since: due))
    }

    @Test func aForgottenRequestMakesWayForTheNext() {
        var gate = Tables.Situation.requested.gate()
        #expect(gate.request(Tables.next, now: Tables.time) == .wait)
        let due = Tables.time + Gate.requestTimeout
        #expect(gate.advance(now: due) == .reportTimeout(Tables.ours, then: Tables.next))
        #expect(gate.state == .requested(Tables.next, isDiscarded: false, since: due))
    }

    @Test func aSecondCopyOfAnEndChangesNothing() {
        var gate = Tables.Situation.activeOwn.gate()
        #expect(gate.responseDone("r1", reason: nil, now: Tables.time) == .doNothing)
        #expect(gate.request(Tables.ours, now: Tables.time) == .send(Tables.ours))
        #expect(gate.responseDone("r1", reason: nil, now: Tables.time) == .doNothing)
        #expect(gate.responseCreated("r1") == .doNothing)
        #expect(gate.state == .requested(Tables.ours, isDiscarded: false, since: Tables.time))
        #expect(gate.hasEnded("r1"))
    }

    @Test(
        arguments: [
            ("response_cancel_not_active", "x", true), ("item_not_found", "x", true),
            (nil, "Audio content of 5ms is already shorter than 6ms", true),
            (nil, "Cancellation failed: no active response found", true),
            ("cannot_update_voice", "x", false), (nil, "x", false),
        ] as [(String?, String, Bool)])
    func lostRacesAreNoFailures(_ code: String?, _ message: String, _ isBenign: Bool) {
        let error = RealtimeError(.provider, message, providerCode: code)
        #expect(BenignErrors.contains(error) == isBenign)
    }
}
