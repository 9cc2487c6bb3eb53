import Foundation
import Observation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// The code block of the design's fourth section, which must compile and work as written; only
/// its placeholders are filled in. What needs no service is run.
@MainActor
struct DesignSnippets {
    private let provider = ScriptedProvider()

    private func makeSession() -> RealtimeSession {
        let options = provider.options(clock: ManualClock())
        // snippet.begin Design.session
        let session = RealtimeSession(
            model: XaiRealtimeModel("grok-voice-latest"),
            sessionConfig: RealtimeSessionConfig(
                instructions: "You are a concise voice assistant.",
                inputAudioTranscription: .init(),
                turnDetection: .init(type: .serverVAD)),
            options: options,
            onToolCall: { call in call.name == "getTime" ? .string(currentTime()) : nil })
        // snippet.end
        return session
    }

    /// Server side; not run, since it needs a key.
    private func mint(config: RealtimeSessionConfig) async throws -> RealtimeClientSecret {
        // snippet.begin Design.secret
        let model = XaiRealtimeModel("grok-voice-latest")
        let secret = try await model.createClientSecret(
            options: RealtimeClientSecretOptions(expiresAfterSeconds: 300, sessionConfig: config))
        // snippet.end
        return secret
    }

    private func models() -> [any RealtimeModel] {
        [OpenAIRealtimeModel("gpt-realtime"), GoogleRealtimeModel("gemini-3.8-live")]
    }

    /// Not run, since it needs a server of the app's.
    private func connect(_ session: RealtimeSession, url: URL) async throws {
        // snippet.begin Design.endpoint
        try await session.connect(tokenEndpoint: url)
        // snippet.end
    }

    private func play(_ session: RealtimeSession, _ player: some SpeechPlayer) async {
        // snippet.begin Design.playing
        for await chunk in session.audioOutput { player.play(chunk) }
        session.playbackInterrupted(playedMilliseconds: player.playedMilliseconds)
        // snippet.end
    }

    private func call(_ id: String) -> JSONValue {
        [
            "type": "response.function_call_arguments.done", "response_id": "r",
            "item_id": .string("item_\(id)"), "call_id": .string(id), "name": .string(id),
            "arguments": "{}",
        ]
    }

    private func speech(_ milliseconds: Int) -> JSONValue {
        [
            "type": "response.output_audio.delta", "response_id": "s", "item_id": "i",
            "content_index": 0,
            "delta": .string(Data(count: milliseconds * 48).base64EncodedString()),
        ]
    }

    @Test(.timeLimit(.minutes(1)))
    func theBlockWorksAsWritten() async throws {
        let session = makeSession()
        let secret = provider.secret
        // snippet.begin Design.connect
        session.connect(secret: secret)
        session.sendText("Hello!")
        // snippet.end
        let update = try await provider.configure()
        #expect(update["session"]?["instructions"] == "You are a concise voice assistant.")
        let item = try await provider.next()
        #expect(item["item"]?["content"]?[0]?["text"] == "Hello!")
        #expect(try await provider.next()["type"] == "response.create")
        let microphoneChunk = Data(count: 960)
        // snippet.begin Design.audio
        session.sendAudio(microphoneChunk)
        // snippet.end
        #expect(try await provider.next()["type"] == "input_audio_buffer.append")
        _ = (session.status, session.messages, session.events, session.onEvent)
        session.disconnect()
        session.disconnect()
        #expect(session.status == .disconnected)
    }

    @Test(.timeLimit(.minutes(1)))
    func aCallThatTheHandlerReturnsNilForIsAnsweredLater() async throws {
        let session = makeSession()
        session.connect(secret: provider.secret)
        try await provider.configure()
        provider.send([
            ["type": "response.created", "response": ["id": "r"]], call("approve"),
            call("getTime"),
        ])
        let first = try await provider.next("conversation.item.create")
        #expect(first["item"]?["call_id"] == "getTime")
        #expect(first["item"]?["output"] == "It is noon.")
        await until { part("approve", of: session)?.state == .inputAvailable }
        answer(
            session, RealtimeToolCall(id: "approve", name: "", argumentsText: "", arguments: [:]))
        let second = try await provider.next("conversation.item.create")
        #expect(second["item"]?["call_id"] == "approve")
        #expect(second["item"]?["output"] == #"{"approved":true}"#)
        await until { part("approve", of: session)?.state == .outputAvailable }
        session.disconnect()
    }

    private func part(_ callID: String, of session: RealtimeSession) -> UIToolPart? {
        session.messages.flatMap(\.parts).compactMap(\.tool).first { $0.toolCallID == callID }
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = condition()
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aPlayerThatStopsIsTold() async throws {
        let session = makeSession()
        session.connect(secret: provider.secret)
        try await provider.configure()
        let player = PlayerThatHeard(playedMilliseconds: 300)
        provider.send([["type": "response.created", "response": ["id": "s"]], speech(1_000)])
        for await chunk in session.audioOutput {
            player.play(chunk)
            break
        }
        session.playbackInterrupted(playedMilliseconds: player.playedMilliseconds)
        #expect(try await provider.next()["type"] == "response.cancel")
        // snippet.begin Design.calls
        session.commitAudio(); session.clearAudioBuffer(); session.requestResponse()
        session.cancelResponse(); session.disconnect()
        // snippet.end
    }

    private func answer(_ session: RealtimeSession, _ call: RealtimeToolCall) {
        // snippet.begin Design.toolOutput
        session.addToolOutput(callID: call.id, output: .object(["approved": .bool(true)]))
        // snippet.end
    }

    @Test func theWholeConfigurationEncodesForOpenAI() throws {
        let approve = RealtimeTool(name: "approve", parameters: .object([:]))
        let config =
            // snippet.begin Design.config
            RealtimeSessionConfig(
                instructions: "…", voice: "marin", outputModalities: ["audio"],
                inputAudioFormat: .init(type: "audio/pcm", rate: 24_000),
                inputAudioTranscription: .init(model: nil, language: "en", prompt: nil),
                outputAudioTranscription: .init(),
                outputAudioFormat: .init(type: "audio/pcm", rate: 24_000),
                turnDetection: .init(
                    type: .serverVAD, threshold: 0.5, silenceDurationMs: 500,
                    prefixPaddingMs: 300),
                tools: getRealtimeToolDefinitions(tools: [approve]),
                providerOptions: nil)
        // snippet.end
        #expect(config.providerOptions == .none)
        let session = try OpenAIRealtimeModel("gpt-realtime").encode(config: config)
        #expect(session["audio"]?["output"]?["voice"] == "marin")
        #expect(session["tools"]?[0]?["name"] == "approve")
        #expect(session["audio"]?["input"]?["turn_detection"]?["silence_duration_ms"] == 500)
    }

    @Test(.timeLimit(.minutes(1)))
    func serversUseTheScopedForm() async throws {
        let (model, secret, options) = (provider.model, provider.secret, provider.options())
        async let configured = provider.configure()
        // snippet.begin Design.scoped
        try await withRealtimeConnection(to: model, secret: secret, options: options) {
            connection in
            try connection.sendText("Hello!")
        }
        // snippet.end
        _ = try await configured
        #expect(try await provider.next("conversation.item.create")["item"] != nil)
    }
}
