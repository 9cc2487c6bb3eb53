import RealtimeVoice
import Testing

/// What a strict decoder trips over, and what must be a diagnostic.
struct OpenAIToleranceTests {
    private func events(_ text: String) throws(RealtimeError) -> [RealtimeServerEvent] {
        var codec = OpenAIRealtimeModel("m").makeCodec()
        return try codec.decode(RealtimeFrame(text))
    }

    /// The README lists each with the reason why it is not mapped.
    @Test(
        arguments: [
            "conversation.created", "rate_limits.updated", "input_audio_buffer.timeout_triggered",
            "input_audio_buffer.dtmf_event_received", "output_audio_buffer.started",
            "output_audio_buffer.stopped", "output_audio_buffer.cleared",
            "conversation.item.input_audio_transcription.segment",
            "response.mcp_call_arguments.delta", "response.mcp_call_arguments.done",
            "response.mcp_call.in_progress", "response.mcp_call.completed",
            "response.mcp_call.failed", "mcp_list_tools.in_progress", "mcp_list_tools.completed",
            "mcp_list_tools.failed", "response.brand_new",
            "conversation.item.brand_new", "input_audio_buffer.brand_new", "brand_new", "",
        ])
    func whatHasNoPortableMeaningIsCustom(_ type: String) throws {
        try ServerRow(#"{"type":"\#(type)","item_id":"i1","delta":"x"}"#) {
            [.custom(rawType: type, raw: $0)]
        }.check(OpenAIRealtimeModel("m"))
    }

    @Test(
        arguments: [
            "", "[]", "7", "null", "{", #"{"type":7}"#, #"{"type":null}"#, "{}",
            #"{"type":"session.updated"} x"#, #"{"type":"session.updated""#,
            #"{"type" "session.updated"}"#, #"{'type':'x'}"#,
            #"{"type":"response.output_audio.delta","delta":"not base64!"}"#,
            #"{"type":"response.output_audio.delta","delta":"AAA=AAA="}"#,
            #"{"type":"response.output_audio.delta"}"#,
            #"{"type":"response.output_audio.delta","delta":null}"#,
            #"{"type":"response.output_text.delta","delta":"a\x"}"#,
            "{\"type\":\"response.output_text.delta\",\"delta\":\"a\nb\"}",
            #"{"type":"response.output_text.delta","item_id":"\u12"}"#,
            #"{"type":"conversation.item.added","item":{"id":tru}}"#,
            #"{"type":"conversation.item.added"}"#,
        ])
    func whatCantBeReadIsADiagnostic(_ text: String) {
        do throws(RealtimeError) {
            let events = try events(text)
            Issue.record("\(events)")
        } catch {
            #expect(error.code == .decodingFailed)
        }
    }

    @Test func everyFieldOfADeltaMayBeMissingOrOfAnotherType() throws {
        for fields in ["", #","delta":null"#, #","delta":7"#, #","delta":{},"item_id":[]"#] {
            let text = #"{"type":"response.output_text.delta"\#(fields)}"#
            try ServerRow(text) {
                [.textDelta(RealtimeContentID(itemID: ""), delta: "", raw: $0)]
            }.check(OpenAIRealtimeModel("m"))
        }
    }

    @Test(arguments: ["-1", "1e300", "-1e300", "null", "\"1\"", "99999999999999999999", "{}"])
    func anIndexThatCantBeIsZero(_ index: String) throws {
        try ServerRow(
            #"{"type":"response.output_audio.done","item_id":"i1","content_index":\#(index)}"#
        ) { [.audioDone(RealtimeContentID(itemID: "i1"), raw: $0)] }
        .check(OpenAIRealtimeModel("m"))
    }

    @Test func theLastOfDuplicateFieldsCounts() throws {
        try ServerRow(
            #"{"type":"error","type":"response.text.delta","item_id":"a","delta":"x","delta":"y"}"#
        ) { [.textDelta(RealtimeContentID(itemID: "a"), delta: "y", raw: $0)] }
        .check(OpenAIRealtimeModel("m"))
    }

    @Test func loneSurrogatesAndInvalidUTF8BecomeReplacementCharacters() throws {
        try ServerRow(#"{"type":"response.text.delta","delta":"a\ud800b\u00e9\ud83d\ude00"}"#) {
            [.textDelta(RealtimeContentID(itemID: ""), delta: "a\u{FFFD}bé😀", raw: $0)]
        }.check(OpenAIRealtimeModel("m"))
        var bytes = Array(#"{"type":"response.text.delta","delta":"ab"}"#.utf8)
        bytes.insert(0xFF, at: bytes.count - 3)
        var codec = OpenAIRealtimeModel("m").makeCodec()
        #expect(
            try codec.decode(RealtimeFrame(kind: .text, bytes: bytes)) == [
                .textDelta(
                    RealtimeContentID(itemID: ""), delta: "a\u{FFFD}b",
                    raw: RealtimeRawPayload(bytes))
            ])
    }

    @Test func deepNestingIsADiagnosticWhereItIsReadAndHarmlessWhereNot() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        try ServerRow(#"{"type":"session.updated","session":\#(deep)}"#) {
            [.sessionUpdated(raw: $0)]
        }.check(OpenAIRealtimeModel("m"))
        #expect(throws: RealtimeError.self) {
            try events(#"{"type":"conversation.item.added","item":\#(deep)}"#)
        }
        // The answer's end is told even so.
        try ServerRow(#"{"type":"response.done","response":{"id":"r1","output":\#(deep)}}"#) {
            [
                .responseDone(
                    RealtimeResponse(
                        id: "r1", status: .failed,
                        error: RealtimeError(
                            .decodingFailed, "a response that can't be read")), raw: $0)
            ]
        }.check(OpenAIRealtimeModel("m"))
    }

    @Test func aTranslationSessionIsOneTurnUntilItCloses() throws {
        var codec = OpenAIRealtimeModel("m", options: .init(purpose: .translation)).makeCodec()
        func names(_ text: String) throws -> [String] {
            try codec.decode(RealtimeFrame(text)).map(\.name)
        }
        #expect(
            try names(#"{"type":"session.input_transcript.delta","delta":"The "}"#)
                == ["conversationItemAdded", "inputTranscriptionDelta"])
        #expect(
            try names(#"{"type":"session.output_audio.delta","delta":"AAA=","sample_rate":24000}"#)
                == ["responseCreated", "audioDelta"])
        #expect(
            try names(#"{"type":"session.output_transcript.delta","delta":"El "}"#)
                == ["audioTranscriptDelta"])
        #expect(
            try names(#"{"type":"session.input_transcript.delta","delta":"fox"}"#)
                == ["inputTranscriptionDelta"])
        #expect(throws: RealtimeError.self) {
            try names(#"{"type":"session.output_audio.delta","delta":"?"}"#)
        }
        let end = #"{"type":"session.closed"}"#
        let raw = RealtimeRawPayload(Array(end.utf8))
        let output = RealtimeContentID(responseID: "translation", itemID: "translation_output")
        #expect(
            try codec.decode(RealtimeFrame(end)) == [
                .inputTranscriptionCompleted(
                    RealtimeContentID(itemID: "translation_input"), transcript: "The fox",
                    isFinal: true, usage: nil, raw: raw),
                .audioDone(output, raw: raw),
                .audioTranscriptDone(output, transcript: "El ", raw: raw),
                .responseDone(RealtimeResponse(id: "translation", status: .completed), raw: raw),
                .custom(rawType: "session.closed", raw: raw),
            ])
    }
}
