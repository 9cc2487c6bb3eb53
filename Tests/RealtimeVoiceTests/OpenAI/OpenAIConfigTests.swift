import Foundation
import RealtimeVoice
import Testing

/// The native session, field by field: the reference's §3.
struct OpenAIConfigTests {
    private func session(_ config: RealtimeSessionConfig) throws -> JSONValue {
        try OpenAIRealtimeModel("gpt-realtime").encode(config: config)
    }

    @Test func nothingThatIsNotNamedIsSent() throws {
        #expect(try session(.init()) == ["type": "realtime"])
    }

    @Test func everyFieldHasItsPlace() throws {
        let config = RealtimeSessionConfig(
            instructions: "Be brief.", voice: "marin", outputModalities: ["text"],
            inputAudioFormat: .init(type: "audio/pcmu"),
            inputAudioTranscription: .init(
                model: "gpt-4o-transcribe", language: "en", prompt: "names"),
            outputAudioTranscription: .init(model: "x"), outputAudioFormat: .pcm24kHz,
            turnDetection: .init(
                type: .serverVAD, threshold: 0.4, silenceDurationMs: 500, prefixPaddingMs: 300,
                eagerness: "low", createResponse: false, interruptResponse: true,
                idleTimeoutMs: 6_000),
            tools: [
                RealtimeToolDefinition(
                    name: "f", description: "d", parameters: ["type": "object"]),
                RealtimeToolDefinition(name: "g", parameters: .null),
            ])
        #expect(
            try session(config) == [
                "type": "realtime", "instructions": "Be brief.", "output_modalities": ["text"],
                "audio": [
                    "input": [
                        "format": ["type": "audio/pcmu"],
                        "transcription": [
                            "model": "gpt-4o-transcribe", "language": "en", "prompt": "names",
                        ],
                        "turn_detection": [
                            "type": "server_vad", "threshold": 0.4, "silence_duration_ms": 500,
                            "prefix_padding_ms": 300, "create_response": false,
                            "interrupt_response": true, "idle_timeout_ms": 6_000,
                        ],
                    ],
                    "output": [
                        "format": ["type": "audio/pcm", "rate": 24_000], "voice": "marin",
                    ],
                ],
                "tools": [
                    [
                        "type": "function", "name": "f", "description": "d",
                        "parameters": ["type": "object"],
                    ],
                    ["type": "function", "name": "g"],
                ],
            ])
    }

    static let turnDetections: [(RealtimeTurnDetection, JSONValue)] = [
        // Left out, it would stay on.
        (.init(type: .disabled, threshold: 0.5), .null),
        (
            .init(type: .serverVAD),
            ["type": "server_vad", "create_response": true, "interrupt_response": true]
        ),
        (
            .init(
                type: .serverVAD, threshold: 7, silenceDurationMs: -1, prefixPaddingMs: -1,
                idleTimeoutMs: 1),
            [
                "type": "server_vad", "create_response": true, "interrupt_response": true,
                "threshold": 1, "silence_duration_ms": 0, "prefix_padding_ms": 0,
                "idle_timeout_ms": 5_000,
            ]
        ),
        // Semantic detection takes none of the other's fields.
        (
            .init(
                type: .semanticVAD, threshold: 0.5, silenceDurationMs: 1, prefixPaddingMs: 1,
                eagerness: "high", interruptResponse: false, idleTimeoutMs: 6_000),
            [
                "type": "semantic_vad", "eagerness": "high", "create_response": true,
                "interrupt_response": false,
            ]
        ),
        (
            .init(type: .init(rawValue: "azure_semantic_vad")),
            ["type": "azure_semantic_vad", "create_response": true, "interrupt_response": true]
        ),
    ]

    @Test(arguments: turnDetections)
    func turnDetectionIsWholeAndWithinBounds(
        _ detection: RealtimeTurnDetection, _ expected: JSONValue
    ) throws {
        let session = try session(.init(turnDetection: detection))
        let actual = session["audio"]?["input"]?["turn_detection"]
        #expect(actual?.merging(.null) == expected.merging(.null))
        #expect(numbersAsDoubles(actual) == numbersAsDoubles(expected))
    }

    private func numbersAsDoubles(_ json: JSONValue?) -> [String: Double]? {
        json?.objectValue?.compactMapValues(\.doubleValue)
    }

    static let transcriptions: [(RealtimeTranscription, JSONValue)] = [
        (.init(), ["model": "gpt-realtime-whisper"]),
        // These models refuse a prompt.
        (
            .init(language: "en", prompt: "a, b"),
            ["model": "gpt-realtime-whisper", "language": "en"]
        ),
        (
            .init(model: "gpt-4o-transcribe-diarize", language: "en", prompt: "a"),
            ["model": "gpt-4o-transcribe-diarize", "language": "en"]
        ),
        (.init(model: "whisper-1", prompt: "a, b"), ["model": "whisper-1", "prompt": "a, b"]),
        // These take lists.
        (
            .init(model: "gpt-transcribe", language: "en", prompt: "Aurelio, Zed\n, x y "),
            [
                "model": "gpt-transcribe", "languages": ["en"],
                "keywords": ["Aurelio", "Zed", "x y"],
            ]
        ),
        (.init(model: "gpt-live-transcribe", prompt: " , "), ["model": "gpt-live-transcribe"]),
    ]

    @Test(arguments: transcriptions)
    func transcriptionHasWhatItsModelTakes(
        _ transcription: RealtimeTranscription, _ expected: JSONValue
    ) throws {
        #expect(
            try session(.init(inputAudioTranscription: transcription)) == [
                "type": "realtime", "audio": ["input": ["transcription": expected]],
            ])
    }

    @Test func nearestMeanings() throws {
        #expect(
            try session(.init(outputModalities: ["text", "audio"]))
                == ["type": "realtime", "output_modalities": ["audio"]])
        #expect(try session(.init(outputModalities: [])) == ["type": "realtime"])
        #expect(
            try session(.init(voice: "voice_123"))
                == ["type": "realtime", "audio": ["output": ["voice": ["id": "voice_123"]]]])
    }

    @Test func fallsyValuesAreSent() throws {
        #expect(
            try session(.init(instructions: "", tools: []))
                == ["type": "realtime", "instructions": "", "tools": []])
    }

    @Test(
        arguments: [
            ("audio/pcm", 16_000, "audioFormat.rate"), ("audio/opus", 24_000, "audioFormat.type"),
        ])
    func aFormatThatTheWireLacksIsAnError(_ type: String, _ rate: Int, _ parameter: String) {
        let format = RealtimeAudioFormat(type: type, rate: rate)
        for config in [
            RealtimeSessionConfig(inputAudioFormat: format),
            RealtimeSessionConfig(outputAudioFormat: format),
        ] {
            do throws(RealtimeError) {
                _ = try OpenAIRealtimeModel("m").encode(config: config)
                Issue.record("no error")
            } catch {
                #expect(error.code == .invalidInput)
                #expect(error.parameter == parameter)
            }
        }
    }

    @Test func providerOptionsMergeDeeplyAndToolsAppend() throws {
        let options: JSONValue = [
            "audio": [
                "input": ["noise_reduction": ["type": "near_field"], "transcription": .null],
                "output": ["speed": 1.25],
            ],
            "tools": [["type": "mcp", "server_label": "s"]], "tracing": .null,
            "reasoning": ["effort": "low"],
        ]
        let config = RealtimeSessionConfig(
            voice: "ash", inputAudioTranscription: .init(), tools: [.init(name: "f")],
            providerOptions: options)
        #expect(
            try session(config) == [
                "type": "realtime", "tracing": .null, "reasoning": ["effort": "low"],
                "audio": [
                    "input": ["noise_reduction": ["type": "near_field"], "transcription": .null],
                    "output": ["speed": 1.25, "voice": "ash"],
                ],
                "tools": [
                    ["type": "function", "name": "f"], ["type": "mcp", "server_label": "s"],
                ],
            ])
    }

    // MARK: Other kinds of session

    @Test func aTranscriptionSessionHasOnlyInput() throws {
        let model = OpenAIRealtimeModel(
            "gpt-4o-transcribe", options: .init(purpose: .transcription))
        let config = RealtimeSessionConfig(
            instructions: "x", voice: "x", inputAudioFormat: .pcm24kHz,
            turnDetection: .init(type: .serverVAD), tools: [.init(name: "f")],
            providerOptions: ["include": ["item.input_audio_transcription.logprobs"]])
        #expect(
            try model.encode(config: config) == [
                "type": "transcription", "include": ["item.input_audio_transcription.logprobs"],
                "audio": [
                    "input": [
                        "format": ["type": "audio/pcm", "rate": 24_000],
                        "transcription": ["model": "gpt-4o-transcribe"],
                        "turn_detection": [
                            "type": "server_vad", "create_response": true,
                            "interrupt_response": true,
                        ],
                    ]
                ],
            ])
    }

    @Test(arguments: ["gpt-realtime-whisper", "gpt-live-transcribe"])
    func aStreamingTranscriptionHasNoTurnDetection(_ modelID: String) throws {
        let model = OpenAIRealtimeModel(modelID, options: .init(purpose: .transcription))
        for config in [
            RealtimeSessionConfig(),
            RealtimeSessionConfig(turnDetection: .init(type: .disabled)),
        ] {
            #expect(
                try model.encode(config: config)["audio"]?["input"] == [
                    "transcription": ["model": .string(modelID)], "turn_detection": .null,
                ])
        }
        do throws(RealtimeError) {
            _ = try model.encode(config: .init(turnDetection: .init(type: .serverVAD)))
            Issue.record("no error")
        } catch {
            #expect(error.code == .unsupported)
            #expect(error.parameter == "turnDetection")
        }
    }

    @Test func aTranslationSessionTakesItsLanguageFromTheOptions() throws {
        let model = OpenAIRealtimeModel(
            "gpt-realtime-translate", options: .init(purpose: .translation))
        let config = RealtimeSessionConfig(
            instructions: "x", inputAudioTranscription: .init(),
            providerOptions: ["audio": ["output": ["language": "es"]]])
        #expect(
            try model.encode(config: config) == [
                "audio": [
                    "input": ["transcription": ["model": "gpt-realtime-whisper"]],
                    "output": ["language": "es"],
                ]
            ])
    }

    @Test func voiceLiveIsFlat() throws {
        let address = try #require(URL(string: "https://r.services.ai.azure.com/voice-live"))
        let model = OpenAIRealtimeModel("m", apiKey: "k", baseURL: address)
        let config = RealtimeSessionConfig(
            instructions: "x", voice: "en-US-AvaNeural", outputModalities: ["audio"],
            inputAudioFormat: .pcm16kHz, inputAudioTranscription: .init(language: "en"),
            outputAudioFormat: .init(type: "audio/pcma"), turnDetection: .init(type: .disabled),
            tools: [.init(name: "f")])
        #expect(
            try model.encode(config: config) == [
                "instructions": "x", "modalities": ["text", "audio"],
                "voice": ["name": "en-US-AvaNeural", "type": "azure-standard"],
                "input_audio_format": "pcm16", "input_audio_sampling_rate": 16_000,
                "output_audio_format": "g711_alaw",
                "input_audio_transcription": ["model": "whisper-1", "language": "en"],
                "turn_detection": .null, "tools": [["type": "function", "name": "f"]],
            ])
        #expect(
            try model.encode(config: .init(voice: "ash", outputModalities: ["text"]))
                == ["voice": ["name": "ash", "type": "openai"], "modalities": ["text"]])
        #expect(try model.encode(config: .init()) == [:])
    }
}
