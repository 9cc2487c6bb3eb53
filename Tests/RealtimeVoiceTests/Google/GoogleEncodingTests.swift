import Foundation
import RealtimeVoice
import Testing

/// What the client's events become.
struct GoogleEncodingTests {
    private func userText(_ text: String) -> RealtimeClientEvent {
        item(.message(role: "user", content: [.text(text)]))
    }

    private func item(
        _ kind: RealtimeItem.Kind, status: String? = nil
    ) -> RealtimeClientEvent {
        .conversationItemCreate(
            RealtimeItem(id: "m1", kind: kind, status: status), placement: .unspecified)
    }

    private func turn(_ role: String, _ text: String, complete: Bool) -> JSONValue {
        [
            "clientContent": [
                "turns": [["role": .string(role), "parts": [["text": .string(text)]]]],
                "turnComplete": .bool(complete),
            ]
        ]
    }

    // MARK: Audio

    @Test func audioNamesItsRateAndIsOneField() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.codec.encode(.inputAudioAppend(Data([1, 2, 3]))) == [
                RealtimeFrame(
                    #"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"AQID"}}}"#
                )
            ])
        try trace.configure(.init(inputAudioFormat: .pcm24kHz))
        #expect(
            try trace.send(.inputAudioAppend(Data([1, 2, 3]))) == [
                ["realtimeInput": ["audio": ["mimeType": "audio/pcm;rate=24000", "data": "AQID"]]]
            ])
    }

    @Test func oldEndpointsGetMediaChunks() throws {
        let model = GoogleRealtimeModel(
            "gemini-2.0-flash-live-001", options: .init(usesLegacyMediaChunks: true))
        var codec = model.makeCodec()
        _ = try codec.encode(.sessionUpdate(.init()))
        #expect(
            try codec.encode(.inputAudioAppend(Data([1, 2, 3]))) == [
                RealtimeFrame(
                    #"{"realtime_input":{"media_chunks":[{"data":"AQID","#
                        + #""mime_type":"audio/pcm;rate=16000"}]}}"#)
            ])
    }

    @Test func emptyAudioSendsNothing() throws {
        var trace = GoogleTrace()
        #expect(try trace.send(.inputAudioAppend(Data())).isEmpty)
    }

    @Test func commitUnderAutomaticDetectionEndsTheStream() throws {
        var trace = GoogleTrace()
        try trace.configure(.init(turnDetection: .init(type: .serverVAD)))
        #expect(
            try trace.send(.inputAudioCommit) == [["realtimeInput": ["audioStreamEnd": true]]])
    }

    @Test func pushToTalkStandsBetweenStartAndEndHoweverShort() throws {
        var trace = GoogleTrace()
        try trace.configure(.init(turnDetection: .init(type: .disabled)))
        #expect(try trace.send(.inputAudioCommit).isEmpty)
        for _ in 0..<2 {
            let first = try trace.send(.inputAudioAppend(Data([0, 0])))
            #expect(first.count == 2)
            #expect(first.first == ["realtimeInput": ["activityStart": [:]]])
            #expect(first.last?["realtimeInput"]?["audio"] != nil)
            #expect(try trace.send(.inputAudioAppend(Data([0, 0]))).count == 1)
            #expect(
                try trace.send(.inputAudioCommit) == [["realtimeInput": ["activityEnd": [:]]]])
        }
    }

    @Test func manualTurnsFollowTheNativeOptionToo() throws {
        var trace = GoogleTrace()
        try trace.configure(
            .init(providerOptions: [
                "realtimeInputConfig": ["automaticActivityDetection": ["disabled": true]]
            ]))
        #expect(try trace.send(.inputAudioAppend(Data([0, 0]))).count == 2)
    }

    // MARK: Items

    @Test func theUsersTextIsRealtimeInputAndOnVertexATurn() throws {
        var trace = GoogleTrace()
        #expect(try trace.send(userText("Hi")) == [["realtimeInput": ["text": "Hi"]]])
        var vertex = GoogleTrace(isVertex: true)
        #expect(try vertex.send(userText("Hi")) == [turn("user", "Hi", complete: true)])
    }

    @Test func textOutsideAnActivityIsATurn() throws {
        var trace = GoogleTrace()
        try trace.configure(.init(turnDetection: .init(type: .disabled)))
        #expect(try trace.send(userText("Hi")) == [turn("user", "Hi", complete: true)])
        _ = try trace.send(.inputAudioAppend(Data([0, 0])))
        #expect(try trace.send(userText("Hi")) == [["realtimeInput": ["text": "Hi"]]])
    }

    @Test func historyIsTurnsOfUserAndModelOnly() throws {
        let rows: [(RealtimeItem.Kind, String, String)] = [
            (.message(role: "user", content: [.text("a")]), "user", "a"),
            (.message(role: "user", content: [.audio(transcript: "b")]), "user", "b"),
            (.message(role: "assistant", content: [.audio(transcript: "c")]), "model", "c"),
            (.message(role: "system", content: [.text("d")]), "user", "d"),
            (
                .functionCall(callID: "1", name: "f", arguments: "{}"), "model",
                "[Called f with {}]"
            ),
            (.functionCallOutput(callID: "1", output: "x"), "user", "[Result of 1: x]"),
        ]
        for (kind, role, text) in rows {
            var trace = GoogleTrace()
            #expect(
                try trace.send(item(kind, status: "completed"))
                    == [turn(role, text, complete: false)])
        }
    }

    @Test func imagesAreInlineData() throws {
        var trace = GoogleTrace()
        let frames = try trace.send(
            item(
                .message(
                    role: "user",
                    content: [.image(url: "data:image/png;base64,AAAA"), .text("What?")])))
        #expect(
            frames.first?["clientContent"]?["turns"]?[0]?["parts"] == [
                ["inlineData": ["mimeType": "image/png", "data": "AAAA"]], ["text": "What?"],
            ])
    }

    @Test func whatTheWireLacksIsATypedErrorThatNamesIt() throws {
        let rows: [(RealtimeClientEvent, String)] = [
            (.inputAudioClear, "input audio clear"),
            (
                .conversationItemTruncate(itemID: "i", contentIndex: 0, audioEndMilliseconds: 1),
                "conversation item truncate"
            ),
            (.conversationItemDelete(itemID: "i"), "conversation item delete"),
            (.conversationItemRetrieve(itemID: "i"), "conversation item retrieve"),
            (
                item(.message(role: "user", content: [.image(url: "https://x")])),
                "conversation item create"
            ),
            (
                item(.message(role: "user", content: [.audio(transcript: nil)])),
                "conversation item create"
            ),
            (item(.other(type: "mcp_call")), "conversation item create"),
            (.responseCreate(.init(instructions: "x")), "response create"),
            (.responseCreate(.init(outputModalities: ["text"])), "response create"),
            (.responseCreate(.init(isOutOfBand: true)), "response create"),
        ]
        for (event, operation) in rows {
            var trace = GoogleTrace()
            do {
                _ = try trace.send(event)
                Issue.record("\(operation) was sent")
            } catch let error as RealtimeError {
                #expect(error.code == .unsupported)
                #expect(error.parameter == operation)
            }
        }
    }

    @Test func rawMessagesGoAsTheyAre() throws {
        var trace = GoogleTrace()
        let message: JSONValue = ["realtimeInput": ["video": ["mimeType": "image/jpeg"]]]
        #expect(try trace.send(.raw(message)) == [message])
    }

    // MARK: Tools

    @Test func resultsAreObjectsUnderTheConvention() throws {
        let rows: [(JSONValue, Bool, JSONValue)] = [
            ("sunny", false, ["output": "sunny"]),
            (7, false, ["output": 7]),
            ([1], false, ["output": [1]]),
            (.null, false, ["output": .null]),
            (["snake_case": [1]], false, ["snake_case": [1]]),
            (["output": 1], false, ["output": 1]),
            (["error": "no"], false, ["error": "no"]),
            ([:], false, [:]),
            ("no", true, ["error": "no"]),
            (["a": 1], true, ["error": ["a": 1]]),
        ]
        for (output, isError, response) in rows {
            var trace = GoogleTrace()
            _ = try trace.receive(GoogleFrames.call("f", id: "a"))
            #expect(
                try trace.send(
                    .functionCallOutput(
                        .init(callID: "a", name: "f", output: output, isError: isError))) == [
                        [
                            "toolResponse": [
                                "functionResponses": [
                                    ["id": "a", "name": "f", "response": response]
                                ]
                            ]
                        ]
                    ])
        }
    }

    @Test func schedulingStandsBesideTheResponse() throws {
        var trace = GoogleTrace()
        let frames = try trace.send(
            .functionCallOutput(
                .init(callID: "a", name: "f", output: "x", scheduling: .silent)))
        #expect(
            frames.first?["toolResponse"]?["functionResponses"]?[0] == [
                "id": "a", "name": "f", "response": ["output": "x"], "scheduling": "SILENT",
            ])
    }

    @Test func aNamelessAnswerIsRefusedAndAKnownCallGivesItsName() throws {
        var trace = GoogleTrace()
        #expect(throws: RealtimeError.self) {
            try trace.send(.functionCallOutput(.init(callID: "a", name: "", output: "x")))
        }
        _ = try trace.receive(GoogleFrames.call("f", id: "a"))
        let frames = try trace.send(
            .functionCallOutput(.init(callID: "a", name: "", output: "x")))
        #expect(frames.first?["toolResponse"]?["functionResponses"]?[0]?["name"] == "f")
    }

    // MARK: Responses

    @Test func askingForAResponseIsAnEmptyCompleteTurn() throws {
        var trace = GoogleTrace()
        #expect(
            try trace.send(.responseCreate(.init())) == [["clientContent": ["turnComplete": true]]])
    }

    @Test func whatIsAnsweredOfItselfIsNotAskedForAgain() throws {
        var trace = GoogleTrace()
        try trace.configure(.init(turnDetection: .init(type: .disabled)))
        _ = try trace.send(.inputAudioAppend(Data([0, 0])))
        _ = try trace.send(.inputAudioCommit)
        // It would interrupt the answer to what was just said.
        #expect(try trace.send(.responseCreate(.init())).isEmpty)
        // Whoever insists is heard.
        #expect(try trace.send(.responseCreate(.init())).count == 1)
        _ = try trace.receive(GoogleFrames.audio, GoogleFrames.done())
        #expect(try trace.send(.responseCreate(.init())).count == 1)
    }

    @Test func cancelInterruptsWithoutANewAnswer() throws {
        var trace = GoogleTrace()
        #expect(try trace.send(.responseCancel(responseID: nil)).isEmpty)
        _ = try trace.receive(GoogleFrames.audio)
        #expect(
            try trace.send(.responseCancel(responseID: "resp_0")) == [
                ["clientContent": ["turnComplete": false]]
            ])
    }

    // MARK: Configuration

    @Test func theFirstUpdateIsTheSetup() throws {
        var trace = GoogleTrace("gemini-3.8-live")
        let frames = try trace.send(.sessionUpdate(.init(instructions: "Be brief.")))
        #expect(
            frames == [
                [
                    "setup": [
                        "model": "models/gemini-3.8-live",
                        "generationConfig": ["responseModalities": ["AUDIO"]],
                        "systemInstruction": ["parts": [["text": "Be brief."]]],
                    ]
                ]
            ])
    }

    @Test func laterUpdatesChangeTheContextWhereTheModelCan() throws {
        let tool = RealtimeToolDefinition(name: "f")
        var trace = GoogleTrace("gemini-3.8-live")
        _ = try trace.send(.sessionUpdate(.init(instructions: "a", tools: [tool])))
        // What isn't named stays.
        #expect(
            try trace.send(.sessionUpdate(.init(instructions: "b"))) == [
                ["contextUpdate": ["systemInstruction": ["parts": [["text": "b"]]]]]
            ])
        #expect(
            try trace.send(.sessionUpdate(.init(tools: []))) == [
                ["contextUpdate": ["tools": ["tools": []]]]
            ])
        #expect(
            try trace.send(.sessionUpdate(.init(tools: [tool]))) == [
                [
                    "contextUpdate": [
                        "tools": ["tools": [["functionDeclarations": [["name": "f"]]]]]
                    ]
                ]
            ])
        #expect(try trace.send(.sessionUpdate(.init(instructions: "b"))).isEmpty)
        #expect(throws: RealtimeError.self) {
            try trace.send(.sessionUpdate(.init(voice: "Puck")))
        }
    }

    @Test func otherModelsKeepTheirConfiguration() throws {
        var trace = GoogleTrace("gemini-3.1-flash-live-preview")
        _ = try trace.send(.sessionUpdate(.init()))
        #expect(throws: RealtimeError.self) {
            try trace.send(.sessionUpdate(.init(instructions: "x")))
        }
    }
}
