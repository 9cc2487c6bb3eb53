import Foundation
import RealtimeVoice
import Testing

/// Addresses, credentials and client secrets: the reference's §1, §2 and §8.
struct OpenAIConnectingTests {
    private func model(
        _ modelID: String = "gpt-realtime", base: String = "https://api.openai.com/v1",
        options: OpenAIRealtimeModel.Options = .init()
    ) throws -> OpenAIRealtimeModel {
        OpenAIRealtimeModel(
            modelID, apiKey: "sk-secret", baseURL: try #require(URL(string: base)),
            options: options)
    }

    private func headers(_ request: RealtimeConnectRequest) -> [String] {
        request.headers.map { "\($0.name): \($0.value)" }
    }

    static let addresses: [(String, String, String)] = [
        ("https://api.openai.com/v1", "m", "wss://api.openai.com/v1/realtime?model=m"),
        ("http://127.0.0.1:8080", "m", "ws://127.0.0.1:8080/realtime?model=m"),
        ("ws://[::1]:9/a/b/", "m", "ws://[::1]:9/a/b/realtime?model=m"),
        ("wss://h/v1?x=1", "m", "wss://h/v1/realtime?x=1&model=m"),
        (
            "https://h/a%2Fb", "voice&call_id=x#y z/+é",
            "wss://h/a%2Fb/realtime?model=voice%26call_id%3Dx%23y%20z%2F%2B%C3%A9"
        ),
        (
            "https://r.openai.azure.com/openai/v1/", "my deployment",
            "wss://r.openai.azure.com/openai/v1/realtime?model=my%20deployment"
        ),
        (
            "https://r.services.ai.azure.com/voice-live?api-version=2026-04-10", "m",
            "wss://r.services.ai.azure.com/voice-live/realtime?api-version=2026-04-10&model=m"
        ),
    ]

    @Test(arguments: addresses)
    func theAddressIsTheBaseWithItsPath(
        _ base: String, _ modelID: String, _ expected: String
    ) throws {
        let model = try model(modelID, base: base)
        #expect(try model.connectRequest().url.absoluteString == expected)
        let secret = try model.clientSecret(from: ["value": "ek_1"])
        #expect(secret.url.absoluteString == expected)
    }

    @Test(arguments: ["ftp://h", "mailto:x", "/v1", "https:///v1"])
    func aBaseThatIsNoAddressIsAnError(_ base: String) throws {
        let model = try model(base: base)
        do throws(RealtimeError) {
            _ = try model.connectRequest()
            Issue.record("no error")
        } catch {
            #expect(error.code == .invalidInput)
        }
    }

    @Test func eachPurposeHasOneTarget() throws {
        let base = "wss://api.openai.com/v1/realtime"
        let cases: [(OpenAIRealtimeModel.Purpose, String)] = [
            (.conversation, "?model=gpt-realtime"), (.call(id: "rtc_1&x"), "?call_id=rtc_1%26x"),
            (.transcription, "?intent=transcription"),
            (.translation, "/translations?model=gpt-realtime"),
        ]
        for (purpose, rest) in cases {
            let model = try model(options: .init(purpose: purpose))
            #expect(try model.connectRequest().url.absoluteString == base + rest)
        }
    }

    @Test func aCallIsConfiguredWithoutBeingAnnounced() throws {
        let call = try model(options: .init(purpose: .call(id: "rtc_1")))
        #expect(call.makeCodec().configurationMoment == .onOpen)
        #expect(try model().makeCodec().configurationMoment == .onSessionCreated)
    }

    // MARK: Credentials

    @Test func aKeyGoesInAHeader() throws {
        let options = OpenAIRealtimeModel.Options(
            organization: "org", project: "proj", safetyIdentifier: "hash")
        let request = try model(options: options).connectRequest()
        #expect(
            headers(request) == [
                "Authorization: Bearer sk-secret", "OpenAI-Organization: org",
                "OpenAI-Project: proj", "OpenAI-Safety-Identifier: hash",
            ])
        #expect(request.subprotocols == [])
    }

    @Test func aSecretIsASubprotocolAndNeverBoth() throws {
        let model = try model(options: .init(organization: "org", project: "proj"))
        let secret = try model.clientSecret(from: ["value": "ek_1", "expires_at": 7])
        let request = try model.connectRequest(secret: secret)
        #expect(
            request.subprotocols == [
                "realtime", "openai-insecure-api-key.ek_1", "openai-organization.org",
                "openai-project.proj",
            ])
        #expect(headers(request) == [])
        #expect(request.url == secret.url)
    }

    @Test func aSecretThatIsNoTokenGoesInAHeader() throws {
        let secret = try model().clientSecret(from: ["value": "a b,c"])
        let request = try model().connectRequest(secret: secret)
        #expect(request.subprotocols == [])
        #expect(headers(request) == ["Authorization: Bearer a b,c"])
    }

    @Test(arguments: [
        "https://r.openai.azure.com/openai/v1", "https://r.services.ai.azure.com/voice-live",
    ])
    func azureHasItsOwnHeader(_ base: String) throws {
        #expect(headers(try model(base: base).connectRequest()) == ["api-key: sk-secret"])
        let entra = try model(base: base, options: .init(azureCredential: .entraToken))
        #expect(headers(try entra.connectRequest()) == ["Authorization: Bearer sk-secret"])
        let secret = RealtimeClientSecret(
            token: "ek_1", url: try #require(URL(string: "wss://r/x")))
        let request = try model(base: base).connectRequest(secret: secret)
        #expect(headers(request) == ["Authorization: Bearer ek_1"])
        #expect(request.subprotocols == [])
    }

    @Test func theBetaIsNeverAskedFor() throws {
        let model = try model()
        let secret = try model.clientSecret(from: ["value": "ek_1"])
        for request in [try model.connectRequest(), try model.connectRequest(secret: secret)] {
            #expect(!request.headers.contains { $0.name.lowercased() == "openai-beta" })
            #expect(!request.subprotocols.contains { $0.contains("beta") })
        }
    }

    // MARK: Client secrets

    @Test func aSecretBindsTheSession() throws {
        let request = try model(options: .init(safetyIdentifier: "hash")).clientSecretRequest(
            options: .init(
                expiresAfterSeconds: 300,
                sessionConfig: .init(turnDetection: .init(type: .disabled))))
        #expect(request.url.absoluteString == "https://api.openai.com/v1/realtime/client_secrets")
        #expect(
            request.headers.map { "\($0.name): \($0.value)" }
                == ["Authorization: Bearer sk-secret", "OpenAI-Safety-Identifier: hash"])
        #expect(
            request.body == [
                "expires_after": ["anchor": "created_at", "seconds": 300],
                "session": [
                    "type": "realtime", "model": "gpt-realtime",
                    "audio": ["input": ["turn_detection": .null]],
                ],
            ])
    }

    @Test func eachPurposeHasItsSecret() throws {
        let plain = try model().clientSecretRequest(options: .init())
        #expect(plain.body == ["session": ["type": "realtime", "model": "gpt-realtime"]])
        let transcription = try model(
            "gpt-4o-transcribe", options: .init(purpose: .transcription)
        ).clientSecretRequest(options: .init())
        #expect(
            transcription.body == [
                "session": [
                    "type": "transcription",
                    "audio": ["input": ["transcription": ["model": "gpt-4o-transcribe"]]],
                ]
            ])
        let translation = try model("t", options: .init(purpose: .translation))
            .clientSecretRequest(options: .init())
        #expect(translation.url.path == "/v1/realtime/translations/client_secrets")
        #expect(translation.body == ["session": ["model": "t"]])
        let azure = try model(base: "https://r.openai.azure.com/openai/v1")
            .clientSecretRequest(options: .init())
        #expect(
            azure.url.absoluteString
                == "https://r.openai.azure.com/openai/v1/realtime/client_secrets")
        #expect(azure.headers.map(\.name) == ["api-key"])
        #expect(throws: RealtimeError.self) {
            try model(base: "https://r.services.ai.azure.com/voice-live")
                .clientSecretRequest(options: .init())
        }
    }

    @Test(arguments: [(9, false), (10, true), (7_200, true), (7_201, false), (-1, false)])
    func aSecretsLifeIsBounded(_ seconds: Int, _ isGood: Bool) throws {
        let model = try model()
        do throws(RealtimeError) {
            _ = try model.clientSecretRequest(options: .init(expiresAfterSeconds: seconds))
            #expect(isGood)
        } catch {
            #expect(!isGood)
            #expect(error.code == .invalidInput)
            #expect(error.parameter == "expiresAfterSeconds")
        }
    }

    @Test(arguments: ["{}", #"{"value":""}"#, #"{"value":null}"#, "[]"])
    func aReplyWithoutASecretIsAnError(_ reply: String) throws {
        let (model, reply) = (try model(), try JSONValue(parsing: reply))
        do throws(RealtimeError) {
            _ = try model.clientSecret(from: reply)
            Issue.record("no error")
        } catch {
            #expect(error.code == .decodingFailed)
        }
    }
}
