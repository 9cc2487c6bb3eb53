import Foundation
import RealtimeVoice
import Testing

private typealias Frames = GoogleFrames

/// Barge-in, whose frames no recording has.
struct GoogleInterruptionTests {
    @Test func interruptedEndsTheResponseWithoutItsText() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.audio, Frames.said("Hello there"))
        #expect(
            try trace.receive(Frames.interrupted, Frames.done(usage: 9)) == [
                "interrupted resp_0", "audioDone item_0/0", "saidDone item_0/0 -",
                "done resp_0 item_0 assistant incomplete",
                "responseDone resp_0 cancelled interrupted -", "usage resp_0 9",
            ])
    }

    @Test func audioInTheFrameOfAnInterruptionIsStale() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.audio)
        // Whatever the order of the keys, and with usage beside it.
        let frame =
            #"{"usageMetadata":{"totalTokenCount":4},"serverContent":{"modelTurn":{"parts":["#
            + #"{"inlineData":{"data":"AAAA","mimeType":"audio/pcm"}}]},"#
            + #""outputTranscription":{"text":"x"},"interrupted":true}}"#
        let lines = try trace.receive(frame)
        #expect(!lines.contains { $0.hasPrefix("audio ") || $0.hasPrefix("said ") })
        #expect(lines.last == "responseDone resp_0 cancelled interrupted 4")
    }

    @Test func whatComesBetweenInterruptionAndTurnCompleteIsDiscarded() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.audio, Frames.interrupted)
        #expect(
            try trace.receive(
                Frames.audio, Frames.said("x"), Frames.parts(#"{"text":"x"}"#), Frames.generated,
                Frames.done()
            ).isEmpty)
        #expect(try trace.receive(Frames.audio).first == "responseCreated resp_1")
    }

    @Test func aSessionIsNotMuteWhenTheCutTurnNeverEnds() throws {
        let ways: [(String, [String])] = [
            ("the user spoke", [Frames.heard("Stop")]),
            ("3.1 opens a turn with an empty object", [#"{"serverContent":{}}"#]),
        ]
        for (way, frames) in ways {
            var trace = GoogleTrace()
            _ = try trace.receive(Frames.audio, Frames.interrupted)
            for frame in frames { _ = try trace.receive(frame) }
            #expect(try trace.receive(Frames.audio).contains("audio item_1/0 3 24000"), "\(way)")
        }
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.audio, Frames.interrupted)
        #expect(
            try trace.receive(Frames.call("f", id: "1"), Frames.audio)
                .contains("audio item_1/0 3 24000"))
    }

    @Test func aSessionIsNotMuteWhenTheClientAsksAgain() throws {
        var trace = GoogleTrace()
        try trace.configure()
        _ = try trace.receive(Frames.audio, Frames.interrupted)
        #expect(try trace.send(.responseCreate(.init())).count == 1)
        #expect(try trace.receive(Frames.audio).first == "responseCreated resp_1")
    }

    @Test func aLateEndOfTheCutTurnDoesNotSwallowTheNextReply() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.audio, Frames.interrupted, Frames.heard("Stop"), Frames.audio)
        _ = try trace.receive(Frames.done())
        #expect(try trace.receive(Frames.audio).last == "audio item_2/0 3 24000")
    }

    @Test func anInterruptionWithNothingOpenOnlyStopsPlayback() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.audio, Frames.done())
        #expect(
            try trace.receive(Frames.interrupted, Frames.done(usage: 1)) == [
                "interrupted -", "usage resp_0 1",
            ])
        #expect(try trace.receive(Frames.audio).first == "responseCreated resp_1")
    }

    @Test func theSpuriousPairBehindActivityStartEndsNothingOfTheNextTurn() throws {
        var trace = GoogleTrace()
        try trace.configure(.init(turnDetection: .init(type: .disabled)))
        _ = try trace.receive(Frames.audio, Frames.generated, Frames.done())
        _ = try trace.send(.inputAudioAppend(Data([0, 0])))
        _ = try trace.send(.inputAudioCommit)
        #expect(try trace.receive(Frames.interrupted, Frames.done()) == ["interrupted -"])
        #expect(try trace.receive(Frames.audio).first == "responseCreated resp_1")
    }

    @Test func whatTheUserSaysOverTheModelIsATurnOfItsOwn() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.heard(" Hi"), Frames.audio)
        #expect(
            try trace.receive(Frames.interrupted, Frames.heard(" Stop")).suffix(2) == [
                "item input_1 user - after item_0", "heard input_1 append 'Stop'",
            ])
    }

    @Test func cancellationNamesTheCallsAndTheirResultsAreNotSent() throws {
        var trace = GoogleTrace()
        try trace.configure()
        _ = try trace.receive(Frames.call("f", id: "a"))
        #expect(
            try trace.receive(#"{"toolCallCancellation":{"ids":["a"]}}"#) == ["cancelled a"])
        #expect(throws: RealtimeError(.cancelled, "the provider cancelled the call a")) {
            try trace.send(.functionCallOutput(.init(callID: "a", name: "f", output: "x")))
        }
    }

    // MARK: Speech, end of connection, errors

    @Test func speechIsToldWhereTheProviderTellsIt() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(
                #"{"voiceActivity":{"type":"ACTIVITY_START","audioOffset":"1.5s"}}"#,
                #"{"voiceActivity":{"type":"ACTIVITY_END","audioOffset":"2s"}}"#,
                #"{"voiceActivityDetectionSignal":{"vadSignalType":"VAD_SIGNAL_TYPE_SOS"}}"#,
                #"{"voiceActivityDetectionSignal":{"vadSignalType":"VAD_SIGNAL_TYPE_EOS"}}"#,
                #"{"voiceActivity":{"type":"NEW"}}"#) == [
                    "speechStarted 1500", "speechStopped 2000", "speechStarted -",
                    "speechStopped -", "custom voiceActivity",
                ])
    }

    @Test(arguments: [
        (#""50s""#, Duration?.some(.seconds(50))),
        (#""1.23456789s""#, .nanoseconds(1_234_567_890)), (#""0.5s""#, .milliseconds(500)),
        (#""0s""#, .zero), (#""soon""#, nil), (#""s""#, nil), (#""1.xs""#, nil), ("7", nil),
        (#""99999999999999999999s""#, nil), (#""-9223372036854775808s""#, nil), (#""1.s""#, nil),
    ])
    func goAwayKeepsFractionsOfASecond(text: String, expected: Duration?) throws {
        var trace = GoogleTrace()
        let events = try trace.events(#"{"goAway":{"timeLeft":\#(text)}}"#)
        guard case .goingAway(let left, _)? = events.first else {
            Issue.record("no goingAway")
            return
        }
        #expect(left == expected)
        #expect(try trace.receive(#"{"goAway":{}}"#) == ["goingAway -"])
    }

    @Test(arguments: [
        (
            #"{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED"}}"#,
            "error 429 true Quota."
        ),
        (#"{"error":{"code":400,"message":"Bad."}}"#, "error 400 false Bad."),
        (#"{"error":"Bad."}"#, "error - false Bad."),
        (#"{"code":503,"message":"Later.","status":"UNAVAILABLE"}"#, "error 503 true Later."),
        (#"{"error":{"status":"INTERNAL"}}"#, "error INTERNAL true the provider reported an error"),
    ])
    func errorsThatComeAsMessagesAreErrors(frame: String, line: String) throws {
        var trace = GoogleTrace()
        #expect(try trace.receive(frame) == [line])
    }

    @Test func aStatusWithoutACodeIsNoError() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(#"{"status":"x","message":"y"}"#) == [
                "custom message", "custom status",
            ])
    }

    @Test func everyKeyOfAMessageCounts() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(
                #"{"goAway":{"timeLeft":"5s"},"brandNew":{"x":[1]},"usageMetadata":{},"#
                    + #""sessionResumptionUpdate":{"newHandle":"h","resumable":true,"#
                    + #""lastConsumedClientMessageIndex":"12"},"serverContent":{"turnComplete":false}}"#
            ) == [
                "usage - -", "goingAway 5.0 seconds", "custom brandNew",
                "custom sessionResumptionUpdate",
            ])
    }

    @Test func whatHasNoPortableMeaningIsCustom() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.parts(#"{"executableCode":{"language":"PYTHON","code":"1"}}"#),
            Frames.parts(#"{"codeExecutionResult":{"outcome":"OUTCOME_OK"}}"#),
            Frames.content(#""groundingMetadata":{"webSearchQueries":["x"]}"#),
            Frames.content(#""groundingMetadata":{},"waitingForInput":false"#),
            Frames.content(#""waitingForInput":true"#),
            Frames.parts(#"{"thoughtSignature":"AAAA"}"#),
            Frames.parts(#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#),
            Frames.parts(#"{"inlineData":{"mimeType":"audio/pcm","data":"A$"}}"#))
        #expect(
            lines == [
                "responseCreated resp_0", "custom executableCode", "custom codeExecutionResult",
                "custom groundingMetadata", "custom waitingForInput", "custom inlineData",
                "custom inlineData",
            ])
    }

    @Test func knownKeysOfTheWrongKindAreCustom() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(
                #"{"serverContent":7}"#, #"{"toolCall":7}"#, #"{"toolCallCancellation":[]}"#,
                Frames.content(#""modelTurn":7"#), #"{"serverContent":null}"#,
                #"{"serverContent":{"modelTurn":null,"turnComplete":null,"interrupted":7}}"#) == [
                    "custom serverContent", "custom toolCall", "custom toolCallCancellation",
                    "custom modelTurn",
                ])
    }

    @Test func whatIsNotAnObjectIsAnErrorAndChangesNothing() throws {
        var trace = GoogleTrace()
        for frame in [
            "", "[]", "7", "{", #"{"a"}"#, #"{"a":1}x"#,
            #"{"serverContent":{"turnComplete":true},"usageMetadata":{"#,
        ] {
            #expect(throws: RealtimeError.self) { try trace.events(frame) }
        }
        #expect(try trace.receive(Frames.audio).first == "responseCreated resp_0")
    }
}
