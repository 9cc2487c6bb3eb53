import Foundation
import RealtimeVoice
import Testing

private typealias Frames = GoogleFrames

/// What the user said, and calls.
struct GoogleInputTests {
    @Test func piecesGatherAndAreCompleteWithTheFirstWordOfTheModel() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(Frames.heard(" Hello"), Frames.heard(","), Frames.heard(" my")) == [
                "item input_0 user - first", "heard input_0 append 'Hello'",
                "heard input_0 append ','", "heard input_0 append ' my'",
            ])
        #expect(
            try trace.receive(Frames.audio).prefix(2) == [
                "heardDone input_0 'Hello, my'", "responseCreated resp_0",
            ])
    }

    @Test func aTurnWithoutAnAnswerCompletesWhatWasHeard() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(Frames.heard("Hm"), Frames.done()).last == "heardDone input_0 'Hm'")
    }

    @Test func finishedCompletesAndSeals() throws {
        var trace = GoogleTrace()
        let finished = Frames.content(#""inputTranscription":{"text":" one","finished":true}"#)
        #expect(
            try trace.receive(finished, Frames.heard(" two")) == [
                "item input_0 user - first", "heard input_0 append 'one'",
                "heardDone input_0 'one'",
                "item input_1 user - after input_0", "heard input_1 append 'two'",
            ])
    }

    @Test func aLatePieceBelongsToTheClosedTurn() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.heard(" Hello"), Frames.audio)
        #expect(
            try trace.receive(Frames.heard(" there")) == [
                "heard input_0 append ' there'", "heardDone input_0 'Hello there'",
            ])
    }

    @Test func aTranscriptThatComesAfterItsAnswerBeganStandsBeforeIt() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.heard("a"), Frames.audio, Frames.done(), Frames.audio)
        #expect(
            try trace.receive(Frames.heard(" b")) == [
                "item input_1 user - after item_0", "heard input_1 append 'b'",
                "heardDone input_1 'b'",
            ])
        #expect(
            try trace.receive(Frames.done(), Frames.heard("c")).suffix(2) == [
                "item input_2 user - after item_1", "heard input_2 append 'c'",
            ])
    }

    @Test func theSecondTurnOfTheUserIsAnItemOfItsOwn() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.heard("one"), Frames.audio, Frames.done())
        #expect(
            try trace.receive(Frames.heard(" two")) == [
                "item input_1 user - after item_0", "heard input_1 append 'two'",
            ])
    }

    @Test func wordsStandBehindWhatTheAppSentBefore() throws {
        var trace = GoogleTrace()
        try trace.configure()
        _ = try trace.send(
            .conversationItemCreate(
                RealtimeItem(id: "m", kind: .message(role: "user", content: [.text("Hi")])),
                placement: .unspecified))
        #expect(try trace.receive(Frames.heard("x")).first == "item input_0 user - after m")
    }

    @Test func interimTextReplacesAndTheFinalTextReplacesIt() throws {
        var trace = GoogleTrace("gemini-3.5-transcribe-live")
        let interim = #""interimInputTranscription":{"text":" he"}"#
        #expect(
            try trace.receive(
                Frames.content(interim), Frames.content(interim), Frames.heard(" hello"),
                Frames.heard(" bye")) == [
                    "item input_0 user - first", "heard input_0 replace 'he'",
                    "heard input_0 replace 'he'", "heard input_0 replace 'hello'",
                    "heardDone input_0 'hello'", "item input_1 user - after input_0",
                    "heard input_1 append 'bye'", "heardDone input_1 'bye'",
                ])
    }

    @Test func everyCallOfAFrameIsTold() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            #"{"toolCall":{"functionCalls":[{"name":"f","id":"a","args":{"x":1}},"#
                + #"{"name":"g","id":"b"}]}}"#)
        #expect(
            lines == [
                "responseCreated resp_0", "added resp_0 call_a f(a) in_progress",
                #"call call_a a f {"x":1}"#, "done resp_0 call_a f(a) completed",
                "added resp_0 call_b g(b) in_progress", "call call_b b g {}",
                "done resp_0 call_b g(b) completed",
            ])
    }

    @Test func aCallThatComesTwiceRunsOnce() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.call("f", id: "a"))
        #expect(
            try trace.receive(
                Frames.parts(#"{"functionCall":{"name":"f","id":"a","args":{}}}"#),
                Frames.call("f", id: "a"), Frames.done(), Frames.call("f", id: "a")
            ) == ["responseDone resp_0 completed - -"])
    }

    @Test func aCallMayComeAsAPartOfTheTurn() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.parts(#"{"functionCall":{"name":"f","id":"a","args":{"x":"y"}}}"#))
        #expect(lines.contains(#"call call_a a f {"x":"y"}"#))
    }

    @Test func aCallWithoutIDGetsALocalOneThatIsNotEchoed() throws {
        var trace = GoogleTrace(isVertex: true)
        try trace.configure()
        _ = try trace.receive(Frames.call("f", id: nil), Frames.call("g", id: nil))
        #expect(
            try trace.send(
                .functionCallOutput(.init(callID: "local_1", name: "", output: "x"))) == [
                    [
                        "toolResponse": [
                            "functionResponses": [
                                ["name": "g", "response": ["output": "x"]]
                            ]
                        ]
                    ]
                ])
    }

    @Test func theAnswerGoesOnInTheSameTurnAfterACall() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.call("f", id: "a"), Frames.said("Done."), Frames.done())
        #expect(lines.filter { $0.hasPrefix("responseCreated") }.count == 1)
        #expect(lines.last == "responseDone resp_0 completed - -")
    }

    @Test func streamedArgumentsAreNotTakenForACall() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(
                #"{"toolCall":{"functionCalls":[{"name":"f","id":"a","partialArgs":[],"#
                    + #""willContinue":true}]}}"#) == ["custom functionCall"])
    }
}
