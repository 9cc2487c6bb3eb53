import Testing

@testable import RealtimeVoice

/// Every state of a call × every input.
struct ToolTurnsTests {
    typealias Action = ToolTurns.Action

    static let time = Duration.seconds(10)
    static let deadline = Duration.seconds(40)

    /// The states of call `c` of response `r`.
    enum Situation: String, CaseIterable {
        case unknown
        case writing
        case running
        /// Answered, while the response still runs.
        case answered
        /// The response was completed, and the call runs on.
        case awaited
        /// Answered, and followed up.
        case over

        func turns() -> ToolTurns {
            var turns = ToolTurns(timeout: .seconds(30))
            guard self != .unknown else { return turns }
            turns.announced(callID: "c", name: "look", responseID: "r")
            guard self != .writing else { return turns }
            _ = turns.completed(
                callID: "c", name: nil, arguments: "{}", responseID: "r", now: time)
            if self == .answered || self == .over { _ = try? turns.answered(output()) }
            if self == .awaited || self == .over {
                _ = turns.responseDone("r", status: .completed)
            }
            return turns
        }

        var state: ToolTurns.CallState? {
            switch self {
            case .unknown: nil
            case .writing: .writing
            case .running, .awaited: .running(deadline: deadline)
            case .answered, .over: .answered
            }
        }
    }

    static func output(
        _ callID: String = "c", _ value: JSONValue = "fine", isError: Bool = false
    ) -> RealtimeToolOutput {
        RealtimeToolOutput(callID: callID, name: "look", output: value, isError: isError)
    }

    static let run = Action.run(
        RealtimeToolCall(
            id: "c", name: "look", argumentsText: "{}", arguments: .object([:]), responseID: "r"))

    struct Row: Sendable {
        var from: Situation
        var actions: [Action]
        var state: ToolTurns.CallState?

        init(_ from: Situation, _ actions: [Action], _ state: ToolTurns.CallState?) {
            self.from = from
            self.actions = actions
            self.state = state
        }
    }

    private func check(
        _ rows: [Row], _ input: (inout ToolTurns) throws -> [Action],
        sourceLocation: SourceLocation = #_sourceLocation
    ) rethrows {
        #expect(rows.map(\.from) == Situation.allCases, sourceLocation: sourceLocation)
        for row in rows {
            var turns = row.from.turns()
            #expect(
                turns.calls["c"]?.state == row.from.state, "\(row.from)",
                sourceLocation: sourceLocation)
            let actions = try input(&turns)
            #expect(actions == row.actions, "\(row.from)", sourceLocation: sourceLocation)
            #expect(
                turns.calls["c"]?.state == row.state, "\(row.from)",
                sourceLocation: sourceLocation)
        }
    }

    private static let runs = ToolTurns.CallState.running(deadline: deadline)

    // MARK: Inputs

    @Test func announcingMakesACallOnce() {
        check([
            Row(.unknown, [], .writing), Row(.writing, [], .writing), Row(.running, [], Self.runs),
            Row(.answered, [], .answered), Row(.awaited, [], Self.runs), Row(.over, [], .answered),
        ]) {
            $0.announced(callID: "c", name: "look", responseID: "r")
            return []
        }
    }

    @Test func aCompleteCallRunsOnce() {
        check([
            Row(.unknown, [Self.run], Self.runs), Row(.writing, [Self.run], Self.runs),
            Row(.running, [], Self.runs), Row(.answered, [], .answered),
            Row(.awaited, [], Self.runs), Row(.over, [], .answered),
        ]) {
            $0.completed(
                callID: "c", name: "look", arguments: "{}", responseID: "r", now: Self.time)
        }
    }

    @Test func argumentsThatAreNoJSONAreAnsweredWithWhatIsWrong() throws {
        guard case .failure(let error) = ToolArguments.parse("{") else {
            Issue.record("that is JSON")
            return
        }
        #expect(error.message.hasPrefix("the arguments are not valid JSON: "))
        let reply = Action.send(Self.output("c", .string(error.message), isError: true))
        check([
            Row(.unknown, [reply], .answered), Row(.writing, [reply], .answered),
            Row(.running, [], Self.runs), Row(.answered, [], .answered),
            Row(.awaited, [], Self.runs), Row(.over, [], .answered),
        ]) {
            $0.completed(
                callID: "c", name: "look", arguments: "{", responseID: "r", now: Self.time)
        }
    }

    @Test func anAnswerIsSentOnceAndTheLastOneBringsTheFollowUp() throws {
        let send = Action.send(Self.output())
        for (situation, expected) in [
            (Situation.writing, [send]), (.running, [send]), (.awaited, [send, .requestFollowUp]),
        ] {
            var turns = situation.turns()
            // The name is filled in from the call.
            var output = Self.output()
            output.name = ""
            #expect(try turns.answered(output) == expected)
            #expect(turns.calls["c"]?.state == .answered)
        }
    }

    @Test(arguments: [
        (Situation.unknown, "there is no call c to answer"),
        (.answered, "the call c is already answered"), (.over, "the call c is already answered"),
    ])
    func anAnswerThatNobodyWaitsForIsAnError(_ situation: Situation, _ message: String) {
        var turns = situation.turns()
        #expect(throws: RealtimeError(.toolFailed, message)) {
            try turns.answered(Self.output())
        }
    }

    /// A call that nobody ran is answered all the same: it stands in the conversation. There is
    /// no follow-up, since it was the user who broke the turn off.
    @Test func aCompletedResponseIsFollowedUpWhereAllIsAnswered() {
        let giveUp = Action.send(
            Self.output("c", "cancelled: the user interrupted", isError: true))
        check([
            Row(.unknown, [], nil), Row(.writing, [giveUp], .answered),
            Row(.running, [], Self.runs), Row(.answered, [.requestFollowUp], .answered),
            Row(.awaited, [], Self.runs), Row(.over, [], .answered),
        ]) { $0.responseDone("r", status: .completed) }
    }

    @Test(arguments: [RealtimeResponse.Status.cancelled, .incomplete, .failed])
    func aResponseThatFailedIsNeverFollowedUp(_ status: RealtimeResponse.Status) throws {
        var turns = Situation.answered.turns()
        #expect(turns.responseDone("r", status: status) == [])
        turns = Situation.writing.turns()
        let drop = Action.drop(
            callID: "c", reason: "the answer ended before the call was complete")
        #expect(turns.responseDone("r", status: status) == [drop])
        turns = Situation.running.turns()
        #expect(turns.responseDone("r", status: status) == [])
        #expect(try turns.answered(Self.output()) == [.send(Self.output())])
    }

    @Test func theProviderTakesCallsBack() {
        let taken: [Action] = [
            .cancelTask(callID: "c"), .drop(callID: "c", reason: "cancelled by the provider"),
        ]
        check([
            Row(.unknown, [], nil), Row(.writing, taken, .answered),
            Row(.running, taken, .answered), Row(.answered, [], .answered),
            Row(.awaited, taken + [.requestFollowUp], .answered), Row(.over, [], .answered),
        ]) { $0.cancelledByProvider(["c"]) }
    }

    @Test func aBargeInAnswersWhatRuns() {
        let stopped: [Action] = [
            .cancelTask(callID: "c"),
            .send(Self.output("c", "cancelled: the user interrupted", isError: true)),
        ]
        check([
            Row(.unknown, [], nil), Row(.writing, [], .writing),
            Row(.running, stopped, .answered), Row(.answered, [], .answered),
            Row(.awaited, stopped + [.requestFollowUp], .answered), Row(.over, [], .answered),
        ]) { $0.cancelledByUser() }
    }

    @Test func aDisconnectEndsEverythingAndForgets() {
        let gone: [Action] = [
            .cancelTask(callID: "c"), .drop(callID: "c", reason: "disconnected"),
        ]
        check([
            Row(.unknown, [], nil), Row(.writing, gone, nil), Row(.running, gone, nil),
            Row(.answered, [], nil), Row(.awaited, gone, nil), Row(.over, [], nil),
        ]) { $0.disconnected() }
    }

    @Test func aToolThatIsSlowIsAnsweredFor() {
        let late: [Action] = [
            .cancelTask(callID: "c"),
            .send(Self.output("c", "the tool did not answer in time", isError: true)),
        ]
        check([
            Row(.unknown, [], nil), Row(.writing, [], .writing), Row(.running, late, .answered),
            Row(.answered, [], .answered), Row(.awaited, late + [.requestFollowUp], .answered),
            Row(.over, [], .answered),
        ]) { turns in
            let early = turns.advance(now: Self.deadline - .milliseconds(1))
            return early + turns.advance(now: Self.deadline)
        }
    }

    @Test(arguments: Situation.allCases)
    func theDeadlineIsThatOfWhatRuns(_ situation: Situation) {
        let isRunning = situation == .running || situation == .awaited
        #expect(situation.turns().deadline == (isRunning ? Self.deadline : nil))
        #expect(situation.turns().running == (isRunning ? ["c"] : []))
        #expect(situation.turns().name(of: "c") == (situation == .unknown ? nil : "look"))
    }

    // MARK: Turns of several calls

    @Test func severalCallsHaveOneFollowUpInWhateverOrderTheyAreAnswered() throws {
        var turns = ToolTurns(timeout: nil)
        for callID in ["a", "b", "c"] {
            turns.announced(callID: callID, name: "look", responseID: "r")
            _ = turns.completed(
                callID: callID, name: nil, arguments: "", responseID: "r", now: .zero)
        }
        #expect(try turns.answered(Self.output("b")) == [.send(Self.output("b"))])
        #expect(turns.responseDone("r", status: .completed) == [])
        #expect(try turns.answered(Self.output("c")) == [.send(Self.output("c"))])
        #expect(turns.running == ["a"])
        #expect(
            try turns.answered(Self.output("a")) == [.send(Self.output("a")), .requestFollowUp])
        #expect(turns.responseDone("r", status: .completed) == [])
        #expect(turns.deadline == nil)
    }

    @Test func twoTurnsAreFollowedUpEachForItself() throws {
        var turns = ToolTurns(timeout: nil)
        for (callID, responseID) in [("a", "r1"), ("b", "r2")] {
            _ = turns.completed(
                callID: callID, name: "look", arguments: "{}", responseID: responseID, now: .zero)
            #expect(turns.responseDone(responseID, status: .completed) == [])
        }
        #expect(
            try turns.answered(Self.output("b")) == [.send(Self.output("b")), .requestFollowUp])
        #expect(
            try turns.answered(Self.output("a")) == [.send(Self.output("a")), .requestFollowUp])
    }

    @Test func aNameThatComesLateIsKept() {
        var turns = ToolTurns(timeout: nil)
        turns.announced(callID: "c", name: nil, responseID: "r")
        #expect(
            turns.completed(callID: "c", name: nil, arguments: "{}", responseID: "r", now: .zero)
                == [])
        #expect(
            turns.completed(
                callID: "c", name: "look", arguments: "{}", responseID: "r", now: .zero)
                == [Self.run])
    }

    @Test func aCallWithoutAnIDIsNone() {
        var turns = ToolTurns(timeout: nil)
        turns.announced(callID: "", name: "look", responseID: "r")
        #expect(turns.calls == [:])
        #expect(turns.groups == [:])
    }
}
