import Testing

@testable import RealtimeVoice

/// Every state of the row × every input, and what is heard of rows with several items.
struct PlaybackLedgerTests {
    typealias Ledger = PlaybackLedger
    typealias Heard = PlaybackLedger.Heard

    static let one = RealtimeContentID(responseID: "r1", itemID: "i1")
    static let two = RealtimeContentID(responseID: "r1", itemID: "i2")
    static let other = RealtimeContentID(responseID: "r2", itemID: "i3")

    static func milliseconds(_ count: Int) -> Int { count * 48 }

    static func heard(_ content: RealtimeContentID, _ heard: Int, of received: Int) -> Heard {
        Heard(content: content, heardMilliseconds: heard, receivedMilliseconds: received)
    }

    enum Situation: String, CaseIterable {
        case silent
        /// A second of speech came at second 10.
        case audible
        /// The player has told that it played 400 ms of it.
        case reported
        /// It has all been played.
        case drained
        /// It was cut off, and no player has told how far it had come.
        case cut

        func ledger() -> Ledger {
            var ledger = Ledger()
            guard self != .silent else { return ledger }
            ledger.received(one, bytes: milliseconds(1_000), format: .pcm24kHz, now: .seconds(10))
            if self == .reported { ledger.progressed(playedMilliseconds: 400, now: now) }
            if self == .cut { _ = ledger.cut(now: now) }
            return ledger
        }

        /// 600 ms after the audio came, or long after it.
        var now: Duration { self == .drained ? .seconds(60) : .milliseconds(10_600) }
    }

    // MARK: Inputs

    @Test func cuttingTellsWhatWasHeardOrAsks() {
        let expected: [Situation: Ledger.CutAction] = [
            .silent: .doNothing,
            .audible: .awaitReport(estimate: [Self.heard(Self.one, 600, of: 1_000)]),
            .reported: .settle([Self.heard(Self.one, 400, of: 1_000)]),
            .drained: .doNothing,
            .cut: .doNothing,
        ]
        for situation in Situation.allCases {
            var ledger = situation.ledger()
            #expect(ledger.cut(now: situation.now) == expected[situation], "\(situation)")
            #expect(ledger.row == Ledger.Row(), "\(situation)")
            #expect(ledger.contents == [])
            #expect(!ledger.isAudible(now: situation.now))
            let awaits = situation == .audible || situation == .cut
            #expect((ledger.cutOff != nil) == awaits, "\(situation)")
        }
    }

    @Test(arguments: [(-5, 0), (0, 0), (1, 1), (250, 250), (1_000, 1_000), (1 << 40, 1_000)])
    func anInterruptionIsClampedToWhatCame(_ told: Int, _ counted: Int) {
        for situation in Situation.allCases {
            var ledger = situation.ledger()
            // What had been played to its end long before was not interrupted.
            let isHeard = situation != .silent && situation != .drained
            let expected = isHeard ? [Self.heard(Self.one, counted, of: 1_000)] : []
            let now = situation.now
            #expect(
                ledger.interrupted(playedMilliseconds: told, now: now) == expected,
                "\(situation)")
            #expect(ledger.row == Ledger.Row())
            #expect(ledger.cutOff == nil)
            #expect(ledger.interrupted(playedMilliseconds: told, now: now) == [], "a second one")
        }
    }

    @Test func progressIsOfTheRowAndNeverGoesBack() {
        for situation in Situation.allCases {
            var ledger = situation.ledger()
            ledger.progressed(playedMilliseconds: 500, now: .seconds(11))
            ledger.progressed(playedMilliseconds: 300, now: .seconds(12))
            let isEmpty = situation == .silent || situation == .cut
            #expect(ledger.row.reported == (isEmpty ? nil : 500), "\(situation)")
            #expect(ledger.row.reportedAt == (isEmpty ? .zero : .seconds(12)), "\(situation)")
        }
    }

    @Test(arguments: Situation.allCases)
    func itIsAudibleWhileAPlayerMayPlay(_ situation: Situation) {
        let isAudible = situation == .audible || situation == .reported
        #expect(situation.ledger().isAudible(now: situation.now) == isAudible)
        #expect(
            situation.ledger().contents
                == (situation == .silent || situation == .cut ? [] : [Self.one]))
    }

    @Test func audioOfAnotherResponseJoinsTheRowUnlessThatHasDrained() {
        let joined: [Situation: [RealtimeContentID]] = [
            .silent: [Self.other], .audible: [Self.one, Self.other],
            .reported: [Self.one, Self.other], .drained: [Self.other], .cut: [Self.other],
        ]
        for situation in Situation.allCases {
            var ledger = situation.ledger()
            let start = ledger.received(
                Self.other, bytes: Self.milliseconds(100), format: .pcm24kHz, now: situation.now)
            #expect(start == 0)
            #expect(ledger.contents == joined[situation], "\(situation)")
            // In no time at all, no player can have told of what was cut.
            #expect(ledger.cutOff == nil, "\(situation)")
            let from = ledger.contents.count == 2 ? .seconds(11) : situation.now
            #expect(ledger.row.end == from + .milliseconds(100), "\(situation)")
        }
    }

    @Test func aReportOfWhatWasCutMayComeAfterTheNextAnswerBegan() {
        var ledger = Situation.cut.ledger()
        let now = Situation.cut.now + .milliseconds(200)
        ledger.received(Self.other, bytes: Self.milliseconds(100), format: .pcm24kHz, now: now)
        #expect(
            ledger.interrupted(playedMilliseconds: 300, now: now).map(\.content) == [Self.one])
        #expect(ledger.contents == [Self.other])
        var late = Situation.cut.ledger()
        late.received(Self.other, bytes: Self.milliseconds(9_000), format: .pcm24kHz, now: now)
        let afterwards = now + .seconds(2)
        #expect(
            late.interrupted(playedMilliseconds: 300, now: afterwards).map(\.content)
                == [Self.other])
    }

    @Test func audioOfTheSameResponseGoesOnAfterAPause() {
        var ledger = Situation.drained.ledger()
        let start = ledger.received(
            Self.one, bytes: Self.milliseconds(500), format: .pcm24kHz, now: .seconds(60))
        #expect(start == 1_000)
        #expect(
            ledger.interrupted(playedMilliseconds: 1_200, now: .seconds(60))
                == [Self.heard(Self.one, 1_200, of: 1_500)])
    }

    // MARK: Rows of several items

    static func row() -> Ledger {
        var ledger = Ledger()
        for (content, length) in [(one, 1_000), (two, 500), (other, 2_000)] {
            ledger.received(
                content, bytes: milliseconds(length), format: .pcm24kHz, now: .seconds(1))
        }
        return ledger
    }

    @Test(
        arguments: [
            (0, [0, 0, 0]), (999, [999, 0, 0]), (1_000, [1_000, 0, 0]), (1_001, [1_000, 1, 0]),
            (1_500, [1_000, 500, 0]), (2_000, [1_000, 500, 500]), (9_999, [1_000, 500, 2_000]),
        ] as [(Int, [Int])])
    func aPositionIsSharedOutInTheOrderOfPlaying(_ played: Int, _ parts: [Int]) {
        var ledger = Self.row()
        #expect(
            ledger.interrupted(playedMilliseconds: played, now: .seconds(2)) == [
                Self.heard(Self.one, parts[0], of: 1_000), Self.heard(Self.two, parts[1], of: 500),
                Self.heard(Self.other, parts[2], of: 2_000),
            ])
    }

    @Test(
        arguments: [
            ("i1", 200, [200, 0, 0]), ("i2", 100, [1_000, 100, 0]), ("i2", -1, [1_000, 0, 0]),
            ("i3", 5_000, [1_000, 500, 2_000]),
        ] as [(String, Int, [Int])])
    func aPositionWithinAnItemCountsWhatCameBefore(
        _ itemID: String, _ played: Int, _ parts: [Int]
    ) {
        for isCut in [false, true] {
            var ledger = Self.row()
            if isCut { _ = ledger.cut(now: .seconds(1)) }
            let heard = ledger.interrupted(
                itemID: itemID, contentIndex: 0, playedMilliseconds: played, now: .seconds(2))
            #expect(heard.map(\.heardMilliseconds) == parts)
        }
    }

    @Test func anItemThatIsNotAudibleIsNotInterrupted() {
        var ledger = Self.row()
        #expect(
            ledger.interrupted(
                itemID: "unknown", contentIndex: 0, playedMilliseconds: 5, now: .seconds(2)) == [])
        #expect(ledger.contents == [Self.one, Self.two, Self.other])
    }

    @Test func interleavedItemsAreHeardAsTheyCame() {
        var ledger = Ledger()
        for content in [Self.one, Self.two, Self.one, Self.two] {
            ledger.received(
                content, bytes: Self.milliseconds(100), format: .pcm24kHz, now: .zero)
        }
        #expect(
            ledger.interrupted(playedMilliseconds: 250, now: .zero) == [
                Self.heard(Self.one, 150, of: 200), Self.heard(Self.two, 100, of: 200),
            ])
    }

    @Test func twoInterruptionsInARowAreTwo() {
        var ledger = Situation.audible.ledger()
        _ = ledger.cut(now: .milliseconds(10_600))
        ledger.received(
            Self.other, bytes: Self.milliseconds(300), format: .pcm24kHz, now: .seconds(11))
        #expect(
            ledger.cut(now: .milliseconds(11_100))
                == .awaitReport(estimate: [Self.heard(Self.other, 100, of: 300)]))
        #expect(
            ledger.interrupted(playedMilliseconds: 80, now: .seconds(12))
                == [Self.heard(Self.other, 80, of: 300)])
    }

    @Test(
        arguments: [
            (RealtimeAudioFormat.pcm24kHz, 4_800, 100), (.pcm16kHz, 4_800, 150),
            (.init(type: "audio/pcmu"), 800, 100), (.init(type: "audio/pcma"), 804, 100),
            (.pcm24kHz, 4_847, 100),
        ])
    func bytesAreWholeMillisecondsOfTheirFormat(
        _ format: RealtimeAudioFormat, _ bytes: Int, _ expected: Int
    ) {
        var ledger = Ledger()
        ledger.received(Self.one, bytes: bytes, format: format, now: .zero)
        #expect(ledger.receivedMilliseconds(Self.one, format: format) == expected)
        #expect(
            ledger.interrupted(playedMilliseconds: 99_999, now: .zero)
                == [Self.heard(Self.one, expected, of: expected)])
    }

    /// A player's reports are rounded down and may stop before the end: that is no speech
    /// without end, and no reason to wake anybody over and over.
    @Test(
        arguments: [(400, Duration.seconds(13)), (998, .seconds(13)), (999, nil), (1_000, nil)])
    func aReportShortOfTheEndIsNoSpeechForEver(_ played: Int, _ until: Duration?) {
        var ledger = Situation.audible.ledger()
        ledger.progressed(playedMilliseconds: played, now: .milliseconds(10_990))
        #expect(ledger.audibleUntil == until)
        #expect(ledger.isAudible(now: .milliseconds(12_999)) == (until != nil))
        #expect(!ledger.isAudible(now: .seconds(13)))
    }

    @Test(arguments: Situation.allCases)
    func itIsKnownUntilWhenItIsAudible(_ situation: Situation) {
        let expected: Duration? =
            switch situation {
            case .silent, .cut: nil
            case .audible, .drained: .milliseconds(11_300)
            case .reported: .seconds(13)
            }
        #expect(situation.ledger().audibleUntil == expected)
    }
}
