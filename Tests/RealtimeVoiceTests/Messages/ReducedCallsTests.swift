import Testing

@testable import RealtimeVoice

/// Every state of a tool's part × everything that can happen to it.
struct ReducedCallsTests {
    typealias State = UIToolPart.State

    enum Situation: String, CaseIterable {
        case unknown
        case writing
        case available
        case answered
        case failed

        func reducer() -> ConversationReducer {
            var reducer = ConversationReducer()
            guard self != .unknown else { return reducer }
            reducer.reduce(
                .functionCallArgumentsDelta(
                    responseID: "r", itemID: "i", callID: "c", name: "look", delta: #"{"a":"#,
                    raw: .none))
            guard self != .writing else { return reducer }
            reducer.reduce(
                .functionCallArgumentsDone(
                    responseID: "r", itemID: "i", callID: "c", name: "look",
                    arguments: #"{"a":1}"#, raw: .none))
            if self == .answered { reducer.apply(.toolOutput(output("fine"))) }
            if self == .failed { reducer.apply(.toolFailed(callID: "c", reason: "gone")) }
            return reducer
        }

        var part: UIToolPart? {
            switch self {
            case .unknown: nil
            case .writing: ReducedCallsTests.part(.inputStreaming, input: nil)
            case .available: ReducedCallsTests.part(.inputAvailable)
            case .answered: ReducedCallsTests.part(.outputAvailable, output: "fine")
            case .failed: ReducedCallsTests.part(.outputError, error: "gone")
            }
        }
    }

    static func output(_ value: JSONValue, isError: Bool = false) -> RealtimeToolOutput {
        RealtimeToolOutput(callID: "c", name: "look", output: value, isError: isError)
    }

    static func part(
        _ state: State, input: JSONValue? = ["a": 1], output: JSONValue? = nil,
        error: String? = nil
    ) -> UIToolPart {
        UIToolPart(
            toolName: "look", toolCallID: "c", state: state, input: input, output: output,
            errorText: error)
    }

    private func check(
        _ expected: [Situation: UIToolPart?],
        _ input: (inout ConversationReducer) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for situation in Situation.allCases {
            var reducer = situation.reducer()
            #expect(Self.shown(reducer) == situation.part, sourceLocation: sourceLocation)
            input(&reducer)
            let part = expected[situation] ?? situation.part
            #expect(
                Self.shown(reducer) == part, "\(situation)", sourceLocation: sourceLocation)
        }
    }

    private static func shown(_ reducer: ConversationReducer) -> UIToolPart? {
        reducer.messages.flatMap(\.parts).first?.tool
    }

    // MARK: Inputs

    @Test func aCompleteCallIsAvailableOnce() {
        let other = Self.part(.inputAvailable, input: ["b": 2])
        check([.unknown: other, .writing: other]) {
            $0.reduce(
                .functionCallArgumentsDone(
                    responseID: "r", itemID: "i", callID: "c", name: "look",
                    arguments: #"{"b":2}"#, raw: .none))
        }
    }

    @Test func argumentsThatOnlyStreamedAreTaken() {
        var reducer = Situation.writing.reducer()
        reducer.reduce(
            .functionCallArgumentsDelta(
                responseID: "r", itemID: "i", callID: "c", name: nil, delta: "5}", raw: .none))
        reducer.reduce(
            .functionCallArgumentsDone(
                responseID: "r", itemID: "i", callID: "c", name: nil, arguments: "", raw: .none))
        #expect(Self.shown(reducer) == Self.part(.inputAvailable, input: ["a": 5]))
    }

    @Test func argumentsThatAreNoJSONAreAnError() throws {
        guard case .failure(let error) = ToolArguments.parse("{") else { return }
        let broken = Self.part(.outputError, input: "{", error: error.message)
        check([.unknown: broken, .writing: broken]) {
            $0.reduce(
                .functionCallArgumentsDone(
                    responseID: "r", itemID: "i", callID: "c", name: "look", arguments: "{",
                    raw: .none))
        }
    }

    @Test func anItemThatIsDoneBringsTheCallToo() {
        let complete = Self.part(.inputAvailable, input: .object([:]))
        check([.unknown: complete, .writing: Self.part(.inputAvailable, input: ["z": 0])]) {
            $0.reduce(
                .outputItemDone(
                    responseID: "r",
                    RealtimeItem(
                        id: "i",
                        kind: .functionCall(
                            callID: "c", name: "look",
                            arguments: $0.calls.isEmpty ? "" : #"{"z":0}"#),
                        status: "completed"), raw: .none))
        }
    }

    @Test func anIncompleteItemIsNoCall() {
        check([:]) {
            $0.reduce(
                .outputItemDone(
                    responseID: "r",
                    RealtimeItem(
                        id: "i", kind: .functionCall(callID: "c", name: "look", arguments: "{"),
                        status: "incomplete"), raw: .none))
        }
    }

    @Test func anOutputShows() {
        check([
            .writing: Self.part(.outputAvailable, input: nil, output: "late"),
            .available: Self.part(.outputAvailable, output: "late"),
            .answered: Self.part(.outputAvailable, output: "late"),
            .failed: Self.part(.outputAvailable, output: "late", error: "gone"),
        ]) { $0.apply(.toolOutput(Self.output("late"))) }
    }

    @Test(arguments: [("broke", "broke"), (["code": 5], #"{"code":5}"#)] as [(JSONValue, String)])
    func aFailureShowsItsText(_ output: JSONValue, _ text: String) {
        var reducer = Situation.available.reducer()
        reducer.apply(.toolOutput(Self.output(output, isError: true)))
        #expect(Self.shown(reducer) == Self.part(.outputError, error: text))
    }

    @Test func whatIsTakenBackFailsUnlessItIsAnswered() {
        let reason = "cancelled by the provider"
        check([
            .writing: Self.part(.outputError, input: nil, error: reason),
            .available: Self.part(.outputError, error: reason),
        ]) { $0.reduce(.toolCallCancelled(callIDs: ["c"], raw: .none)) }
    }

    @Test func theEndOfTheAnswerEndsWhatIsBeingWritten() {
        check([
            .writing: Self.part(
                .outputError, input: nil, error: "the answer ended before the call was complete")
        ]) {
            $0.reduce(
                .responseDone(RealtimeResponse(id: "r", status: .cancelled), raw: .none))
        }
    }

    @Test func anItemOfTheHistoryAnswersWhatIsOpen() {
        check([
            .writing: Self.part(.outputAvailable, input: nil, output: ["n": 7]),
            .available: Self.part(.outputAvailable, output: ["n": 7]),
        ]) {
            $0.reduce(
                .conversationItemAdded(
                    RealtimeItem(
                        id: "o", kind: .functionCallOutput(callID: "c", output: #"{"n":7}"#)),
                    placement: .after("i"), raw: .none))
        }
    }
}
