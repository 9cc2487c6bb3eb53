import Foundation
import RealtimeVoice
import Testing

/// The setup, for each kind of model.
struct GoogleConfigTests {
    private func setup(
        _ modelID: String, _ config: RealtimeSessionConfig,
        _ options: GoogleRealtimeModel.Options = .init()
    ) throws -> JSONValue {
        try GoogleRealtimeModel(modelID, options: options).encode(config: config)
    }

    @Test func everyFieldHasItsPlace() throws {
        let config = RealtimeSessionConfig(
            instructions: "Be brief.", voice: "Puck", outputModalities: ["audio"],
            inputAudioFormat: .pcm24kHz,
            inputAudioTranscription: .init(model: "x", language: "en-US", prompt: "Aurelio, Zed"),
            outputAudioTranscription: .init(), outputAudioFormat: .pcm24kHz,
            turnDetection: .init(
                type: .semanticVAD, threshold: 0.8, silenceDurationMs: 500, prefixPaddingMs: 300,
                eagerness: "low", createResponse: true, interruptResponse: false),
            tools: [
                RealtimeToolDefinition(
                    name: "f", description: "d",
                    parameters: ["type": "object", "properties": ["a": ["type": "string"]]])
            ])
        #expect(
            try setup("gemini-3.8-live", config) == [
                "model": "models/gemini-3.8-live",
                "generationConfig": [
                    "responseModalities": ["AUDIO"],
                    "speechConfig": [
                        "voiceConfig": ["prebuiltVoiceConfig": ["voiceName": "Puck"]]
                    ],
                ],
                "systemInstruction": ["parts": [["text": "Be brief."]]],
                "inputAudioTranscription": [
                    "languageCodes": ["en-US"], "customVocabulary": ["Aurelio", "Zed"],
                ],
                "outputAudioTranscription": [:],
                "realtimeInputConfig": [
                    "automaticActivityDetection": [
                        "startOfSpeechSensitivity": "START_SENSITIVITY_LOW",
                        "endOfSpeechSensitivity": "END_SENSITIVITY_LOW",
                        "silenceDurationMs": 500,
                    ],
                    "activityHandling": "NO_INTERRUPTION",
                ],
                "tools": [
                    [
                        "functionDeclarations": [
                            [
                                "name": "f", "description": "d",
                                "parameters": [
                                    "type": "OBJECT", "properties": ["a": ["type": "STRING"]],
                                ],
                            ]
                        ]
                    ]
                ],
            ])
    }

    @Test func anEmptyConfigurationSendsNothingThatItNeedNot() throws {
        #expect(
            try setup("gemini-3.1-flash-live-preview", .init()) == [
                "model": "models/gemini-3.1-flash-live-preview",
                "generationConfig": ["responseModalities": ["AUDIO"]],
            ])
    }

    @Test func resourceNamesStayAsTheyAre() throws {
        for name in [
            "models/m", "tunedModels/m", "projects/p/locations/l/publishers/google/models/m",
            "publishers/google/models/m",
        ] {
            #expect(try setup(name, .init())["model"] == .string(name))
        }
        #expect(try setup("m", .init(), .init(isVertex: true))["model"] == "m")
    }

    @Test func manualTurnsDisableDetection() throws {
        #expect(
            try setup("gemini-3.8-live", .init(turnDetection: .init(type: .disabled)))[
                "realtimeInputConfig"] == ["automaticActivityDetection": ["disabled": true]])
    }

    @Test func nativeOptionsMergeDeeplyAndToolsAppend() throws {
        let config = RealtimeSessionConfig(
            voice: "Puck", tools: [RealtimeToolDefinition(name: "f")],
            providerOptions: [
                "generationConfig": [
                    "temperature": 0.3, "speechConfig": ["languageCode": "de-DE"],
                    "thinkingConfig": ["thinkingBudget": 0],
                ],
                "sessionResumption": ["handle": .null],
                "contextWindowCompression": ["slidingWindow": [:]],
                "tools": [["googleSearch": [:]]],
            ])
        let encoded = try setup("gemini-2.5-flash-native-audio-latest", config)
        #expect(
            encoded["generationConfig"] == [
                "responseModalities": ["AUDIO"], "temperature": 0.3,
                "thinkingConfig": ["thinkingBudget": 0],
                "speechConfig": [
                    "languageCode": "de-DE",
                    "voiceConfig": ["prebuiltVoiceConfig": ["voiceName": "Puck"]],
                ],
            ])
        // A null would close the socket.
        #expect(encoded["sessionResumption"] == [:])
        #expect(encoded["contextWindowCompression"] == ["slidingWindow": [:]])
        #expect(
            encoded["tools"] == [
                ["functionDeclarations": [["name": "f"]]], ["googleSearch": [:]],
            ])
    }

    @Test func eachFamilyIsSparedWhatItRefuses() throws {
        let config = RealtimeSessionConfig(
            instructions: "x", tools: [RealtimeToolDefinition(name: "f")],
            providerOptions: [
                "proactivity": ["proactiveAudio": true],
                "generationConfig": [
                    "enableAffectiveDialog": true, "thinkingConfig": ["thinkingLevel": "HIGH"],
                ],
            ])
        let rows: [(String, proactive: Bool, affective: Bool, thinking: Bool, tools: Bool)] = [
            ("gemini-3.8-live", false, false, false, true),
            ("gemini-3.8-live-extended-thinking", false, false, true, true),
            ("gemini-3.1-flash-live-preview", false, false, true, true),
            ("gemini-2.5-flash-native-audio-preview-12-2025", true, true, true, true),
            ("gemini-live-2.5-flash-native-audio", true, true, true, true),
            ("gemini-3.5-live-translate-preview", false, false, true, false),
            ("a-model-of-tomorrow", true, true, true, true),
        ]
        for (modelID, proactive, affective, thinking, tools) in rows {
            let encoded = try setup(modelID, config)
            let generation = encoded["generationConfig"]
            #expect((encoded["proactivity"] != nil) == proactive, "\(modelID)")
            #expect((generation?["enableAffectiveDialog"] != nil) == affective, "\(modelID)")
            #expect((generation?["thinkingConfig"] != nil) == thinking, "\(modelID)")
            #expect((encoded["tools"] != nil) == tools, "\(modelID)")
            #expect((encoded["systemInstruction"] != nil) == tools, "\(modelID)")
        }
    }

    @Test func extendedThinkingAlwaysThinksAndNeverBlocks() throws {
        let rows: [(JSONValue?, JSONValue)] = [
            (nil, ["thinkingLevel": "LOW"]),
            (["includeThoughts": true], ["thinkingLevel": "LOW", "includeThoughts": true]),
            (["thinkingLevel": "MINIMAL"], ["thinkingLevel": "LOW"]),
            (["thinkingLevel": "high", "thinkingBudget": 9], ["thinkingLevel": "high"]),
            (["thinkingBudget": 512], ["thinkingBudget": 512]),
        ]
        for (given, expected) in rows {
            var options: [String: JSONValue] = [:]
            options["generationConfig"] = given.map { ["thinkingConfig": $0] }
            let encoded = try setup(
                "gemini-3.8-live-extended-thinking",
                .init(
                    tools: [RealtimeToolDefinition(name: "f")], providerOptions: .object(options)),
                .init(toolBehavior: .blocking))
            #expect(encoded["generationConfig"]?["thinkingConfig"] == expected)
            #expect(
                encoded["tools"]?[0]?["functionDeclarations"] == [
                    ["name": "f", "behavior": "NON_BLOCKING"]
                ])
        }
    }

    @Test func toolBehaviorIsSentWhereItIsAskedFor() throws {
        let config = RealtimeSessionConfig(tools: [RealtimeToolDefinition(name: "f")])
        let encoded = try setup("gemini-3.8-live", config, .init(toolBehavior: .blocking))
        #expect(
            encoded["tools"] == [
                ["functionDeclarations": [["name": "f", "behavior": "BLOCKING"]]]
            ])
    }

    @Test func modalitiesThatAModelLacksAreTypedErrors() throws {
        let rows: [(String, [String], String?)] = [
            ("gemini-3.8-live", ["text"], nil),
            ("gemini-3.1-flash-live-preview", ["text"], nil),
            ("gemini-2.5-flash-native-audio-latest", ["text"], nil),
            ("gemini-3.5-transcribe-live", ["audio"], nil),
            ("gemini-robotics-er-2-streaming-preview", ["audio"], nil),
            ("gemini-2.0-flash-live-001", ["text"], "TEXT"),
            ("gemini-3.5-transcribe-live", [], "TEXT"),
            ("gemini-robotics-er-2-streaming-preview", ["text"], "TEXT"),
            ("gemini-3.8-live", ["text", "audio"], "AUDIO"),
            ("gemini-3.8-live", ["video"], nil),
        ]
        for (modelID, modalities, expected) in rows {
            let config = RealtimeSessionConfig(outputModalities: modalities)
            guard let expected else {
                #expect(throws: RealtimeError.self) { try setup(modelID, config) }
                continue
            }
            #expect(
                try setup(modelID, config)["generationConfig"]?["responseModalities"] == [
                    .string(expected)
                ])
        }
    }

    @Test func aVoiceIsNotSentBesideText() throws {
        let encoded = try setup(
            "gemini-2.0-flash-live-001", .init(voice: "Puck", outputModalities: ["text"]))
        #expect(encoded["generationConfig"] == ["responseModalities": ["TEXT"]])
    }

    @Test func whatTheWireLacksNamesItsField() throws {
        let rows: [(RealtimeSessionConfig, String)] = [
            (.init(inputAudioFormat: .init(type: "audio/pcmu")), "inputAudioFormat"),
            (.init(inputAudioFormat: .init(rate: 4_000)), "inputAudioFormat"),
            (.init(outputAudioFormat: .init(type: "audio/pcma")), "outputAudioFormat"),
            (.init(outputAudioFormat: .init(rate: 48_000)), "outputAudioFormat"),
            (
                .init(turnDetection: .init(type: .serverVAD, createResponse: false)),
                "turnDetection.createResponse"
            ),
            (
                .init(tools: [
                    .init(name: "f", parameters: ["properties": ["a": ["$ref": "#/nowhere"]]])
                ]), "tools"
            ),
        ]
        for (config, parameter) in rows {
            do {
                _ = try setup("gemini-3.8-live", config)
                Issue.record("\(parameter) was taken")
            } catch let error as RealtimeError {
                #expect(error.parameter == parameter)
            }
        }
    }

    @Test func capabilitiesAreHonest() {
        let audio = GoogleRealtimeModel("gemini-3.8-live").capabilities
        #expect(!audio.supportsTextOutput)
        #expect(audio.supportsSessionUpdate)
        #expect(audio.supportsDeferredToolOutput)
        #expect(!audio.supportsTruncation && !audio.supportsAudioClear && !audio.reportsSpeech)
        #expect(audio.defaultInputFormat == .pcm16kHz)
        let old = GoogleRealtimeModel("models/gemini-2.0-flash-live-001").capabilities
        #expect(old.supportsTextOutput && !old.supportsSessionUpdate)
        let deferred: [(String, GoogleRealtimeModel.ToolBehavior?, Bool)] = [
            ("gemini-3.8-live", nil, true), ("gemini-3.8-live", .blocking, false),
            ("gemini-3.8-live-extended-thinking", .blocking, true),
            ("gemini-3.1-flash-live-preview", .nonBlocking, false),
            ("gemini-2.5-flash-native-audio-latest", nil, false),
            ("gemini-2.5-flash-native-audio-latest", .nonBlocking, true),
        ]
        for (modelID, behavior, expected) in deferred {
            let model = GoogleRealtimeModel(modelID, options: .init(toolBehavior: behavior))
            #expect(model.capabilities.supportsDeferredToolOutput == expected)
        }
    }
}
