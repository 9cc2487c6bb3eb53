import Foundation
import RealtimeVoice
import Testing

/// Addresses, keys and ephemeral tokens.
struct GoogleTokenTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let path = "/ws/google.ai.generativelanguage."

    private func model(
        _ base: String = "https://generativelanguage.googleapis.com",
        key: String? = "key&+#", options: GoogleRealtimeModel.Options = .init()
    ) throws -> GoogleRealtimeModel {
        let url = try #require(URL(string: base))
        return GoogleRealtimeModel("gemini-3.8-live", apiKey: key, baseURL: url, options: options)
    }

    @Test func aKeyRidesInAHeader() throws {
        let request = try model().connectRequest()
        #expect(
            request.url.absoluteString == "wss://generativelanguage.googleapis.com\(Self.path)"
                + "v1beta.GenerativeService.BidiGenerateContent")
        #expect(request.headers.map(\.name) == ["x-goog-api-key"])
        #expect(request.headers.map(\.value) == ["key&+#"])
        #expect(request.subprotocols.isEmpty)
    }

    @Test func theBaseAddressKeepsItsSchemePortAndPath() throws {
        let rows = [
            ("http://localhost:8787", "ws://localhost:8787"),
            ("https://example.com/proxy/v1beta", "wss://example.com/proxy"),
            ("https://example.com/v1alpha/", "wss://example.com"),
            ("ws://127.0.0.1:9", "ws://127.0.0.1:9"),
        ]
        for (base, expected) in rows {
            let url = try model(base).connectRequest().url.absoluteString
            #expect(
                url == "\(expected)\(Self.path)v1beta.GenerativeService.BidiGenerateContent")
        }
    }

    @Test func aTokenIsEscapedStrictly() throws {
        let url = try #require(URL(string: "wss://host/ws/X"))
        let secret = RealtimeClientSecret(token: "auth_tokens/a+b&c=d#e", url: url)
        let request = try model().connectRequest(secret: secret)
        #expect(
            request.url.absoluteString
                == "wss://host/ws/X?access_token=auth_tokens%2Fa%2Bb%26c%3Dd%23e")
        #expect(request.headers.isEmpty)
        let byHeader = try model(options: .init(sendsTokenInHeader: true))
            .connectRequest(secret: secret)
        #expect(byHeader.url == url)
        #expect(byHeader.headers.map(\.value) == ["Token auth_tokens/a+b&c=d#e"])
    }

    @Test func aTokenGivenAsKeyIsUsedAsOne() throws {
        let request = try model(key: "auth_tokens/x").connectRequest()
        #expect(
            request.url.absoluteString.hasSuffix(
                "v1alpha.GenerativeService.BidiGenerateContentConstrained"
                    + "?access_token=auth_tokens%2Fx"))
        #expect(request.headers.isEmpty)
    }

    @Test func vertexHasItsOwnMethodAndNoTokens() throws {
        let vertex = try model(
            "https://us-central1-aiplatform.googleapis.com", options: .init(isVertex: true))
        let request = try vertex.connectRequest()
        #expect(
            request.url.absoluteString == "wss://us-central1-aiplatform.googleapis.com/ws/"
                + "google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent")
        #expect(request.headers.map(\.value) == ["Bearer key&+#"])
        #expect(throws: RealtimeError(.unsupported, "Vertex AI has no ephemeral tokens")) {
            try vertex.clientSecretRequest(options: .init(), now: Self.now)
        }
    }

    @Test func aTokenLocksTheModelAndLeavesTheAppItsOwnFields() throws {
        let config = RealtimeSessionConfig(
            instructions: "x", voice: "Puck", inputAudioTranscription: .init(),
            outputAudioTranscription: .init(), turnDetection: .init(type: .disabled),
            tools: [RealtimeToolDefinition(name: "f")],
            providerOptions: [
                "sessionResumption": [:], "contextWindowCompression": ["slidingWindow": [:]],
                "generationConfig": ["temperature": 0.5],
            ])
        let request = try model("http://localhost:1/v1beta").clientSecretRequest(
            options: .init(expiresAfterSeconds: 300, sessionConfig: config), now: Self.now)
        #expect(request.url.absoluteString == "http://localhost:1/v1alpha/auth_tokens")
        #expect(request.headers.map(\.name) == ["x-goog-api-key"])
        #expect(
            request.body == [
                "uses": 1,
                "newSessionExpireTime": "2026-09-21T14:18:20Z",
                "expireTime": "2026-09-21T14:48:20Z",
                "bidiGenerateContentSetup": [
                    "model": "models/gemini-3.8-live",
                    "generationConfig": [
                        "responseModalities": ["AUDIO"], "temperature": 0.5,
                        "speechConfig": [
                            "voiceConfig": ["prebuiltVoiceConfig": ["voiceName": "Puck"]]
                        ],
                    ],
                    "systemInstruction": ["parts": [["text": "x"]]],
                    "tools": [["functionDeclarations": [["name": "f"]]]],
                ],
                "fieldMask": .string(
                    "generationConfig.responseModalities,generationConfig.speechConfig,"
                        + "generationConfig.temperature,model,systemInstruction,tools"),
            ])
    }

    @Test func aTokenWithoutConfigurationFixesOnlyTheModel() throws {
        let body = try model().clientSecretRequest(options: .init(), now: Self.now).body
        #expect(body["bidiGenerateContentSetup"] == ["model": "models/gemini-3.8-live"])
        #expect(body["fieldMask"] == "model")
        #expect(body["newSessionExpireTime"] == "2026-09-21T14:14:20Z")
    }

    @Test func lifetimesThatTheServiceRefusesAreRefusedHere() throws {
        for seconds in [0, -1, 72_000, Int.max] {
            #expect(throws: RealtimeError.self) {
                try model().clientSecretRequest(
                    options: .init(expiresAfterSeconds: seconds), now: Self.now)
            }
        }
        let body = try model(options: .init(tokenSessionSeconds: .max)).clientSecretRequest(
            options: .init(expiresAfterSeconds: 71_999), now: Self.now
        ).body
        // Both stay below 20 h, and the session's end is not before the last start.
        #expect(body["newSessionExpireTime"] == body["expireTime"])
        let usual = try model(options: .init(tokenSessionSeconds: .max)).clientSecretRequest(
            options: .init(expiresAfterSeconds: 60), now: Self.now
        ).body
        #expect(usual["expireTime"] == "2026-09-22T10:12:20Z")
    }

    @Test func theExpiryIsReckonedWhereTheReplyHasNone() throws {
        let rows: [(JSONValue, Int)] = [
            (["name": "auth_tokens/x"], 1_790_000_300),
            (
                ["name": "auth_tokens/x", "newSessionExpireTime": "2026-09-21T14:14:20.123456Z"],
                1_790_000_060
            ),
            (
                ["name": "auth_tokens/x", "expireTime": "2026-09-21T14:13:21+00:00"],
                1_790_000_001
            ),
            (["name": "auth_tokens/x", "expireTime": "soon"], 1_790_000_300),
        ]
        for (reply, expiry) in rows {
            let secret = try model().clientSecret(
                from: reply, options: .init(expiresAfterSeconds: 300), now: Self.now)
            #expect(secret.expiresAt == expiry)
            #expect(secret.token == "auth_tokens/x")
            #expect(
                secret.url.absoluteString.hasSuffix(
                    "v1alpha.GenerativeService.BidiGenerateContentConstrained"))
        }
        #expect(throws: RealtimeError.self) {
            try model().clientSecret(from: ["nom": "x"], options: .init(), now: Self.now)
        }
    }

    @Test func theKeyIsPrintedNowhere() throws {
        let secretive = try model(key: "SECRET")
        var dumped = ""
        dump(secretive, to: &dumped)
        let text = "\(secretive) \(String(reflecting: secretive)) \(dumped)"
        #expect(!text.contains("SECRET"))
        #expect(throws: RealtimeError.self) {
            try model("ftp://SECRET@host").connectRequest()
        }
    }
}
