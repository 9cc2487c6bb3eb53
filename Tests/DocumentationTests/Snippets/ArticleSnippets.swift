import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

// MARK: GettingStarted

@MainActor
func talkToLocalServer() {
    // snippet.begin GettingStarted.local
    // after: ./realtime serve --port 8080
    guard let address = URL(string: "http://127.0.0.1:8080/v1") else { return }
    let model = OpenAIRealtimeModel("gpt-realtime", apiKey: "local", baseURL: address)
    let session = RealtimeSession(model: model)
    session.connectWithAPIKey()
    // snippet.end
    session.disconnect()
}

@MainActor
func watch(_ session: RealtimeSession) {
    // snippet.begin GettingStarted.state
    switch session.status {
    case .disconnected, .connecting: break
    case .connected: show(session.messages)
    case .failed(let error): print(error, error.isRetryable)
    }
    // snippet.end
}

@MainActor
func pushToTalk(_ session: RealtimeSession) {
    // snippet.begin GettingStarted.pushToTalk
    // With turnDetection: .init(type: .disabled), when the button is let go:
    session.commitAudio()
    session.requestResponse()
    // snippet.end
}

@MainActor
func reconnect(_ session: RealtimeSession, _ secret: RealtimeClientSecret) {
    // snippet.begin GettingStarted.errors
    session.onError = { error in
        switch error.code {
        case .connectionClosed, .connectFailed, .timeout:
            print("try again with a new secret: \(error.message)")
        case .provider: print("the provider: \(error.providerCode ?? "") \(error.message)")
        case .unsupported: print("this wire can't: \(error.message)")
        default: print(error)
        }
    }
    // snippet.end
}

// MARK: BargeIn

@MainActor
func reportByItem(_ session: RealtimeSession, itemID: String, position: Int) {
    // snippet.begin BargeIn.byItem
    session.playbackInterrupted(itemID: itemID, playedMilliseconds: position)
    // snippet.end
}

// MARK: Tools

@MainActor
func makeSessionWithTools(model: any RealtimeModel) -> RealtimeSession {
    // snippet.begin Tools.typed
    struct Place: Decodable {
        var city: String
        var unit: String?
    }
    let weather = RealtimeTool(
        name: "getWeather", description: "Tells the weather of a city.",
        parameters: .object([
            "city": .string("The city's name"),
            "unit": .string("The unit", oneOf: ["celsius", "fahrenheit"]).optional,
        ])
    ) { (place: Place) in
        "It is sunny in \(place.city)."
    }
    let session = RealtimeSession(model: model, tools: [weather])
    // snippet.end
    return session
}

@MainActor
func makeSessionWithHandler(model: any RealtimeModel) -> RealtimeSession {
    // snippet.begin Tools.handler
    let approve = RealtimeTool(
        name: "approve", description: "Asks the user to approve a payment.",
        parameters: .object(["amount": .number("In euros", in: 0...1_000)]))
    let time = RealtimeTool(name: "getTime", parameters: .object([:]))
    let session = RealtimeSession(
        model: model, tools: [approve, time],
        onToolCall: { call in
            if call.name == "getTime" { return .string(currentTime()) }
            return nil  // approve: answered later, with addToolOutput
        })
    // snippet.end
    return session
}

@MainActor
func answer(_ session: RealtimeSession, callID: String) {
    // snippet.begin Tools.later
    session.addToolOutput(callID: callID, output: ["approved": true])
    // snippet.end
}

func makeImpatientOptions() -> RealtimeConnectionOptions {
    // snippet.begin Tools.options
    RealtimeConnectionOptions(toolTimeout: .seconds(20), cancelsToolsOnInterruption: true)
    // snippet.end
}

// MARK: Providers

@MainActor
func stopOrWait(_ session: RealtimeSession) {
    // snippet.begin Providers.capabilities
    if session.model.capabilities.supportsAudioClear { session.clearAudioBuffer() }
    // snippet.end
}

func nativeOptions() -> RealtimeSessionConfig {
    // snippet.begin Providers.options
    RealtimeSessionConfig(
        voice: "marin",
        providerOptions: ["audio": ["input": ["noise_reduction": ["type": "near_field"]]]])
    // snippet.end
}

// MARK: Testing

@MainActor
struct TestingArticleTests {
    // snippet.begin Testing.scripted
    @Test(.timeLimit(.minutes(1)))
    func aBargeInIsReported() async throws {
        let provider = ScriptedProvider()
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        session.onInterruption = { [weak session] _ in
            session?.playbackInterrupted(playedMilliseconds: 250)
        }
        session.connect(secret: provider.secret)
        try await provider.configure()  // session.created, session.update, session.updated
        let second = Data(count: 48_000).base64EncodedString()
        provider.send([
            ["type": "response.created", "response": ["id": "r"]],
            [
                "type": "response.output_audio.delta", "response_id": "r", "item_id": "i",
                "content_index": 0, "delta": .string(second),
            ],
            ["type": "input_audio_buffer.speech_started", "item_id": "u"],
        ])
        let truncate = try await provider.next("conversation.item.truncate")
        #expect(truncate["audio_end_ms"] == 250)
        session.disconnect()
    }
    // snippet.end

    // snippet.begin Testing.replay
    @Test func theRecordedSessionStillReads() throws {
        let text = #"""
            {"provider":"openai","model":"gpt-realtime","strict":true}
            {"dir":"recv","frame":{"type":"session.created","session":{"id":"s"}}}
            {"dir":"send","frame":{"type":"session.update"}}
            {"dir":"recv","frame":{"type":"session.updated","session":{"id":"s"}}}
            {"dir":"app","call":"sendText","text":"Hello!"}
            {"dir":"send","frame":{"type":"conversation.item.create","item":{"id":"*"}}}
            {"dir":"send","frame":{"type":"response.create"}}
            """#
        let result = try RealtimeReplay.run(Recording(Data(text.utf8)))
        #expect(result.mismatches.isEmpty)
        #expect(result.messages.map(\.text) == ["Hello!"])
    }
    // snippet.end

    // snippet.begin Testing.clock
    @Test(.timeLimit(.minutes(1)))
    func aServerThatNeverAcceptsIsGivenUp() async throws {
        let (provider, clock) = (ScriptedProvider(), ManualClock())
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: clock))
        let (failures, failed) = AsyncStream.makeStream(of: RealtimeError.self)
        session.onError = { failed.yield($0) }
        session.connect(secret: provider.secret)
        session.sendText("Is anybody there?")
        clock.advance(by: .seconds(30))  // nobody sleeps
        for await error in failures where error.code == .timeout { break }
        #expect(session.messages.map(\.text) == ["Is anybody there?"])
    }
    // snippet.end

    // snippet.begin Testing.memory
    @Test(.timeLimit(.minutes(1)))
    func aRefusalIsTold() async throws {
        let transport = InMemoryTransport()
        let session = RealtimeSession(
            model: OpenAIRealtimeModel("gpt-realtime", apiKey: "test"),
            options: RealtimeConnectionOptions(transport: transport))
        let (failures, failed) = AsyncStream.makeStream(of: RealtimeError.self)
        session.onError = { failed.yield($0) }
        session.connectWithAPIKey()
        let peer = await transport.nextConnection()
        peer?.refuse(RealtimeError(.httpStatus, "no such key", httpStatus: 401))
        for await error in failures {
            #expect(error.httpStatus == 401)
            break
        }
        #expect(session.messages.isEmpty)
    }
    // snippet.end
}
