import Foundation
import RealtimeVoice
import Testing

/// Every client message of the reference's §4.1 to §4.3, as exact JSON.
struct OpenAIClientEventTests {
    private static func create(
        _ kind: RealtimeItem.Kind, _ placement: RealtimeItemPlacement = .unspecified,
        id: String = ""
    ) -> RealtimeClientEvent {
        .conversationItemCreate(RealtimeItem(id: id, kind: kind), placement: placement)
    }

    private static func created(_ item: JSONValue) -> JSONValue {
        ["type": "conversation.item.create", "item": item]
    }

    private static func output(_ output: JSONValue, isError: Bool = false) -> RealtimeClientEvent {
        .functionCallOutput(
            RealtimeToolOutput(callID: "c1", name: "f", output: output, isError: isError))
    }

    private static func answered(_ text: String) -> JSONValue {
        created(["type": "function_call_output", "call_id": "c1", "output": .string(text)])
    }

    static let rows: [ClientRow] = [
        ClientRow(
            .inputAudioAppend(Data([0, 1, 255])),
            ["type": "input_audio_buffer.append", "audio": "AAH/"]),
        ClientRow(.inputAudioAppend(Data()), ["type": "input_audio_buffer.append", "audio": ""]),
        ClientRow(.inputAudioCommit, ["type": "input_audio_buffer.commit"]),
        ClientRow(.inputAudioClear, ["type": "input_audio_buffer.clear"]),
        ClientRow(
            create(.message(role: "user", content: [.text("Hi"), .image(url: "data:x")])),
            created([
                "type": "message", "role": "user",
                "content": [
                    ["type": "input_text", "text": "Hi"],
                    ["type": "input_image", "image_url": "data:x"],
                ],
            ])),
        ClientRow(
            create(.message(role: "user", content: [.audio(transcript: "Hi")])),
            created([
                "type": "message", "role": "user",
                "content": [["type": "input_text", "text": "Hi"]],
            ])),
        ClientRow(
            create(.message(role: "assistant", content: [.text("a"), .audio(transcript: nil)])),
            created([
                "type": "message", "role": "assistant",
                "content": [
                    ["type": "output_text", "text": "a"], ["type": "output_text", "text": ""],
                ],
            ])),
        ClientRow(
            create(.message(role: "system", content: [.text("a")]), .first, id: "mine"),
            [
                "type": "conversation.item.create", "previous_item_id": "root",
                "item": [
                    "type": "message", "role": "system", "id": "mine",
                    "content": [["type": "input_text", "text": "a"]],
                ],
            ]),
        // The wire refuses ids of more than 32 characters.
        ClientRow(
            create(
                .functionCall(callID: "c1", name: "f", arguments: "{}"), .after("i0"),
                id: String(repeating: "x", count: 33)),
            [
                "type": "conversation.item.create", "previous_item_id": "i0",
                "item": [
                    "type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}",
                ],
            ]),
        ClientRow(
            create(.functionCallOutput(callID: "c1", output: "42")),
            created(["type": "function_call_output", "call_id": "c1", "output": "42"])),
        ClientRow(output("42 \"°\""), answered("42 \"°\"")),
        ClientRow(output(["b": .null, "a": [1, 2.5]]), answered(#"{"a":[1,2.5],"b":null}"#)),
        ClientRow(output(false), answered("false")),
        ClientRow(output("no", isError: true), answered(#"{"error":"no"}"#)),
        ClientRow(
            .conversationItemTruncate(itemID: "i1", contentIndex: 0, audioEndMilliseconds: 1_500),
            [
                "type": "conversation.item.truncate", "item_id": "i1", "content_index": 0,
                "audio_end_ms": 1_500,
            ]),
        ClientRow(
            .conversationItemDelete(itemID: "i1"),
            ["type": "conversation.item.delete", "item_id": "i1"]),
        ClientRow(
            .conversationItemRetrieve(itemID: "i1"),
            ["type": "conversation.item.retrieve", "item_id": "i1"]),
        ClientRow(.responseCreate(.init()), ["type": "response.create"]),
        ClientRow(
            .responseCreate(
                .init(
                    instructions: "", outputModalities: ["text"], metadata: ["a": "b"],
                    isOutOfBand: true, eventID: "e1",
                    providerOptions: ["input": [], "audio": ["output": ["voice": "ash"]]])),
            [
                "type": "response.create", "event_id": "e1",
                "response": [
                    "instructions": "", "output_modalities": ["text"], "metadata": ["a": "b"],
                    "conversation": "none", "input": [], "audio": ["output": ["voice": "ash"]],
                ],
            ]),
        // Both together are refused; speech brings its transcript along.
        ClientRow(
            .responseCreate(.init(outputModalities: ["audio", "text"])),
            ["type": "response.create", "response": ["output_modalities": ["audio"]]]),
        ClientRow(
            .responseCreate(.init(outputModalities: [])), ["type": "response.create"]),
        ClientRow(.responseCancel(responseID: nil), ["type": "response.cancel"]),
        ClientRow(
            .responseCancel(responseID: "r1"),
            ["type": "response.cancel", "response_id": "r1"]),
        ClientRow(
            .raw(["type": "output_audio_buffer.clear"]), ["type": "output_audio_buffer.clear"]),
    ]

    @Test(arguments: rows)
    func anEventBecomesItsMessage(_ row: ClientRow) throws {
        try row.check(OpenAIRealtimeModel("m"))
    }

    @Test func voiceLiveHasTheOlderNames() throws {
        let address = try #require(
            URL(string: "https://r.services.ai.azure.com/voice-live?api-version=2026-04-10"))
        let model = OpenAIRealtimeModel("m", apiKey: "k", baseURL: address)
        try ClientRow(
            .responseCreate(.init(outputModalities: ["audio"])),
            ["type": "response.create", "response": ["modalities": ["text", "audio"]]]
        ).check(model)
        try ClientRow(
            Self.create(.message(role: "assistant", content: [.text("a")])),
            Self.created([
                "type": "message", "role": "assistant",
                "content": [["type": "text", "text": "a"]],
            ])
        ).check(model)
    }

    @Test func soundThatOneMessageCantHoldGoesInSeveral() throws {
        var codec = OpenAIRealtimeModel("m").makeCodec()
        let audio = Data((0..<(13 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let messages = try sent(.inputAudioAppend(audio), by: &codec)
        let pieces = messages.compactMap { Data(base64Encoded: $0["audio"]?.stringValue ?? "") }
        #expect(pieces.map(\.count) == [6 << 20, 6 << 20, 1 << 20])
        #expect(pieces.reduce(Data(), +) == audio)
        // A slice of something longer is read from where it begins.
        #expect(
            try sent(.inputAudioAppend(audio.dropFirst(3).prefix(3)), by: &codec)
                == [["type": "input_audio_buffer.append", "audio": "FRwj"]])
    }

    @Test(arguments: [
        RealtimeItem.Kind.other(type: "x"), .message(role: "user", content: [.other(type: "x")]),
    ])
    func whatIsNotKnownCantBeSent(_ kind: RealtimeItem.Kind) {
        #expect(
            refusal(of: Self.create(kind), by: OpenAIRealtimeModel("m"))?.code == .invalidInput)
    }

    private static let conversational: [RealtimeClientEvent] = [
        create(.message(role: "user", content: [.text("Hi")])), output("x"),
        .conversationItemTruncate(itemID: "i", contentIndex: 0, audioEndMilliseconds: 1),
        .responseCreate(.init()), .responseCancel(responseID: nil),
    ]

    @Test(arguments: conversational)
    func aTranscriptionTakesNoConversation(_ event: RealtimeClientEvent) {
        let model = OpenAIRealtimeModel("m", options: .init(purpose: .transcription))
        #expect(refusal(of: event, by: model)?.code == .unsupported)
    }

    @Test func aTranscriptionTakesTheBuffersMessages() throws {
        let model = OpenAIRealtimeModel("m", options: .init(purpose: .transcription))
        for row in Self.rows {
            switch row.event {
            case .inputAudioAppend, .inputAudioCommit, .inputAudioClear, .raw: try row.check(model)
            default: break
            }
        }
    }

    @Test(arguments: conversational + [.inputAudioCommit, .inputAudioClear])
    func aTranslationTakesSoundAndNothingElse(_ event: RealtimeClientEvent) throws {
        let model = OpenAIRealtimeModel("m", options: .init(purpose: .translation))
        #expect(refusal(of: event, by: model)?.code == .unsupported)
        try ClientRow(
            .inputAudioAppend(Data([0, 1, 255])),
            ["type": "session.input_audio_buffer.append", "audio": "AAH/"]
        ).check(model)
        try ClientRow(.raw(["type": "session.close"]), ["type": "session.close"]).check(model)
    }
}
