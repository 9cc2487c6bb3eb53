import Foundation
import RealtimeVoice
import Testing

/// What xAI sends otherwise than OpenAI: the reference's A7, A10 and A13.
struct XaiServerEventTests {
    private static let content = RealtimeContentID(responseID: "r1", itemID: "i1")

    static let rows: [ServerRow] = [
        // The key order is xAI's own.
        ServerRow(
            #"{"session":{"id":"s1","object":"realtime.session","voice":"ara"},"#
                + #""type":"session.created","event_id":"e"}"#
        ) { [.sessionCreated(sessionID: "s1", raw: $0)] },
        ServerRow(#"{"session":{"temperature":-1.0},"type":"session.updated"}"#) {
            [.sessionUpdated(raw: $0)]
        },
        // Here null says nothing about the place.
        ServerRow(
            #"{"type":"conversation.item.added","previous_item_id":null,"item":{"id":"i1","#
                + #""type":"message","role":"user","status":"in_progress","#
                + #""content":[{"type":"input_audio","transcript":""}]}}"#
        ) {
            [
                .conversationItemAdded(
                    RealtimeItem(
                        id: "i1", kind: .message(role: "user", content: [.audio(transcript: "")]),
                        status: "in_progress"), placement: .unspecified, raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"conversation.item.added","previous_item_id":"i0","item":{"id":"i1","#
                + #""type":"function_call","role":"tool","call_id":"call-1-0","name":"f","#
                + #""arguments":"{}"}}"#
        ) {
            [
                .conversationItemAdded(
                    RealtimeItem(
                        id: "i1",
                        kind: .functionCall(callID: "call-1-0", name: "f", arguments: "{}")),
                    placement: .after("i0"), raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"conversation.item.input_audio_transcription.updated","item_id":"i1","#
                + #""content_index":0,"transcript":"Hello the","previous_item_id":null}"#
        ) {
            [
                .inputTranscriptionDelta(
                    RealtimeContentID(itemID: "i1"), text: "Hello the", mode: .replace, raw: $0)
            ]
        },
        completed(#","status":"in_progress""#, isFinal: false),
        completed(#","status":"completed""#, isFinal: true),
        completed("", isFinal: true),
        completed(#","status":"new""#, isFinal: true),
        ServerRow(
            #"{"type":"conversation.item.truncated","item_id":"i1","content_index":0,"#
                + #""audio_end_ms":900,"transcript":"Hello"}"#
        ) {
            [
                .itemTruncated(
                    itemID: "i1", contentIndex: 0, audioEndMilliseconds: 900,
                    transcript: "Hello", raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"response.created","response":{"id":"r1","object":"realtime.response","#
                + #""output":[],"status":"in_progress","status_details":"unimplemented","#
                + #""usage":{}}}"#
        ) { [.responseCreated(responseID: "r1", isOutOfBand: false, metadata: [:], raw: $0)] },
        ServerRow(
            #"{"type":"response.content_part.added","response_id":"r1","item_id":"i1","#
                + #""previous_item_id":"0","part":{"type":"audio","transcript":""}}"#
        ) { [.contentPartAdded(content, raw: $0)] },
        ServerRow(
            #"{"type":"response.output_audio.delta","response_id":"r1","item_id":"i1","#
                + #""delta":"AAEC","audio_duration_ms":20,"rid":"x","ts":1,"latency":"0.4"}"#
        ) { [.audioDelta(content, audio: Data([0, 1, 2]), format: nil, raw: $0)] },
        ServerRow(
            #"{"type":"response.output_audio_transcript.delta","response_id":"r1","#
                + #""item_id":"i1","delta":"Hi","rid":"x","start_time":1.2345}"#
        ) {
            [.audioTranscriptDelta(content, delta: "Hi", startMilliseconds: 1_235, raw: $0)]
        },
        ServerRow(
            #"{"type":"response.output_audio_transcript.delta","response_id":"r1","#
                + #""item_id":"i1","delta":"Hi","start_time":-1e99}"#
        ) { [.audioTranscriptDelta(content, delta: "Hi", startMilliseconds: nil, raw: $0)] },
        ServerRow(
            #"{"type":"response.function_call_arguments.delta","response_id":"r1","#
                + #""item_id":"i1","call_id":"c","delta":"{}"}"#
        ) {
            [
                .functionCallArgumentsDelta(
                    responseID: "r1", itemID: "i1", callID: "c", name: nil, delta: "{}", raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"error","error":{"type":"max_duration","code":"x","message":"Over"}}"#
        ) {
            [
                .error(
                    RealtimeError(
                        .provider, "Over", isRetryable: true, providerCode: "x",
                        providerType: "max_duration"), raw: $0)
            ]
        },
        // The usage of the frame, since the response's own is empty.
        ServerRow(
            #"{"type":"response.done","response":{"id":"r1","status":"completed","#
                + #""status_details":"unimplemented","usage":{},"output":[{"id":"i1","#
                + #""type":"message","role":"assistant","content":[{"type":"audio","#
                + #""transcript":"Hi"}]}]},"usage":{"input_tokens":5,"output_tokens":7,"#
                + #""total_tokens":12,"output_token_details":{"grok_tokens":1},"#
                + #""output_audio_seconds":1.5,"billable_audio_seconds":2}}"#
        ) {
            [
                .responseDone(
                    RealtimeResponse(
                        id: "r1", status: .completed,
                        usage: RealtimeUsage(
                            input: .init(total: 5), output: .init(total: 7), totalTokens: 12,
                            seconds: 1.5,
                            raw: [
                                "input_tokens": 5, "output_tokens": 7, "total_tokens": 12,
                                "output_token_details": ["grok_tokens": 1],
                                "output_audio_seconds": 1.5, "billable_audio_seconds": 2,
                            ]),
                        output: [
                            RealtimeItem(
                                id: "i1",
                                kind: .message(
                                    role: "assistant", content: [.audio(transcript: "Hi")]))
                        ]), raw: $0)
            ]
        },
    ]

    private static func completed(_ fields: String, isFinal: Bool) -> ServerRow {
        ServerRow(
            #"{"type":"conversation.item.input_audio_transcription.completed","item_id":"i1","#
                + #""content_index":0,"transcript":"Hello"\#(fields)}"#
        ) {
            [
                .inputTranscriptionCompleted(
                    RealtimeContentID(itemID: "i1"), transcript: "Hello", isFinal: isFinal,
                    usage: nil, raw: $0)
            ]
        }
    }

    @Test(arguments: rows)
    func aMessageBecomesItsEvent(_ row: ServerRow) throws {
        try row.check(XaiRealtimeModel("m"))
    }

    /// What both services send reads alike, but for the place that null means.
    @Test(
        arguments: OpenAIServerEventTests.session + OpenAIServerEventTests.deltas
            + OpenAIResponseTests.rows)
    func whatOpenAISendsReadsAlike(_ row: ServerRow) throws {
        try row.check(XaiRealtimeModel("m"))
    }

    @Test(arguments: ["ping", "conversation.created", "input_audio_buffer.timeout_triggered"])
    func whatHasNoPortableMeaningIsCustom(_ type: String) throws {
        let model = XaiRealtimeModel("m")
        try ServerRow(
            #"{"type":"\#(type)","event_id":"u","timestamp":1785214080296,"previous_item_id":null}"#
        ) { [.custom(rawType: type, raw: $0)] }.check(model)
        // Nothing is answered to a ping: no such client event is documented.
        #expect(model.healthCheckResponse(for: RealtimeFrame(#"{"type":"ping"}"#)) == nil)
    }

    @Test func aDeletionIsConfirmedWithoutSayingOfWhat() throws {
        var codec = XaiRealtimeModel("m").makeCodec()
        for itemID in ["a", "b", "c"] {
            _ = try codec.encode(.conversationItemDelete(itemID: itemID))
        }
        func deleted(_ text: String) throws -> [RealtimeServerEvent] {
            try codec.decode(RealtimeFrame(text))
        }
        func event(_ itemID: String, _ text: String) -> [RealtimeServerEvent] {
            [.itemDeleted(itemID: itemID, raw: RealtimeRawPayload(Array(text.utf8)))]
        }
        let nameless = #"{"type":"conversation.item.deleted","item_id":""}"#
        let named = #"{"type":"conversation.item.deleted","item_id":"b"}"#
        #expect(try deleted(nameless) == event("a", nameless))
        #expect(try deleted(named) == event("b", named))
        #expect(try deleted(nameless) == event("c", nameless))
        #expect(try deleted(nameless) == event("", nameless))
    }
}
