import Foundation
public import RealtimeVoice

/// Drives the real codec, machines and reducer with a recording, exactly as a connection would,
/// but with the recording's time.
///
/// In a recording of a service, what the recorded client sent tells what the app did: its tool
/// outputs answer the calls, and its typed text, where the provider doesn't repeat it, stands
/// in the messages. In a scenario the `app` lines tell, and `send` lines are what is expected.
public struct RealtimeReplay {
    let recording: Recording
    let model: any RealtimeModel
    private let config: RealtimeSessionConfig
    var engine: ConversationEngine
    var result = ReplayResult()
    private var collector = ReplayCollector()
    var now = Duration.zero
    var line = 0
    private var isConnected = false
    private var expected = ExpectedFrames()
    /// What registered handlers return, by tool, and calls that wait for a later line.
    private var handlers: [String: RealtimeToolOutput] = [:]
    private var waitingCalls: [RealtimeToolCall] = []
    private var seed = 0

    /// Replays a recording.
    ///
    /// - Throws: `invalidInput` where the header names no known provider or has a `config` that
    ///   is none. Frames that can't be read are counted, never thrown.
    public static func run(_ recording: Recording) throws(RealtimeError) -> ReplayResult {
        var replay = try RealtimeReplay(recording)
        if recording.header["dialect"]?.stringValue == "http" {
            return replay.checkHTTP()
        }
        return replay.run()
    }

    private init(_ recording: Recording) throws(RealtimeError) {
        self.recording = recording
        model = try Self.model(of: recording.header)
        config = try Self.config(of: recording.header)
        engine = Self.engine(model, config, ConversationReducer(), seed: 0)
        result.provider = recording.header["provider"]?.stringValue ?? model.provider
    }

    static func model(of header: JSONValue) throws(RealtimeError) -> any RealtimeModel {
        let name = header["model"]?.stringValue ?? "recorded"
        switch header["provider"]?.stringValue ?? header["dialect"]?.stringValue {
        case "openai", "azure", "azure-openai":
            let address =
                header["provider"] == "openai"
                ? nil : URL(string: "https://recorded.openai.azure.com/openai/v1")
            return OpenAIRealtimeModel(
                name, apiKey: "recorded", baseURL: address ?? OpenAIRealtimeModel.defaultBaseURL)
        case "xai": return XaiRealtimeModel(name, apiKey: "recorded")
        case "google", "gemini", "gemini-live":
            return GoogleRealtimeModel(
                name.hasPrefix("models/") ? String(name.dropFirst(7)) : name, apiKey: "recorded")
        case let provider:
            throw RealtimeError(
                .invalidInput, "the recording's provider is unknown: \(provider ?? "none")")
        }
    }

    private static func config(
        of header: JSONValue
    ) throws(RealtimeError) -> RealtimeSessionConfig {
        guard let json = header["config"], !json.isNull else { return RealtimeSessionConfig() }
        do {
            return try JSONDecoder().decode(
                RealtimeSessionConfig.self, from: Data(json.serializedBytes()))
        } catch {
            throw RealtimeError(
                .invalidInput, "the header's config is no session configuration: \(error)",
                cause: error)
        }
    }

    private static func engine(
        _ model: any RealtimeModel, _ session: RealtimeSessionConfig,
        _ reducer: ConversationReducer, seed: Int
    ) -> ConversationEngine {
        var configuration = ConversationEngine.Configuration()
        configuration.session = session
        return ConversationEngine(
            model: model, configuration: configuration, seed: "replay\(seed)", reducer: reducer)
    }

    // MARK: Lines

    private mutating func run() -> ReplayResult {
        connect()
        for (index, line) in recording.lines.enumerated() {
            self.line = index + 1
            take(line)
        }
        if isConnected { drive { $0.closed(into: &$1) } }
        if recording.header["strict"]?.boolValue == true {
            expected.end(sent: result.sent)
            result.mismatches = expected.mismatches
        }
        collector.finish(&result, engine)
        return result
    }

    private mutating func connect() {
        seed += 1
        engine = Self.engine(model, config, engine.reducer, seed: seed)
        isConnected = true
        let now = now
        drive { engine, effects in
            engine.started(openTimeout: .seconds(15), now: now)
            engine.opened(now: now, into: &effects)
        }
        assumeReadiness(afterCreation: false)
    }

    private mutating func take(_ line: Recording.Line) {
        let now = now
        switch line {
        case .received(let frame):
            // After a close, what follows is a new connection.
            if !isConnected, !wasDisconnected { connect() }
            guard isConnected else { return }
            drive { $0.received(frame, now: now, into: &$1) }
            assumeReadiness(afterCreation: true)
        case .sent(let frame):
            if recording.isScenario {
                expected.expect(frame, line: self.line, sent: result.sent)
            } else if isConnected {
                takeRecordedClient(frame)
            }
        case .closed(let close):
            result.closes.append(close)
            wasDisconnected = false
            if isConnected { drive { $0.closed(into: &$1) } }
            isConnected = false
        case .app(let call): takeApp(call)
        case .clock(let milliseconds): advance(by: .milliseconds(milliseconds))
        case .http, .unreadable: collector.unreadableLines += 1
        }
    }

    /// After `disconnect()` nothing of the old connection counts any more.
    private var wasDisconnected = false

    mutating func disconnect() {
        guard isConnected else { return }
        drive { $0.closed(into: &$1) }
        isConnected = false
        wasDisconnected = true
    }

    /// Excerpts often lack the frame that confirms the configuration; the session then counts
    /// as ready once the configuration is out.
    private mutating func assumeReadiness(afterCreation: Bool) {
        guard recording.isScenario, !engine.isReady, !recording.confirmsConfiguration else {
            return
        }
        let announces = recording.lines.contains { line in
            guard case .received(let frame) = line else { return false }
            return (try? JSONValue(parsing: frame.bytes))?["type"] == "session.created"
        }
        guard afterCreation || !announces else { return }
        let now = now
        drive { engine, effects in engine.assumeReady(now: now, into: &effects) }
    }

    private mutating func advance(by step: Duration) {
        let target = now + max(.zero, step)
        while isConnected, let deadline = engine.deadline, deadline <= target {
            let before = deadline
            now = max(now, deadline)
            let moment = now
            drive { $0.advance(now: moment, into: &$1) }
            if engine.deadline == before { break }
        }
        now = target
    }

    // MARK: Effects

    /// Lets the engine take something in, then does what follows, at once and in order.
    mutating func drive(_ body: (inout ConversationEngine, inout [EngineEffect]) -> Void) {
        var effects: [EngineEffect] = []
        body(&engine, &effects)
        var index = 0
        while index < effects.count {
            let effect = effects[index]
            index += 1
            switch effect {
            case .send(let frame, _):
                let json = (try? JSONValue(parsing: frame.bytes)) ?? .null
                result.sent.append(.init(afterLine: line, frame: json))
            case .event(let event): collector.collect(event, into: &result)
            case .play(let chunk): collector.collect(chunk)
            case .report(let error), .fail(let error):
                if error.code != .provider { result.errors.append(error) }
            case .interruptPlayback(let interruption):
                result.interruptions.append((line, interruption))
            case .runTool(let call): run(call, into: &effects)
            case .ready, .cancelTool: break
            }
        }
        collector.undecodable += engine.undecodableFrames - collector.seenUndecodable
        collector.seenUndecodable = engine.undecodableFrames
    }

    /// Does what the app asks; what can't be done is an error of the result.
    mutating func perform(_ intent: ClientIntent) {
        let now = now
        var failure: RealtimeError?
        drive { engine, effects in
            do throws(RealtimeError) {
                try engine.perform(intent, now: now, into: &effects)
            } catch {
                failure = error
            }
        }
        if let failure { result.errors.append(failure) }
    }

    // MARK: Tools

    private mutating func run(_ call: RealtimeToolCall, into effects: inout [EngineEffect]) {
        guard recording.isScenario else { return }
        var output: RealtimeToolOutput
        if let handled = handlers[call.name] {
            output = handled
        } else if isAnsweredLater(call) {
            waitingCalls.append(call)
            return
        } else {
            output = RealtimeToolOutput(
                callID: call.id, name: call.name,
                output: .string("there is no tool named \(call.name)"), isError: true)
        }
        output.callID = call.id
        try? engine.perform(.toolOutput(output), now: now, into: &effects)
    }

    /// Whether a later line of the file answers a call, by its id or its tool's name.
    private func isAnsweredLater(_ call: RealtimeToolCall) -> Bool {
        recording.lines.dropFirst(max(0, line)).contains { line in
            guard case .app(let json) = line else { return false }
            return json["callID"]?.stringValue == call.id
                || json["call"] == "toolResult" && json["name"]?.stringValue == call.name
        }
    }

    mutating func register(_ output: RealtimeToolOutput) {
        handlers[output.name] = output
        let ready = waitingCalls.filter { $0.name == output.name }
        waitingCalls.removeAll { $0.name == output.name }
        for call in ready {
            var answer = output
            answer.callID = call.id
            perform(.toolOutput(answer))
        }
    }
}
