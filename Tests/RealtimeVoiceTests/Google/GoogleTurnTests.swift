import Foundation
import RealtimeVoice
import Testing

private typealias Frames = GoogleFrames

/// Turns as they come without an incident, and how they end.
struct GoogleTurnTests {
    @Test func setupCompleteConfirmsTheSession() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.receive(#"{"setupComplete":{}}"#) == ["sessionCreated -", "sessionUpdated"])
        #expect(
            try trace.receive(#"{"setupComplete":{"sessionId":"s1"}}"#)
                == ["sessionCreated s1", "sessionUpdated"])
    }

    @Test func aSpokenTurnGetsAResponseAndAnItem() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.said(" Hel"), Frames.audio, Frames.said("lo"), Frames.generated,
            Frames.done(usage: 12))
        #expect(
            lines == [
                "responseCreated resp_0", "added resp_0 item_0 assistant in_progress",
                "said item_0/0 'Hel'", "audio item_0/0 3 24000", "said item_0/0 'lo'",
                "audioDone item_0/0", "saidDone item_0/0 'Hello'",
                "done resp_0 item_0 assistant completed", "responseDone resp_0 completed - 12",
            ])
    }

    @Test func binaryFramesCountAsMuchAsTextFrames() throws {
        var trace = GoogleTrace()
        let frame = RealtimeFrame(kind: .binary, bytes: Array(Frames.audio.utf8))
        #expect(try trace.codec.decode(frame).count == 3)
    }

    @Test func nothingButContentOpensATurn() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            "{}", #"{"serverContent":{}}"#, Frames.content(#""outputTranscription":{}"#),
            Frames.content(#""outputTranscription":{"finished":true}"#),
            Frames.content(#""modelTurn":{"role":"model"}"#),
            Frames.content(#""modelTurn":{"parts":[]}"#), Frames.generated, Frames.done())
        #expect(lines.isEmpty)
        #expect(
            try trace.receive(#"{"usageMetadata":{"totalTokenCount":3}}"#) == ["usage - 3"])
    }

    @Test func theNextTurnBeginsWithATranscriptOfItsOwn() throws {
        var trace = GoogleTrace()
        _ = try trace.receive(Frames.audio, Frames.done())
        #expect(
            try trace.receive(Frames.said("Next")) == [
                "responseCreated resp_1", "added resp_1 item_1 assistant in_progress",
                "said item_1/0 'Next'",
            ])
    }

    @Test func thoughtsNeverReachTheAnswer() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.parts(#"{"text":"Hm.","thought":true},{"text":"Yes."}"#), Frames.done())
        #expect(lines.contains("thought item_0/0 'Hm.'"))
        #expect(lines.contains("textDone item_0/0 'Yes.'"))
    }

    @Test func textBesideAudioHasTheIndexBehindIt() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.audio, Frames.parts(#"{"text":"a"}"#), Frames.said("b"))
        #expect(lines.suffix(2) == ["text item_0/1 'a'", "said item_0/0 'b'"])
    }

    @Test func audioAndTranscriptMayShareAFrame() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.content(
                #""outputTranscription":{"text":"Hi"},"modelTurn":{"parts":["#
                    + #"{"inlineData":{"data":"AAAA","mimeType":"audio/pcm"}}]}"#))
        #expect(lines.suffix(2) == ["audio item_0/0 3 -", "said item_0/0 'Hi'"])
    }

    @Test func wildRatesAreClamped() throws {
        for (type, rate) in [
            ("audio/pcm;rate=999999999999", "48000"), ("audio/pcm;rate=1", "8000"),
            ("audio/pcm; rate=16000", "16000"), ("audio/pcm;rate=", "-"), ("audio/pcm", "-"),
            ("audio/pcm;rate=x", "-"),
        ] {
            var trace = GoogleTrace()
            let lines = try trace.receive(
                Frames.parts(#"{"inlineData":{"mimeType":"\#(type)","data":"AAAA"}}"#))
            #expect(lines.last == "audio item_0/0 3 \(rate)", "\(type)")
        }
    }

    @Test func contentBehindGenerationCompleteOpensItsContentAgain() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.said("a"), Frames.generated, Frames.said("b"), Frames.done())
        #expect(
            lines.filter { $0.hasPrefix("saidDone") } == [
                "saidDone item_0/0 'a'", "saidDone item_0/0 'ab'",
            ])
        #expect(lines.filter { $0.hasPrefix("responseCreated") }.count == 1)
    }

    // MARK: How turns end

    @Test(arguments: [
        ("IDLE", true, true), ("REQUIRES_ACTION", true, true), ("IDLE", false, true),
        ("IN_PROGRESS", true, false), ("INTERACTION_STATUS_UNSPECIFIED", true, true),
        ("WAITING_FOR_INPUT", true, true), ("INTERACTION_STATUS_UNSPECIFIED", false, false),
    ])
    func interactionStatusSaysWhetherTheTurnIsOver(
        status: String, turnComplete: Bool, isOver: Bool
    ) throws {
        var trace = GoogleTrace("gemini-3.8-live-extended-thinking")
        let lines = try trace.receive(
            Frames.audio,
            Frames.content(#""turnComplete":\#(turnComplete),"interactionStatus":"\#(status)""#))
        #expect(lines.contains("responseDone resp_0 completed - -") == isOver)
    }

    @Test func aFillerAndItsAnswerAreTwoItemsOfOneResponse() throws {
        var trace = GoogleTrace("gemini-3.8-live-extended-thinking")
        let progress = #""turnComplete":true,"interactionStatus":"IN_PROGRESS""#
        let lines = try trace.receive(
            Frames.said("Hm."), Frames.content(progress, usage: 1), Frames.said("Yes."),
            Frames.content(#""turnComplete":true,"interactionStatus":"IDLE""#, usage: 2))
        #expect(
            lines == [
                "responseCreated resp_0", "added resp_0 item_0 assistant in_progress",
                "said item_0/0 'Hm.'", "saidDone item_0/0 'Hm.'",
                "done resp_0 item_0 assistant completed", "custom interactionStatus",
                "usage resp_0 1", "added resp_0 item_1 assistant in_progress",
                "said item_1/0 'Yes.'", "saidDone item_1/0 'Yes.'",
                "done resp_0 item_1 assistant completed", "responseDone resp_0 completed - 2",
            ])
    }

    @Test(arguments: [
        ("MALFORMED_FUNCTION_CALL", "failed"), ("RESPONSE_REJECTED", "failed"),
        ("GENERATED_AUDIO_SAFETY", "incomplete"), ("BLOCKLIST", "incomplete"),
        ("MAX_REGENERATION_REACHED", "incomplete"), ("NEED_MORE_INPUT", "completed"),
    ])
    func theReasonOfATurnsEndIsItsStatus(reason: String, status: String) throws {
        var trace = GoogleTrace()
        let end = Frames.content(#""turnComplete":true,"turnCompleteReason":"\#(reason)""#)
        #expect(
            try trace.receive(Frames.audio, end).last == "responseDone resp_0 \(status) \(reason) -"
        )
    }

    @Test func aRefusalBeforeAnyWordIsToldAndNotSwallowed() throws {
        var trace = GoogleTrace()
        let end = #""turnComplete":true,"turnCompleteReason":"PROHIBITED_INPUT_CONTENT""#
        #expect(
            try trace.receive(Frames.content(end)) == [
                "responseCreated resp_0",
                "responseDone resp_0 incomplete PROHIBITED_INPUT_CONTENT -",
            ])
    }

    @Test func anEmptyAnswerToWhatWasAskedIsTold() throws {
        var trace = GoogleTrace()
        try trace.configure()
        _ = try trace.send(
            .conversationItemCreate(
                RealtimeItem(id: "m", kind: .message(role: "user", content: [.text("Hi")])),
                placement: .unspecified))
        #expect(
            try trace.receive(Frames.done()) == [
                "responseCreated resp_0", "responseDone resp_0 completed - -",
            ])
        #expect(try trace.receive(Frames.done()).isEmpty)
    }

    // MARK: Usage

    @Test func usageIsToldOnceWithItsTurnOrApart() throws {
        var trace = GoogleTrace()
        let lines = try trace.receive(
            Frames.audio, #"{"serverContent":{},"usageMetadata":{"totalTokenCount":1}}"#,
            Frames.done(usage: 2), #"{"usageMetadata":{"totalTokenCount":3}}"#)
        #expect(
            lines.filter { $0.contains("usage") || $0.contains("responseDone") } == [
                "usage resp_0 1", "responseDone resp_0 completed - 2", "usage resp_0 3",
            ])
    }

    @Test func bothNamesOfOutputTokensCount() throws {
        for name in ["response", "candidates"] {
            var trace = GoogleTrace()
            let events = try trace.events(
                """
                {"usageMetadata":{"promptTokenCount":"10","cachedContentTokenCount":4,
                "\(name)TokenCount":7,"totalTokenCount":17,"thoughtsTokenCount":3,
                "promptTokensDetails":[{"modality":"TEXT","tokenCount":6},
                {"modality":"AUDIO","tokenCount":3},{"modality":"VIDEO","tokenCount":1}],
                "\(name)TokensDetails":[{"modality":"AUDIO","tokenCount":7},{"modality":"TEXT"}]}}
                """)
            guard case .usage(let usage, nil, _)? = events.first else {
                Issue.record("no usage")
                return
            }
            #expect(
                usage.input == .init(total: 10, text: 6, audio: 3, image: 1, cached: 4))
            #expect(usage.output == .init(total: 7, text: 0, audio: 7, reasoning: 3))
            #expect(usage.totalTokens == 17)
            #expect(usage.raw["totalTokenCount"] == 17)
        }
    }

    // MARK: Translation

    @Test func translationNeverEndsAndNeverGrows() throws {
        var trace = GoogleTrace("gemini-3.5-live-translate-preview")
        let lines = try trace.receive(
            Frames.heard(" Hallo"), Frames.said(" Hello"), Frames.heard(" Welt"),
            Frames.said(" world"), #"{"serverContent":{},"usageMetadata":{"totalTokenCount":5}}"#)
        #expect(
            lines == [
                "item input_0 user - first", "heard input_0 append 'Hallo'",
                "responseCreated resp_0", "added resp_0 item_0 assistant in_progress",
                "said item_0/0 'Hello'", "heard input_0 append ' Welt'", "said item_0/0 ' world'",
                "usage resp_0 5",
            ])
    }
}
