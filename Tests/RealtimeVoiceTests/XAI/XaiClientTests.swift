import Foundation
import RealtimeVoice
import Testing

/// What goes out to xAI: the reference's A1, A2, A5, A6 and the gaps of A14.
struct XaiClientTests {
    private let model = XaiRealtimeModel("grok-voice-latest", apiKey: "xai-secret")

    private static let serverVAD: JSONValue = [
        "type": "server_vad", "create_response": true, "interrupt_response": true,
    ]

    // MARK: Configuration

    @Test func evenTheDefaultIsAskedFor() throws {
        #expect(try model.encode(config: .init()) == ["turn_detection": Self.serverVAD])
    }

    @Test func everyFieldHasItsPlace() throws {
        let config = RealtimeSessionConfig(
            instructions: "x", voice: "Eve", outputModalities: ["audio", "text"],
            inputAudioFormat: .init(type: "audio/pcm", rate: 16_000),
            inputAudioTranscription: .init(language: "en-US", prompt: "Aurelio, Zed\n x"),
            outputAudioTranscription: .init(), outputAudioFormat: .init(type: "audio/pcmu"),
            turnDetection: .init(
                type: .semanticVAD, threshold: 0.5, silenceDurationMs: 20_000,
                prefixPaddingMs: -5, eagerness: "low", createResponse: false,
                interruptResponse: false, idleTimeoutMs: 9_000),
            tools: [.init(name: "f", description: "d", parameters: ["type": "object"])])
        #expect(
            try model.encode(config: config) == [
                "instructions": "x", "voice": "Eve",
                "turn_detection": [
                    "type": "server_vad", "threshold": 0.5, "silence_duration_ms": 10_000,
                    "prefix_padding_ms": 0, "create_response": false,
                    "interrupt_response": false, "idle_timeout_ms": 9_000,
                ],
                "audio": [
                    "input": [
                        "format": ["type": "audio/pcm", "rate": 16_000],
                        "transcription": [
                            "model": "grok-transcribe", "language_hint": "en-US",
                            "keyterms": ["Aurelio", "Zed", "x"],
                        ],
                    ],
                    "output": ["format": ["type": "audio/pcmu", "rate": 8_000]],
                ],
                "tools": [
                    [
                        "type": "function", "name": "f", "description": "d",
                        "parameters": ["type": "object"],
                    ]
                ],
            ])
    }

    @Test(arguments: [(0.0, 0.1), (0.1, 0.1), (0.85, 0.85), (1.0, 0.9)])
    func aThresholdIsClamped(_ asked: Double, _ sent: Double) throws {
        let config = RealtimeSessionConfig(
            turnDetection: .init(type: .serverVAD, threshold: asked))
        #expect(try model.encode(config: config)["turn_detection"]?["threshold"] == .double(sent))
    }

    @Test func keytermsAreBounded() throws {
        let prompt = (0..<150).map { _ in String(repeating: "x", count: 60) }
            .joined(separator: ",")
        let config = RealtimeSessionConfig(inputAudioTranscription: .init(prompt: prompt))
        let terms = try model.encode(config: config)["audio"]?["input"]?["transcription"]?[
            "keyterms"]
        #expect(
            terms
                == .array(
                    Array(repeating: .string(String(repeating: "x", count: 50)), count: 100)))
    }

    @Test func manualTurnsAreAnExplicitNull() throws {
        #expect(
            try model.encode(config: .init(turnDetection: .init(type: .disabled)))
                == ["turn_detection": .null])
    }

    /// A change of something else must not turn detection on again for an app that has it off.
    @Test func aLaterChangeLeavesTurnDetectionAlone() throws {
        var codec = model.makeCodec()
        let first = RealtimeSessionConfig(turnDetection: .init(type: .disabled))
        #expect(
            try sent(.sessionUpdate(first), by: &codec)
                == [["type": "session.update", "session": ["turn_detection": .null]]])
        #expect(
            try sent(.sessionUpdate(.init(instructions: "x")), by: &codec)
                == [["type": "session.update", "session": ["instructions": "x"]]])
    }

    static let unsupported: [(RealtimeSessionConfig, String)] = [
        (.init(outputModalities: ["text"]), "outputModalities"),
        (
            .init(providerOptions: ["audio": ["output": ["transport": "binary"]]]),
            "audio.output.transport"
        ),
        (
            .init(providerOptions: ["audio": ["input": ["transport": "binary"]]]),
            "audio.input.transport"
        ),
    ]

    @Test(arguments: unsupported)
    func whatXaiOrThisLibraryLacksIsAnError(
        _ config: RealtimeSessionConfig, _ parameter: String
    ) {
        do throws(RealtimeError) {
            _ = try model.encode(config: config)
            Issue.record("no error")
        } catch {
            #expect(error.code == .unsupported)
            #expect(error.parameter == parameter)
        }
    }

    @Test(arguments: [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 11_025, 96_000])
    func onlyItsRatesAreTaken(_ rate: Int) {
        let config = RealtimeSessionConfig(
            inputAudioFormat: .init(type: "audio/pcm", rate: rate))
        do throws(RealtimeError) {
            _ = try model.encode(config: config)
            #expect(rate != 11_025 && rate != 96_000)
        } catch {
            #expect(rate == 11_025 || rate == 96_000)
            #expect(error.code == .invalidInput)
        }
    }

    @Test func providerOptionsGoFlatIntoTheSession() throws {
        let options: JSONValue = [
            "replace": ["xAI": "ex A I"], "audio": ["output": ["speed": 1.2]],
            "tools": [["type": "web_search"]], "reasoning": ["effort": "none"],
        ]
        #expect(
            try model.encode(
                config: .init(tools: [.init(name: "f")], providerOptions: options)) == [
                    "turn_detection": Self.serverVAD, "replace": ["xAI": "ex A I"],
                    "audio": ["output": ["speed": 1.2]], "reasoning": ["effort": "none"],
                    "tools": [["type": "function", "name": "f"], ["type": "web_search"]],
                ])
    }

    // MARK: Messages

    @Test(
        arguments: [
            ClientRow(
                .inputAudioAppend(Data([0, 1, 255])),
                ["type": "input_audio_buffer.append", "audio": "AAH/"]),
            // Ids are xAI's own; so is the name of the modalities.
            ClientRow(
                .conversationItemCreate(
                    RealtimeItem(
                        id: "mine", kind: .message(role: "assistant", content: [.text("a")])),
                    placement: .after("i0")),
                [
                    "type": "conversation.item.create", "previous_item_id": "i0",
                    "item": [
                        "type": "message", "role": "assistant",
                        "content": [["type": "output_text", "text": "a"]],
                    ],
                ]),
            ClientRow(
                .responseCreate(
                    .init(
                        instructions: "x", outputModalities: ["text", "audio"],
                        metadata: ["a": "b"], eventID: "e1")),
                [
                    "type": "response.create", "event_id": "e1",
                    "response": [
                        "instructions": "x", "modalities": ["audio"], "metadata": ["a": "b"],
                    ],
                ]),
            // A text result isn't quoted.
            ClientRow(
                .functionCallOutput(
                    RealtimeToolOutput(callID: "call-1-0", name: "f", output: "noon")),
                [
                    "type": "conversation.item.create",
                    "item": [
                        "type": "function_call_output", "call_id": "call-1-0", "output": "noon",
                    ],
                ]),
            ClientRow(
                .raw(XaiRealtimeModel.forceMessage("Hold on.", isInterruptible: false)),
                [
                    "type": "conversation.item.create",
                    "item": [
                        "type": "force_message", "role": "assistant", "interruptible": false,
                        "content": [["type": "output_text", "text": "Hold on."]],
                    ],
                ]),
        ])
    func anEventBecomesItsMessage(_ row: ClientRow) throws {
        try row.check(model)
    }

    @Test(
        arguments: [
            RealtimeClientEvent.conversationItemRetrieve(itemID: "i1"),
            .responseCreate(.init(outputModalities: ["text"])),
            .responseCreate(.init(isOutOfBand: true)),
            .conversationItemCreate(
                RealtimeItem(
                    id: "", kind: .message(role: "user", content: [.image(url: "data:x")])),
                placement: .unspecified),
        ])
    func whatXaiLacksIsUnsupported(_ event: RealtimeClientEvent) {
        #expect(refusal(of: event, by: model)?.code == .unsupported)
    }

    // MARK: Connecting

    private func headers(_ request: RealtimeConnectRequest) -> [String] {
        request.headers.map { "\($0.name): \($0.value)" }
    }

    @Test func theModelsNameCantEndTheQuery() throws {
        let model = XaiRealtimeModel("voice&conversation_id=x#y", apiKey: "k")
        #expect(
            try model.connectRequest().url.absoluteString
                == "wss://api.x.ai/v1/realtime?model=voice%26conversation_id%3Dx%23y")
    }

    @Test func anyBaseWillDo() throws {
        let base = try #require(URL(string: "http://localhost:9/gateway/xai/"))
        let model = XaiRealtimeModel("m", apiKey: "k", baseURL: base)
        let address = "ws://localhost:9/gateway/xai/realtime?model=m"
        #expect(try model.connectRequest().url.absoluteString == address)
        #expect(try model.clientSecret(from: ["value": "s"]).url.absoluteString == address)
        #expect(
            try model.clientSecretRequest(options: .init()).url.absoluteString
                == "http://localhost:9/gateway/xai/realtime/client_secrets")
    }

    @Test func aKeyGoesInAHeaderAndASecretInASubprotocol() throws {
        let request = try model.connectRequest()
        #expect(headers(request) == ["Authorization: Bearer xai-secret"])
        #expect(request.subprotocols == [])
        let secret = try model.clientSecret(
            from: ["value": "xai-realtime-client-secret-1", "expires_at": 7])
        #expect(secret.expiresAt == 7)
        let second = try model.connectRequest(secret: secret)
        #expect(second.url == secret.url)
        #expect(second.subprotocols == ["xai-client-secret.xai-realtime-client-secret-1"])
        #expect(headers(second) == [])
    }

    @Test func aConversationGoesOn() throws {
        let model = XaiRealtimeModel(
            "m", apiKey: "k", options: .init(conversationID: "a b&c"))
        let address = "wss://api.x.ai/v1/realtime?model=m&conversation_id=a%20b%26c"
        #expect(try model.connectRequest().url.absoluteString == address)
        let secret = try model.clientSecret(from: ["value": "s"])
        #expect(
            try model.connectRequest(secret: secret).url.absoluteString == address)
        #expect(
            try model.encode(config: .init())
                == ["turn_detection": Self.serverVAD, "resumption": ["enabled": true]])
        var codec = model.makeCodec()
        _ = try sent(.sessionUpdate(.init()), by: &codec)
        #expect(
            try sent(.sessionUpdate(.init(voice: "ara")), by: &codec)
                == [["type": "session.update", "session": ["voice": "ara"]]])
    }

    @Test func aCallTakesAKeyOnly() throws {
        let model = XaiRealtimeModel("m", apiKey: "k", options: .init(callID: "c&1"))
        #expect(
            try model.connectRequest().url.absoluteString
                == "wss://api.x.ai/v1/realtime?model=m&call_id=c%261")
        let secret = try model.clientSecret(from: ["value": "s"])
        #expect(throws: RealtimeError.self) { try model.connectRequest(secret: secret) }
    }

    // MARK: Client secrets

    @Test func aSecretBindsNoSession() throws {
        let request = try model.clientSecretRequest(
            options: .init(expiresAfterSeconds: 300, sessionConfig: .init(instructions: "x")))
        #expect(request.url.absoluteString == "https://api.x.ai/v1/realtime/client_secrets")
        #expect(
            request.headers.map { "\($0.name): \($0.value)" }
                == ["Authorization: Bearer xai-secret"])
        #expect(request.body == ["expires_after": ["seconds": 300]])
        #expect(try model.clientSecretRequest(options: .init()).body == [:])
    }

    @Test(arguments: [(0, false), (1, true), (3_600, true), (3_601, false)])
    func aSecretsLifeIsBounded(_ seconds: Int, _ isGood: Bool) {
        do throws(RealtimeError) {
            _ = try model.clientSecretRequest(options: .init(expiresAfterSeconds: seconds))
            #expect(isGood)
        } catch {
            #expect(!isGood)
            #expect(error.parameter == "expiresAfterSeconds")
        }
    }
}
