import Foundation
import RealtimeVoice
import Testing

/// Every server message of the reference's §4.4, as whole values.
struct OpenAIServerEventTests {
    private static let ids =
        #""response_id":"r1","item_id":"i1","output_index":0,"content_index":1"#
    private static let content = RealtimeContentID(
        responseID: "r1", itemID: "i1", contentIndex: 1)
    private static let message =
        #"{"id":"i1","type":"message","status":"completed","#
        + #""role":"assistant","content":[{"type":"output_text","text":"Hi"},"#
        + #"{"type":"output_audio","transcript":null}]}"#
    private static let item = RealtimeItem(
        id: "i1",
        kind: .message(role: "assistant", content: [.text("Hi"), .audio(transcript: nil)]),
        status: "completed")

    static let session: [ServerRow] = [
        ServerRow(#"{"type":"session.created","event_id":"e","session":{"id":"sess_1"}}"#) {
            [.sessionCreated(sessionID: "sess_1", raw: $0)]
        },
        ServerRow(#"{"session":null,"type":"session.created"}"#) {
            [.sessionCreated(sessionID: nil, raw: $0)]
        },
        ServerRow(#"{"type":"session.updated","session":{"id":"sess_1"}}"#) {
            [.sessionUpdated(raw: $0)]
        },
        ServerRow(#"{"type":"transcription_session.created","session":{"id":"sess_1"}}"#) {
            [.sessionCreated(sessionID: "sess_1", raw: $0)]
        },
        ServerRow(#"{"type":"transcription_session.updated","session":{}}"#) {
            [.sessionUpdated(raw: $0)]
        },
        ServerRow(
            #"{"type":"error","event_id":"e1","error":{"type":"invalid_request_error","#
                + #""code":"unknown_parameter","message":"Unknown","param":"session.x","#
                + #""event_id":"mine"}}"#
        ) {
            [
                .error(
                    RealtimeError(
                        .provider, "Unknown", providerCode: "unknown_parameter",
                        providerType: "invalid_request_error", parameter: "session.x",
                        eventID: "mine"), raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"error","error":{"type":"server_error","code":null,"message":null,"#
                + #""param":null,"event_id":null}}"#
        ) {
            [
                .error(
                    RealtimeError(
                        .provider, "server_error", isRetryable: true,
                        providerType: "server_error"), raw: $0)
            ]
        },
        ServerRow(#"{"type":"error","error":"down"}"#) {
            [.error(RealtimeError(.provider, "down"), raw: $0)]
        },
        ServerRow(#"{"type":"error"}"#) {
            [.error(RealtimeError(.provider, "the provider reported an error"), raw: $0)]
        },
    ]

    static let items: [ServerRow] = [
        ServerRow(
            #"{"type":"conversation.item.added","previous_item_id":null,"item":\#(message)}"#
        ) { [.conversationItemAdded(item, placement: .first, raw: $0)] },
        ServerRow(
            #"{"type":"conversation.item.added","previous_item_id":"i0","item":\#(message)}"#
        ) { [.conversationItemAdded(item, placement: .after("i0"), raw: $0)] },
        ServerRow(#"{"type":"conversation.item.added","item":\#(message)}"#) {
            [.conversationItemAdded(item, placement: .unspecified, raw: $0)]
        },
        // The older wires' one event stands for both.
        ServerRow(
            #"{"type":"conversation.item.created","previous_item_id":"i0","item":\#(message)}"#
        ) {
            [
                .conversationItemAdded(item, placement: .after("i0"), raw: $0),
                .conversationItemDone(item, raw: $0),
            ]
        },
        ServerRow(
            #"{"type":"conversation.item.created","item":{"id":"i2","type":"function_call","#
                + #""status":"in_progress","call_id":"c1","name":"f","arguments":""}}"#
        ) {
            [
                .conversationItemAdded(
                    RealtimeItem(
                        id: "i2",
                        kind: .functionCall(callID: "c1", name: "f", arguments: ""),
                        status: "in_progress"), placement: .unspecified, raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"conversation.item.done","previous_item_id":null,"item":\#(message)}"#
        ) { [.conversationItemDone(item, raw: $0)] },
        ServerRow(#"{"type":"conversation.item.retrieved","item":\#(message)}"#) {
            [.conversationItemRetrieved(item, raw: $0)]
        },
        ServerRow(
            #"{"type":"conversation.item.truncated","item_id":"i1","content_index":0,"#
                + #""audio_end_ms":1500}"#
        ) {
            [
                .itemTruncated(
                    itemID: "i1", contentIndex: 0, audioEndMilliseconds: 1_500, transcript: nil,
                    raw: $0)
            ]
        },
        ServerRow(#"{"type":"conversation.item.deleted","item_id":"i1"}"#) {
            [.itemDeleted(itemID: "i1", raw: $0)]
        },
        ServerRow(
            #"{"type":"conversation.item.input_audio_transcription.delta","item_id":"i1","#
                + #""content_index":0,"delta":" Hel","obfuscation":"x","logprobs":null}"#
        ) {
            [
                .inputTranscriptionDelta(
                    RealtimeContentID(itemID: "i1"), text: " Hel", mode: .append, raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"conversation.item.input_audio_transcription.completed","item_id":"i1","#
                + #""content_index":0,"transcript":"Hello","languages":["en"],"#
                + #""usage":{"type":"duration","seconds":3}}"#
        ) {
            [
                .inputTranscriptionCompleted(
                    RealtimeContentID(itemID: "i1"), transcript: "Hello", isFinal: true,
                    usage: RealtimeUsage(
                        seconds: 3, raw: ["type": "duration", "seconds": 3]), raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"conversation.item.input_audio_transcription.completed","item_id":"i1","#
                + #""transcript":"","usage":{"type":"tokens","total_tokens":7,"input_tokens":5,"#
                + #""output_tokens":2,"input_token_details":{"text_tokens":1,"audio_tokens":4}}}"#
        ) {
            [
                .inputTranscriptionCompleted(
                    RealtimeContentID(itemID: "i1"), transcript: "", isFinal: true,
                    usage: RealtimeUsage(
                        input: .init(total: 5, text: 1, audio: 4), output: .init(total: 2),
                        totalTokens: 7,
                        raw: [
                            "type": "tokens", "total_tokens": 7, "input_tokens": 5,
                            "output_tokens": 2,
                            "input_token_details": ["text_tokens": 1, "audio_tokens": 4],
                        ]), raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"conversation.item.input_audio_transcription.failed","item_id":"i1","#
                + #""content_index":0,"error":{"code":"DeploymentNotFound","message":"No"}}"#
        ) {
            [
                .inputTranscriptionFailed(
                    RealtimeContentID(itemID: "i1"),
                    error: RealtimeError(.provider, "No", providerCode: "DeploymentNotFound"),
                    raw: $0)
            ]
        },
    ]

    static let input: [ServerRow] = [
        ServerRow(
            #"{"type":"input_audio_buffer.committed","item_id":"i1","previous_item_id":"i0"}"#
        ) { [.audioCommitted(itemID: "i1", placement: .after("i0"), raw: $0)] },
        ServerRow(
            #"{"type":"input_audio_buffer.committed","item_id":"i1","previous_item_id":null}"#
        ) { [.audioCommitted(itemID: "i1", placement: .first, raw: $0)] },
        ServerRow(#"{"type":"input_audio_buffer.cleared","event_id":"e"}"#) {
            [.audioCleared(raw: $0)]
        },
        ServerRow(
            #"{"type":"input_audio_buffer.speech_started","item_id":"i1","audio_start_ms":92}"#
        ) { [.speechStarted(itemID: "i1", audioStartMilliseconds: 92, raw: $0)] },
        ServerRow(
            #"{"type":"input_audio_buffer.speech_stopped","item_id":null,"audio_end_ms":99.6}"#
        ) { [.speechStopped(itemID: nil, audioEndMilliseconds: 100, raw: $0)] },
    ]

    static let deltas: [ServerRow] = [
        ServerRow(#"{"type":"response.content_part.added",\#(ids),"part":{"type":"audio"}}"#) {
            [.contentPartAdded(content, raw: $0)]
        },
        // Azure repeats the part as `content`.
        ServerRow(
            #"{"type":"response.content_part.done",\#(ids),"part":{"type":"text","text":""},"#
                + #""content":{"type":"text","text":""}}"#
        ) { [.contentPartDone(content, raw: $0)] },
        ServerRow(#"{"type":"response.output_audio.delta",\#(ids),"delta":"AAEC"}"#) {
            [.audioDelta(content, audio: Data([0, 1, 2]), format: nil, raw: $0)]
        },
        ServerRow(#"{"delta":"\/\/\/\/",\#(ids),"type":"response.audio.delta"}"#) {
            [.audioDelta(content, audio: Data([255, 255, 255]), format: nil, raw: $0)]
        },
        ServerRow(#"{"type":"response.output_audio.done",\#(ids)}"#) {
            [.audioDone(content, raw: $0)]
        },
        ServerRow(#"{"type":"response.audio.done",\#(ids)}"#) { [.audioDone(content, raw: $0)] },
        ServerRow(
            #"{"type":"response.output_audio_transcript.delta",\#(ids),"delta":"Hé\n","#
                + #""obfuscation":"abc"}"#
        ) {
            [.audioTranscriptDelta(content, delta: "Hé\n", startMilliseconds: nil, raw: $0)]
        },
        ServerRow(#"{"type":"response.audio_transcript.delta",\#(ids),"delta":"H"}"#) {
            [.audioTranscriptDelta(content, delta: "H", startMilliseconds: nil, raw: $0)]
        },
        ServerRow(
            #"{"type":"response.output_audio_transcript.done",\#(ids),"transcript":"Hi"}"#
        ) { [.audioTranscriptDone(content, transcript: "Hi", raw: $0)] },
        ServerRow(#"{"type":"response.audio_transcript.done",\#(ids),"transcript":null}"#) {
            [.audioTranscriptDone(content, transcript: nil, raw: $0)]
        },
        ServerRow(#"{"type":"response.output_text.delta",\#(ids),"delta":"H"}"#) {
            [.textDelta(content, delta: "H", raw: $0)]
        },
        ServerRow(#"{"type":"response.text.delta",\#(ids),"delta":"H"}"#) {
            [.textDelta(content, delta: "H", raw: $0)]
        },
        ServerRow(#"{"type":"response.output_text.done",\#(ids),"text":"Hi"}"#) {
            [.textDone(content, text: "Hi", raw: $0)]
        },
        ServerRow(#"{"type":"response.text.done",\#(ids)}"#) {
            [.textDone(content, text: nil, raw: $0)]
        },
        ServerRow(
            #"{"type":"response.function_call_arguments.delta","response_id":"r1","#
                + #""item_id":"i1","output_index":0,"call_id":"c1","delta":"{\"a"}"#
        ) {
            [
                .functionCallArgumentsDelta(
                    responseID: "r1", itemID: "i1", callID: "c1", name: nil, delta: "{\"a",
                    raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"response.function_call_arguments.done","response_id":"r1","#
                + #""item_id":"i1","call_id":"c1","name":"f","arguments":"{  \n} \n"}"#
        ) {
            [
                .functionCallArgumentsDone(
                    responseID: "r1", itemID: "i1", callID: "c1", name: "f",
                    arguments: "{  \n} \n", raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"response.function_call_arguments.done","item_id":"i1","call_id":"c1"}"#
        ) {
            [
                .functionCallArgumentsDone(
                    responseID: nil, itemID: "i1", callID: "c1", name: nil, arguments: "",
                    raw: $0)
            ]
        },
    ]

    @Test(arguments: session + items + input + deltas)
    func aMessageBecomesItsEvent(_ row: ServerRow) throws {
        try row.check(OpenAIRealtimeModel("m"))
    }
}
