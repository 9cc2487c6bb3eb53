import RealtimeVoice
import Testing

/// Responses, their items and their usage: the reference's §4.3 and §4.5.
struct OpenAIResponseTests {
    static let rows: [ServerRow] = [
        ServerRow(
            #"{"type":"response.created","response":{"id":"r1","conversation_id":"c1","#
                + #""metadata":{"topic":"x","n":1}}}"#
        ) {
            [
                .responseCreated(
                    responseID: "r1", isOutOfBand: false, metadata: ["topic": "x"], raw: $0)
            ]
        },
        ServerRow(
            #"{"type":"response.created","response":{"id":"r1","conversation_id":null,"#
                + #""metadata":null}}"#
        ) { [.responseCreated(responseID: "r1", isOutOfBand: true, metadata: [:], raw: $0)] },
        ServerRow(#"{"type":"response.created","response":{"id":"r1"}}"#) {
            [.responseCreated(responseID: "r1", isOutOfBand: false, metadata: [:], raw: $0)]
        },
        done(#""status":"completed","status_details":null,"usage":null"#, status: .completed),
        done(#""status_details":"unimplemented","usage":{}"#, status: .completed),
        done(
            #""status":"cancelled","status_details":{"type":"cancelled","reason":"turn_detected"}"#,
            status: .cancelled, reason: "turn_detected"),
        done(
            #""status":"incomplete","status_details":{"type":"incomplete","#
                + #""reason":"max_output_tokens"}"#,
            status: .incomplete, reason: "max_output_tokens"),
        done(
            #""status":"failed","status_details":{"type":"failed","#
                + #""error":{"type":"x","code":"insufficient_quota","message":"No"}}"#,
            status: .failed,
            error: RealtimeError(
                .provider, "No", providerCode: "insufficient_quota", providerType: "x")),
        done(#""status":"failed","status_details":{"error":null}"#, status: .failed),
        done(#""status":"paused""#, status: .init(rawValue: "paused")),
        // What can't be read still ends: its id is found all the same.
        ServerRow(#"{"type":"response.done","response":{"id":"r1","output":[tru]}}"#) {
            [.responseDone(unreadable("r1"), raw: $0)]
        },
        ServerRow(#"{"type":"response.done","response":"r1"}"#) {
            [.responseDone(unreadable(""), raw: $0)]
        },
        ServerRow(#"{"type":"response.done"}"#) { [.responseDone(unreadable(""), raw: $0)] },
        output("added", #"{"id":"i1","type":"message","role":"assistant","content":[]}"#) {
            RealtimeItem(id: "i1", kind: .message(role: "assistant", content: []))
        },
        output(
            "done",
            #"{"id":"i1","object":"realtime.item","type":"function_call","status":"completed","#
                + #""name":"f","call_id":"c1","arguments":"{}","role":"tool"}"#
        ) {
            RealtimeItem(
                id: "i1", kind: .functionCall(callID: "c1", name: "f", arguments: "{}"),
                status: "completed")
        },
        output("done", #"{"type":"function_call","arguments":{"a":1}}"#) {
            RealtimeItem(
                id: "", kind: .functionCall(callID: "", name: "", arguments: #"{"a":1}"#))
        },
        output("added", #"{"id":"i1","type":"function_call_output","output":"42"}"#) {
            RealtimeItem(id: "i1", kind: .functionCallOutput(callID: "", output: "42"))
        },
    ]

    /// What no neutral item has a word for keeps its type.
    static let otherTypes = [
        "mcp_list_tools", "mcp_call", "mcp_tool_call", "mcp_approval_request",
        "mcp_approval_response", "item_reference", "audio", "brand_new",
    ]

    static let contents: [(String, RealtimeItem.Content)] = [
        (#"{"type":"input_text","text":"a"}"#, .text("a")),
        (#"{"type":"output_text","text":"a"}"#, .text("a")),
        (#"{"type":"text","text":"a"}"#, .text("a")),
        (#"{"type":"text","text":null}"#, .text("")),
        (#"{"type":"input_audio","transcript":null}"#, .audio(transcript: nil)),
        (#"{"type":"output_audio","transcript":"a"}"#, .audio(transcript: "a")),
        (#"{"type":"audio","format":"pcm16","transcript":"a"}"#, .audio(transcript: "a")),
        (#"{"type":"input_image","image_url":"data:x"}"#, .image(url: "data:x")),
        (#"{"type":"video"}"#, .other(type: "video")),
        (#"{}"#, .other(type: "")),
        (#"7"#, .other(type: "")),
    ]

    private static func done(
        _ fields: String, status: RealtimeResponse.Status, reason: String? = nil,
        error: RealtimeError? = nil
    ) -> ServerRow {
        ServerRow(#"{"type":"response.done","response":{"id":"r1",\#(fields)}}"#) {
            [
                .responseDone(
                    RealtimeResponse(id: "r1", status: status, reason: reason, error: error),
                    raw: $0)
            ]
        }
    }

    private static func unreadable(_ id: String) -> RealtimeResponse {
        RealtimeResponse(
            id: id, status: .failed,
            error: RealtimeError(.decodingFailed, "a response that can't be read"))
    }

    private static func output(
        _ what: String, _ item: String, _ expected: @escaping @Sendable () -> RealtimeItem
    ) -> ServerRow {
        ServerRow(
            #"{"type":"response.output_item.\#(what)","response_id":"r1","item":\#(item)}"#
        ) {
            what == "added"
                ? [.outputItemAdded(responseID: "r1", expected(), raw: $0)]
                : [.outputItemDone(responseID: "r1", expected(), raw: $0)]
        }
    }

    @Test(arguments: rows)
    func aMessageBecomesItsEvent(_ row: ServerRow) throws {
        try row.check(OpenAIRealtimeModel("m"))
    }

    @Test(arguments: otherTypes)
    func anUnknownItemKeepsItsType(_ type: String) throws {
        try Self.output("added", #"{"id":"i1","type":"\#(type)","status":"new"}"#) {
            RealtimeItem(id: "i1", kind: .other(type: type), status: "new")
        }.check(OpenAIRealtimeModel("m"))
    }

    @Test(arguments: contents)
    func aPartIsReadInEverySpelling(_ json: String, _ part: RealtimeItem.Content) throws {
        try Self.output("done", #"{"type":"message","role":"user","content":[\#(json)]}"#) {
            RealtimeItem(id: "", kind: .message(role: "user", content: [part]))
        }.check(OpenAIRealtimeModel("m"))
    }

    @Test func usageIsNormalisedWithTheRawBesideIt() throws {
        let usage = """
            {"total_tokens":314,"input_tokens":230,"output_tokens":84,
             "input_token_details":{"text_tokens":200,"audio_tokens":30,"image_tokens":0,
              "cached_tokens":128,"cached_tokens_details":{"text_tokens":128}},
             "output_token_details":{"text_tokens":20,"audio_tokens":64,"reasoning_tokens":17}}
            """
        let raw = try JSONValue(parsing: usage)
        try ServerRow(
            #"{"type":"response.done","response":{"id":"r1","status":"completed","#
                + #""output":[{"id":"i1","type":"mcp_call"}],"usage":\#(usage)}}"#
        ) {
            [
                .responseDone(
                    RealtimeResponse(
                        id: "r1", status: .completed,
                        usage: RealtimeUsage(
                            input: .init(
                                total: 230, text: 200, audio: 30, image: 0, cached: 128),
                            output: .init(total: 84, text: 20, audio: 64, reasoning: 17),
                            totalTokens: 314, raw: raw),
                        output: [RealtimeItem(id: "i1", kind: .other(type: "mcp_call"))]),
                    raw: $0)
            ]
        }.check(OpenAIRealtimeModel("m"))
    }
}
