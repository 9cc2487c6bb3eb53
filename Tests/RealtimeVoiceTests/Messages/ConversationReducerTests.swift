import Testing

@testable import RealtimeVoice

/// Order, parts and endings, whatever the order in which events come.
struct ConversationReducerTests {
    typealias Event = RealtimeServerEvent

    static func content(_ item: String, _ index: Int = 0, _ response: String? = "r")
        -> RealtimeContentID
    { RealtimeContentID(responseID: response, itemID: item, contentIndex: index) }

    static func added(_ id: String, _ role: String, _ placement: RealtimeItemPlacement) -> Event {
        .conversationItemAdded(
            RealtimeItem(
                id: id, kind: .message(role: role, content: []),
                status: role == "user" ? "completed" : "in_progress"),
            placement: placement, raw: .none)
    }

    static func committed(_ id: String, _ placement: RealtimeItemPlacement) -> Event {
        .audioCommitted(itemID: id, placement: placement, raw: .none)
    }

    static func announced(_ id: String, _ response: String = "r") -> Event {
        .outputItemAdded(
            responseID: response,
            RealtimeItem(
                id: id, kind: .message(role: "assistant", content: []), status: "in_progress"),
            raw: .none)
    }

    static func spoken(_ item: String, _ text: String, _ index: Int = 0, _ response: String = "r")
        -> Event
    {
        .audioTranscriptDelta(
            content(item, index, response), delta: text, startMilliseconds: nil, raw: .none)
    }

    static func spokenDone(_ item: String, _ text: String?, _ index: Int = 0) -> Event {
        .audioTranscriptDone(content(item, index), transcript: text, raw: .none)
    }

    static func heardUser(_ item: String, _ text: String) -> Event {
        .inputTranscriptionCompleted(
            content(item, 0, nil), transcript: text, isFinal: true, usage: nil, raw: .none)
    }

    static func done(
        _ status: RealtimeResponse.Status, reason: String? = nil, _ id: String = "r"
    ) -> Event {
        .responseDone(RealtimeResponse(id: id, status: status, reason: reason), raw: .none)
    }

    static func reduce(_ events: [Event]) -> ConversationReducer {
        var reducer = ConversationReducer()
        for event in events { reducer.reduce(event) }
        return reducer
    }

    static func texts(_ reducer: ConversationReducer) -> [String] {
        reducer.messages.map { "\($0.role.rawValue): \($0.text)" }
    }

    static func text(
        _ text: String, _ state: UITextPart.State = .done, unheard: String? = nil
    ) -> UIMessagePart {
        .text(UITextPart(text: text, state: state, unheardText: unheard))
    }

    // MARK: Order

    /// Two turns; the events of each line keep their order, and the lines mix as they like.
    static let lines: [[Event]] = [
        [
            committed("u1", .first), added("u1", "user", .first), announced("a1"),
            added("a1", "assistant", .after("u1")), spoken("a1", "Hi"), spokenDone("a1", "Hi"),
            done(.completed), committed("u2", .after("a1")), added("u2", "user", .after("a1")),
            announced("a2", "s"), added("a2", "assistant", .after("u2")),
            spoken("a2", "Yo", 0, "s"), done(.completed, "s"),
        ],
        [heardUser("u1", "hello")], [heardUser("u2", "again")],
    ]

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func wordsStandWhereTheirAudioWasHoweverLateTheyCome(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var rest = Self.lines.map { Array($0.reversed()) }
        var events: [Event] = []
        while let index = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &dice) {
            if let event = rest[index].popLast() { events.append(event) }
        }
        #expect(
            Self.texts(Self.reduce(events))
                == ["user: hello", "assistant: Hi", "user: again", "assistant: Yo"], "\(seed)")
    }

    @Test func severalUtterancesStandBeforeTheirAnswer() {
        let reducer = Self.reduce([
            Self.committed("u1", .first), Self.committed("u2", .after("u1")),
            Self.announced("a"), Self.added("a", "assistant", .after("u2")),
            Self.spoken("a", "both"), Self.heardUser("u2", "two"), Self.heardUser("u1", "one"),
        ])
        #expect(Self.texts(reducer) == ["user: one", "user: two", "assistant: both"])
    }

    @Test func typedTextShowsAtOnceAndMovesBehindWhatWasBeforeIt() {
        var reducer = Self.reduce([Self.committed("u1", .first)])
        reducer.apply(.userText(itemID: "mine", text: "typed"))
        for event in [
            Self.announced("a"), Self.added("a", "assistant", .after("u1")),
            Self.spoken("a", "Hi"), Self.added("mine", "user", .after("a")),
        ] { reducer.reduce(event) }
        #expect(reducer.messages.map(\.id) == ["u1", "r", "mine"])
    }

    @Test func typedTextIsFoundAgainUnderTheProvidersID() {
        var reducer = ConversationReducer()
        reducer.apply(.userText(itemID: "mine", text: "yes"))
        reducer.reduce(
            .conversationItemAdded(
                RealtimeItem(
                    id: "theirs", kind: .message(role: "user", content: [.text("yes")]),
                    status: "completed"), placement: .first, raw: .none))
        #expect(
            reducer.messages == [UIMessage(id: "mine", role: .user, parts: [Self.text("yes")])])
        #expect(reducer.owners["theirs"] == "mine")
    }

    // MARK: Parts

    @Test func interleavedItemsAndPartsKeepTheirPlaces() {
        let reducer = Self.reduce([
            Self.announced("a"), Self.announced("b"), Self.spoken("b", "third "),
            Self.spoken("a", "second", 1), Self.spoken("a", "first", 0),
            Self.spoken("b", "and on"), Self.done(.completed),
        ])
        #expect(
            reducer.messages == [
                UIMessage(
                    id: "r", role: .assistant,
                    parts: [
                        Self.text("first"), Self.text("second"), Self.text("third and on"),
                    ])
            ])
    }

    @Test func textThatIsDoneWithoutADeltaShows() {
        let reducer = Self.reduce([
            Self.announced("a"),
            .textDone(Self.content("a"), text: "all at once", raw: .none),
        ])
        #expect(
            reducer.messages
                == [UIMessage(id: "r", role: .assistant, parts: [Self.text("all at once")])])
    }

    @Test func theFinalTextReplacesWhatStreamed() {
        let reducer = Self.reduce([
            Self.announced("a"), Self.spoken("a", "Helo "), Self.spokenDone("a", "Hello."),
        ])
        #expect(reducer.messages.map(\.parts) == [[Self.text("Hello.")]])
    }

    @Test(arguments: [
        (RealtimeTextMode.append, "one two"), (.replace, "two"),
    ])
    func transcriptsOfTheUserGrowOrAreReplaced(_ mode: RealtimeTextMode, _ expected: String) {
        let content = Self.content("u", 0, nil)
        let reducer = Self.reduce([
            .inputTranscriptionDelta(content, text: "one ", mode: mode, raw: .none),
            .inputTranscriptionDelta(content, text: "two", mode: mode, raw: .none),
        ])
        #expect(
            reducer.messages == [
                UIMessage(id: "u", role: .user, parts: [Self.text(expected, .streaming)])
            ])
    }

    @Test func aTranscriptThatFailsStreamsNoLonger() {
        let content = Self.content("u", 0, nil)
        let reducer = Self.reduce([
            .inputTranscriptionDelta(content, text: "one", mode: .append, raw: .none),
            .inputTranscriptionFailed(
                content, error: RealtimeError(.provider, "no"), raw: .none),
        ])
        #expect(
            reducer.messages == [UIMessage(id: "u", role: .user, parts: [Self.text("one")])])
    }

    // MARK: Endings

    @Test(
        arguments: [
            (.completed, nil, nil), (.cancelled, "turn_detected", "turn_detected"),
            (.incomplete, "max_output_tokens", "max_output_tokens"), (.failed, nil, nil),
        ] as [(RealtimeResponse.Status, String?, String?)])
    func anAnswerEndsAsItDid(
        _ status: RealtimeResponse.Status, _ reason: String?, _ shown: String?
    ) {
        let reducer = Self.reduce([
            Self.announced("a"), Self.spoken("a", "so"), Self.done(status, reason: reason),
        ])
        let ending =
            status == .completed
            ? nil : UIMessage.Ending(status: status.rawValue, reason: shown)
        #expect(
            reducer.messages == [
                UIMessage(id: "r", role: .assistant, parts: [Self.text("so")], ending: ending)
            ])
    }

    @Test func anAnswerThatTheConnectionCutsOffIsIncomplete() {
        var reducer = Self.reduce([Self.announced("a"), Self.spoken("a", "so")])
        reducer.apply(.connectionEnded)
        let expected = UIMessage(
            id: "r", role: .assistant, parts: [Self.text("so")],
            ending: .init(status: "incomplete", reason: "disconnected"))
        #expect(reducer.messages == [expected])
    }

    @Test func aLateWordOfAnEndedAnswerStreamsNoMore() {
        let reducer = Self.reduce([
            Self.announced("a"), Self.done(.cancelled), Self.spoken("a", "late"),
        ])
        let states = reducer.messages.flatMap(\.parts).map(\.text?.state)
        #expect(states == [.done])
    }

    // MARK: What was heard

    @Test(
        arguments: [
            (0, "", "Hello there"), (5, "Hello", " there"), (11, "Hello there", nil),
            (99, "Hello there", nil), (-1, "", "Hello there"), (nil, "Hello there", nil),
        ] as [(Int?, String, String?)])
    func theUnheardRestIsKeptApart(_ count: Int?, _ heard: String, _ unheard: String?) {
        // The cut may come before or after the final text.
        for isFinalFirst in [false, true] {
            var reducer = Self.reduce([Self.announced("a"), Self.spoken("a", "Hello there")])
            if isFinalFirst { reducer.reduce(Self.spokenDone("a", "Hello there")) }
            reducer.apply(.heard(Self.content("a"), characters: count))
            if !isFinalFirst { reducer.reduce(Self.spokenDone("a", "Hello there")) }
            #expect(
                reducer.messages.map(\.parts) == [[Self.text(heard, .done, unheard: unheard)]],
                "final first: \(isFinalFirst)")
        }
    }

    @Test func wordsAfterTheCutAreUnheard() {
        var reducer = Self.reduce([Self.announced("a"), Self.spoken("a", "Hello")])
        reducer.apply(.heard(Self.content("a"), characters: 2))
        reducer.reduce(Self.spoken("a", " there"))
        #expect(
            reducer.messages.map(\.parts)
                == [[Self.text("He", .streaming, unheard: "llo there")]])
    }

    @Test func aCutThatComesBeforeTheTextCutsItAllTheSame() {
        var reducer = Self.reduce([Self.announced("a")])
        reducer.apply(.heard(Self.content("a"), characters: 0))
        reducer.reduce(Self.spoken("a", "Hello"))
        #expect(
            reducer.messages.map(\.parts) == [[Self.text("", .streaming, unheard: "Hello")]])
    }

    @Test func whatIsCutWhereItEndsIsWholeInTheEnd() {
        var reducer = Self.reduce([Self.announced("a"), Self.spoken("a", "Hello")])
        reducer.apply(.heard(Self.content("a"), characters: 5))
        reducer.reduce(Self.done(.completed))
        #expect(reducer.messages.map(\.parts) == [[Self.text("Hello")]])
    }

    // MARK: What was deleted

    @Test(arguments: ["user", "assistant"])
    func whatWasDeletedKeepsItsPlaceBeforeWhatComesAfterIt(_ role: String) {
        var reducer = Self.reduce([
            Self.added("u1", "user", .first), Self.added("gone", role, .after("u1")),
        ])
        reducer.reduce(.itemDeleted(itemID: "gone", raw: .none))
        reducer.reduce(Self.committed("u2", .after("u1")))
        #expect(reducer.messages.map(\.id) == ["u1", "gone", "u2"])
    }

    @Test func whatComesFirstAfterAllWasDeletedStandsLast() {
        var reducer = Self.reduce([Self.added("gone", "user", .first)])
        reducer.reduce(.itemDeleted(itemID: "gone", raw: .none))
        reducer.reduce(Self.committed("u2", .first))
        #expect(reducer.messages.map(\.id) == ["gone", "u2"])
    }

    @Test func anAnswerGoesOnBehindWhatWasSaidMeanwhile() {
        let reducer = Self.reduce([
            Self.announced("a1"), Self.added("a1", "assistant", .first),
            Self.spoken("a1", "One "), Self.committed("u", .after("a1")), Self.announced("a2"),
            Self.added("a2", "assistant", .after("u")), Self.spoken("a2", "two"),
            Self.done(.completed), Self.announced("b", "s"),
            Self.added("b", "assistant", .after("a2")), Self.spoken("b", "three", 0, "s"),
        ])
        #expect(reducer.messages.map(\.id) == ["r", "u", "s"])
    }
}
