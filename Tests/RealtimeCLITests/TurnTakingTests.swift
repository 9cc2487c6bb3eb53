import Foundation
import RealtimeVoice
import Testing

@testable import realtime

/// Who speaks when: a table of times and events.
struct TurnTakingTests {
    private typealias Action = TurnTaking.Action
    private let raw = RealtimeRawPayload.none

    private func ms(_ value: Int) -> Duration { .milliseconds(value) }

    private func created(_ id: String) -> RealtimeServerEvent {
        .responseCreated(responseID: id, isOutOfBand: false, metadata: [:], raw: raw)
    }

    private func done(
        _ id: String, _ status: RealtimeResponse.Status = .completed, calls: Bool = false
    ) -> RealtimeServerEvent {
        let call = RealtimeItem(
            id: "f", kind: .functionCall(callID: "c", name: "getTime", arguments: "{}"))
        return .responseDone(
            RealtimeResponse(id: id, status: status, output: calls ? [call] : []), raw: raw)
    }

    private func audio(_ id: String) -> RealtimeServerEvent {
        .audioDelta(
            RealtimeContentID(responseID: id, itemID: "i"), audio: Data(), format: nil, raw: raw)
    }

    /// What happens at a time, but for the silence that is sent.
    private func tick(
        _ taking: inout TurnTaking, _ now: Int, idle: Bool = true, heard: Int? = nil
    ) -> [Action] {
        taking.ticked(now: ms(now), isPlayerIdle: idle, firstHeard: heard.map(ms)).filter {
            if case .sendSilence = $0 { false } else { true }
        }
    }

    /// Two turns of 30 ms, the first spoken to its end at 410 ms.
    private func spoken(_ rules: TurnTaking.Rules = TurnTaking.Rules()) -> TurnTaking {
        var taking = TurnTaking(lengths: [720, 720], rules: rules)
        _ = tick(&taking, 390)
        _ = tick(&taking, 440)
        return taking
    }

    @Test func theMicrophoneSendsAllThatIsDue() {
        var taking = TurnTaking(lengths: [720], rules: TurnTaking.Rules())
        #expect(
            taking.ticked(now: ms(65), isPlayerIdle: true, firstHeard: nil)
                == [.sendSilence(480), .sendSilence(480), .sendSilence(480)])
        #expect(taking.microphoneSamples == 1_440)
        _ = tick(&taking, 390)
        #expect(
            tick(&taking, 445) == [
                .turnBegan(0), .sendSpeech(turn: 0, range: 0..<480, silence: 0),
                .sendSpeech(turn: 0, range: 480..<720, silence: 240), .speechEnded(0),
            ])
        #expect(taking.times[0].speechEnded == ms(410))
        #expect(tick(&taking, 500) == [])
    }

    @Test func theNextTurnWaitsUntilTheAnswerWasPlayed() {
        var taking = spoken()
        taking.received(created("r"), now: ms(900))
        taking.received(audio("r"), now: ms(1_000))
        taking.received(done("r"), now: ms(1_200))
        #expect(tick(&taking, 1_900, idle: false, heard: 1_010) == [])
        #expect(tick(&taking, 1_950) == [])
        #expect(tick(&taking, 2_000) == [.turnOver(0, wasAnswered: true)])
        #expect(taking.times[0].firstOutput == ms(1_000))
        #expect(taking.times[0].firstHeard == ms(1_010))
        #expect(tick(&taking, 2_390) == [])
        #expect(tick(&taking, 2_400).first == .turnBegan(1))
    }

    @Test func aToolCallIsNoAnswerYet() {
        var taking = spoken()
        taking.received(created("r"), now: ms(900))
        taking.received(done("r", calls: true), now: ms(950))
        #expect(tick(&taking, 3_000) == [])
        taking.received(created("s"), now: ms(3_100))
        #expect(tick(&taking, 3_300) == [])
        taking.received(done("s"), now: ms(3_400))
        #expect(tick(&taking, 3_500) == [.turnOver(0, wasAnswered: true)])
    }

    @Test func aCancelledResponseIsNoAnswer() {
        var taking = spoken()
        taking.received(created("r"), now: ms(900))
        taking.received(done("r", .cancelled), now: ms(950))
        #expect(tick(&taking, 2_000) == [])
        #expect(tick(&taking, 15_900) == [])
        #expect(tick(&taking, 15_960) == [.turnOver(0, wasAnswered: false)])
    }

    @Test func aResponseToTheTurnBeforeIsNoAnswer() {
        var taking = TurnTaking(lengths: [720], rules: TurnTaking.Rules())
        _ = tick(&taking, 390)
        taking.received(created("old"), now: ms(395))
        _ = tick(&taking, 440)
        taking.received(audio("old"), now: ms(450))
        taking.received(done("old"), now: ms(460))
        #expect(taking.times[0].firstOutput == nil)
        #expect(tick(&taking, 1_000) == [])
    }

    @Test func speakingOverBeginsTheNextTurnWhileTheAnswerIsHeard() {
        for pushesToTalk in [false, true] {
            var rules = TurnTaking.Rules()
            rules.bargeInAfter = ms(600)
            rules.pushesToTalk = pushesToTalk
            var taking = spoken(rules)
            taking.received(created("r"), now: ms(900))
            taking.received(audio("r"), now: ms(1_000))
            #expect(tick(&taking, 1_600, idle: false, heard: 1_010) == [])
            let actions = tick(&taking, 1_610, idle: false, heard: 1_010)
            let expected: [Action] = pushesToTalk ? [.stopAnswer, .turnBegan(1)] : [.turnBegan(1)]
            #expect(Array(actions.prefix(expected.count)) == expected)
            #expect(taking.times[0].wasInterrupted)
        }
    }

    @Test func pushToTalkCommitsTheTurn() {
        var rules = TurnTaking.Rules()
        rules.pushesToTalk = true
        var taking = TurnTaking(lengths: [480], rules: rules)
        _ = tick(&taking, 390)
        #expect(tick(&taking, 420).suffix(2) == [.speechEnded(0), .commitTurn])
    }

    @Test func theLastTurnEndsTheConversation() {
        var taking = TurnTaking(lengths: [480], rules: TurnTaking.Rules())
        _ = tick(&taking, 390)
        _ = tick(&taking, 420)
        taking.received(created("r"), now: ms(500))
        taking.received(done("r", .failed), now: ms(600))
        #expect(tick(&taking, 700) == [.turnOver(0, wasAnswered: true), .finish])
        #expect(tick(&taking, 900) == [])
    }
}
