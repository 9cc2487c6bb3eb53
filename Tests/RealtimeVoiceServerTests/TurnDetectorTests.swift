import Testing

@testable import RealtimeVoiceServer

/// Takes a frame as speech where its first sample isn't 0.
private struct MarkedDetector: VoiceActivityDetector {
    let frameSamples = 320
    mutating func isSpeech(_ frame: ArraySlice<Int16>) -> Bool { frame.first != 0 }
}

struct TurnDetectorTests {
    /// Samples for a picture of frames: `#` speech, `.` silence, 20 ms each.
    private func samples(_ picture: String) -> [Int16] {
        picture.flatMap { [Int16](repeating: $0 == "#" ? 1 : 0, count: 320) }
    }

    private func events(
        _ picture: String,
        silence: Int = 100,
        padding: Int = 40,
        maximum: Int = 30_000
    ) -> [TurnDetector.Event] {
        var detector = TurnDetector(
            detector: MarkedDetector(),
            settings: .init(
                prefixPaddingMilliseconds: padding, silenceMilliseconds: silence,
                maximumTurnMilliseconds: maximum))
        return detector.received(samples(picture))
    }

    @Test(
        arguments: [
            ("", []),
            ("..........", []),
            ("..##..##..", []),
            // Padding of two frames before the three that opened the turn.
            ("....###", [.started(start: 2 * 320)]),
            // Padding is clamped to the session's start.
            ("###", [.started(start: 0)]),
            ("###.....", [.started(start: 0), .stopped(end: 8 * 320)]),
            // One stray frame doesn't keep the turn open.
            ("###...#..", [.started(start: 0), .stopped(end: 8 * 320)]),
            // Two do.
            ("###...##..", [.started(start: 0)]),
            (
                "###.....###.....",
                [
                    .started(start: 0), .stopped(end: 8 * 320), .started(start: 6 * 320),
                    .stopped(end: 16 * 320),
                ]
            ),
        ] as [(String, [TurnDetector.Event])])
    func turns(picture: String, expected: [TurnDetector.Event]) {
        #expect(events(picture) == expected)
    }

    @Test func aPauseIsToldBeforeTheTurnCloses() {
        let picture = "###" + String(repeating: ".", count: 15)
        #expect(
            events(picture, silence: 300)
                == [.started(start: 0), .paused, .stopped(end: 18 * 320)])
    }

    @Test func goingOnAfterAPauseIsTold() {
        let picture = "###..........####..............."
        #expect(
            events(picture, silence: 300)
                == [.started(start: 0), .paused, .resumed, .paused, .stopped(end: 32 * 320)])
    }

    @Test func aTurnEndsAtItsMaximumLength() {
        let picture = String(repeating: "#", count: 12)
        #expect(
            events(picture, maximum: 200)
                == [.started(start: 0), .stopped(end: 10 * 320)])
    }

    @Test func theSplitOfTheSamplesChangesNothing() {
        let all = samples("....#####.......###.....")
        var whole = TurnDetector(
            detector: MarkedDetector(), settings: .init(silenceMilliseconds: 100))
        let expected = whole.received(all)
        for size in [1, 7, 319, 320, 321, 1_000] {
            var detector = TurnDetector(
                detector: MarkedDetector(), settings: .init(silenceMilliseconds: 100))
            var found: [TurnDetector.Event] = []
            for start in stride(from: 0, to: all.count, by: size) {
                found += detector.received(Array(all[start..<min(start + size, all.count)]))
            }
            #expect(found == expected)
        }
    }
}

struct StablePrefixTests {
    @Test func wordsAreGivenOutWhenTwoGuessesAgree() {
        var prefix = StablePrefix()
        let guesses = [
            "What", "What's the", "What's the weather.", "What's the weather in Paris",
        ]
        var given = guesses.map { prefix.received($0) }
        given.append(prefix.finished("What's the weather in Paris?"))
        #expect(given == [nil, nil, " What's the", " weather", " in Paris?"])
        #expect(prefix.text == "What's the weather in Paris?")
    }

    @Test func aFinalTextThatDiffersGivesNothing() {
        var prefix = StablePrefix()
        let given = [
            prefix.received("one two three"), prefix.received("one two three"),
            prefix.finished("won too three"),
        ]
        #expect(given == [nil, " one two", nil])
    }
}

struct BandDetectorTests {
    @Test func silenceIsNotSpeech() {
        var detector = BandDetector(threshold: 0.5)
        let silence = [Int16](repeating: 0, count: 320)
        let found = (0..<100).map { _ in detector.isSpeech(silence[...]) }
        #expect(!found.contains(true))
    }

    @Test func aLoudBurstOverQuietIsSpeechUntilItLastsForever() {
        var detector = BandDetector(threshold: 0.5)
        let quiet = [Int16](repeating: 3, count: 320)
        // 640 Hz: inside the second band.
        let loud = (0..<320).map { Int16($0 % 25 < 12 ? 6_000 : -6_000) }
        for _ in 0..<50 { _ = detector.isSpeech(quiet[...]) }
        let found = (0..<400).map { _ in detector.isSpeech(loud[...]) }
        #expect(found.first == true)
        #expect(found.last == false)
    }
}
