import RealtimeVoice
import Testing

@testable import realtime

/// The player's clock: only time makes audio heard.
struct SimulatedPlayerTests {
    private let first = RealtimeContentID(responseID: "r1", itemID: "a")
    private let second = RealtimeContentID(responseID: "r1", itemID: "b")
    private let next = RealtimeContentID(responseID: "r2", itemID: "c")

    private func audio(_ milliseconds: Int, _ value: Int16 = 1) -> [Int16] {
        [Int16](repeating: value, count: milliseconds)
    }

    /// A player of one sample a millisecond.
    private func player() -> SimulatedPlayer { SimulatedPlayer(rate: 1_000) }

    private func ms(_ value: Int) -> Duration { .milliseconds(value) }

    @Test func positionsFollowTheClockNotWhatCame() {
        var player = player()
        player.enqueue(audio(100), of: first, now: ms(1_000))
        player.enqueue(audio(100), of: first, now: ms(1_001))
        let rows = [(1_000, 0), (1_050, 50), (1_150, 150), (1_200, 200), (9_000, 200)]
        for (now, played) in rows {
            #expect(player.playedMilliseconds(now: ms(now)) == played)
            #expect(player.isIdle(now: ms(now)) == (now >= 1_200))
        }
        #expect(player.receivedSamples == 200)
    }

    @Test func aGapIsNotHeard() {
        var player = player()
        player.enqueue(audio(100), of: first, now: ms(0))
        player.enqueue(audio(100), of: first, now: ms(150))
        #expect(player.playedMilliseconds(now: ms(140)) == 100)
        #expect(player.playedMilliseconds(now: ms(200)) == 150)
        #expect(player.gaps == 1)
    }

    @Test func thePositionRunsOnOverItemsAndOverWhatIsQueuedBehind() {
        var player = player()
        player.enqueue(audio(100), of: first, now: ms(0))
        player.enqueue(audio(100), of: second, now: ms(150))
        player.enqueue(audio(100), of: next, now: ms(200))
        #expect(player.playedMilliseconds(now: ms(300)) == 250)
        #expect(player.stop(items: ["a", "b", "c"], now: ms(300)) == 250)
    }

    @Test func thePositionStartsAgainAfterSilence() {
        var player = player()
        player.enqueue(audio(100), of: first, now: ms(0))
        player.enqueue(audio(100), of: next, now: ms(100))
        #expect(player.rowStart == ms(100))
        #expect(player.stop(items: ["c"], now: ms(130)) == 30)
        #expect(
            player.everythingHeard(now: ms(500)) == [
                .init(itemID: "a", samples: audio(100), start: ms(0)),
                .init(itemID: "c", samples: audio(30), start: ms(100)),
            ])
    }

    @Test func nothingOfAStoppedItemIsHeardAfterwards() {
        var player = player()
        player.enqueue(audio(100), of: first, now: ms(0))
        #expect(player.stop(items: ["a"], now: ms(40)) == 40)
        player.enqueue(audio(100), of: first, now: ms(41))
        #expect(player.isIdle(now: ms(42)))
        #expect(player.lateSamples == 100)
        #expect(player.stop(items: ["a"], now: ms(60)) == nil)
        #expect(player.everythingHeard(now: ms(900)).map(\.samples.count) == [40])
    }

    @Test func theNextAnswerSurvivesAStopThatIsKnownLate() {
        var player = player()
        player.enqueue(audio(100), of: first, now: ms(0))
        player.enqueue(audio(50), of: next, now: ms(20))
        #expect(player.stop(items: ["a"], now: ms(30)) == 30)
        #expect(player.rowStart == ms(30))
        #expect(player.playedMilliseconds(now: ms(60)) == 30)
        #expect(player.isIdle(now: ms(80)))
    }

    @Test func bothSidesStandOnOneTimeLine() {
        var tape = ConversationTape(rate: 1_000)
        tape.recorded(audio(3, 7))
        tape.recorded(audio(1, 8))
        let heard: [SimulatedPlayer.Heard] = [
            .init(itemID: "a", samples: [1, 2], start: ms(1)),
            .init(itemID: "b", samples: [3], start: ms(4)),
        ]
        #expect(tape.stereo(assistant: heard) == [7, 0, 7, 1, 7, 2, 8, 0, 0, 3])
        #expect(tape.assistant(heard) == [1, 2] + audio(500, 0) + [3])
        #expect(ConversationTape().stereo(assistant: []).isEmpty)
    }

    @Test func theSilenceBehindTheLastWordIsNoSpeech() {
        let speech = [Int16](repeating: 9_000, count: 480)
        let samples = speech + [Int16](repeating: 3, count: 24_000)
        #expect(UserTurn.withoutTail(samples).count == 480 + 239)
        let silence = [Int16](repeating: 0, count: 100)
        #expect(UserTurn.withoutTail(silence) == silence)
    }
}
