import Foundation
import RealtimeVoice
import RealtimeVoiceServer
import RealtimeVoiceTesting

@MainActor
// snippet.begin README.session
func converse(
    secret: RealtimeClientSecret, microphone: some Microphone, player: some SpeechPlayer
) async {
    let session = RealtimeSession(
        model: OpenAIRealtimeModel("gpt-realtime"),
        sessionConfig: RealtimeSessionConfig(
            instructions: "You are a concise voice assistant.",
            inputAudioTranscription: .init(), turnDetection: .init(type: .serverVAD)))
    session.onError = { error in print(error) }
    session.onInterruption = { [weak session] interruption in  // the user speaks: stop at once
        session?.playbackInterrupted(playedMilliseconds: player.stop(interruption))
    }
    session.connect(secret: secret)  // returns at once; session.status tells
    session.sendText("Hello!")  // waits its turn until the session is configured
    microphone.start { session.sendAudio($0) }  // 16-bit PCM, 24 kHz, one channel; any thread
    for await chunk in session.audioOutput { player.play(chunk) }  // until the session ends
    for message in session.messages { print(message.role, message.text) }
}
// snippet.end

func answerOneQuestion() async throws {
    // snippet.begin README.server
    let answer = try await withRealtimeConnection(
        to: OpenAIRealtimeModel("gpt-realtime"),  // the key is OPENAI_API_KEY's
        config: RealtimeSessionConfig(outputModalities: ["text"])
    ) { connection in
        let updates = connection.updates  // from now on
        try connection.sendText("What is the capital of France?")
        for await update in updates {
            guard case .event(.responseDone(let response, _)) = update else { continue }
            if let error = response.error { throw error }
            break
        }
        return connection.messages.last?.text ?? ""
    }
    print(answer)
    // snippet.end
}

func keep(model: any RealtimeModel) async throws -> RealtimeConnection {
    // snippet.begin README.open
    let connection = try RealtimeConnection.open(to: model)
    try await connection.waitUntilReady()
    // snippet.end
    return connection
}

// snippet.begin README.secret
/// The body of the reply to an app that asks for a session: {"token", "url", "expiresAt"}.
func clientSecret() async throws -> Data {
    let model = OpenAIRealtimeModel("gpt-realtime")  // the key is OPENAI_API_KEY's
    let secret = try await model.createClientSecret(
        options: RealtimeClientSecretOptions(expiresAfterSeconds: 60))
    return try JSONEncoder().encode(secret)
}
// snippet.end

@MainActor
func askOwnServer(_ session: RealtimeSession, login: String) async throws {
    // snippet.begin README.endpoint
    if let endpoint = URL(string: "https://example.com/realtime/session") {
        try await session.connect(
            tokenEndpoint: endpoint, headers: ["Authorization": "Bearer \(login)"])
    }
    // snippet.end
}

@MainActor
func recordASession() {
    // snippet.begin README.recording
    let model = OpenAIRealtimeModel("gpt-realtime")
    let transport = RecordingTransport(DefaultTransport.make(), model: model)
    let session = RealtimeSession(
        model: model, options: RealtimeConnectionOptions(transport: transport))
    // … and when something went wrong:
    store(transport.recording)  // JSON Lines, for `./realtime replay FILE.jsonl`
    // snippet.end
    session.disconnect()
}

func runLocalServer() async throws {
    // snippet.begin README.localServer
    let server = LocalVoiceServer(.init(engines: try SpeechEngines.load()))
    try await server.start()
    let model = OpenAIRealtimeModel("gpt-realtime", apiKey: "any", baseURL: server.baseURL)
    // snippet.end
    _ = model
    await server.stop()
}
