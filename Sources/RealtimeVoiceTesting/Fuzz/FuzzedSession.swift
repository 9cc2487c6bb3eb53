import Foundation
import RealtimeVoice

/// One connection's engine, its app and its clock.
struct FuzzedSession {
    private(set) var engine: ConversationEngine
    private var now = Duration.zero
    private var calls: [String] = []
    private var fault: String?

    init(model: any RealtimeModel) {
        var configuration = ConversationEngine.Configuration()
        configuration.session = RealtimeSessionConfig(
            inputAudioTranscription: RealtimeTranscription(),
            tools: [RealtimeToolDefinition(name: "get_weather")])
        engine = ConversationEngine(model: model, configuration: configuration, seed: "fuzz")
    }

    mutating func open() {
        let now = now
        drive { engine, effects in
            engine.started(openTimeout: .seconds(15), now: now)
            engine.opened(now: now, into: &effects)
        }
    }

    mutating func receive(_ frame: RealtimeFrame) {
        let now = now
        drive { $0.received(frame, now: now, into: &$1) }
    }

    mutating func wait(_ random: inout FuzzRandom) {
        now += .milliseconds(random.below(3_000))
        let now = now
        drive { $0.advance(now: now, into: &$1) }
    }

    /// Does what an app might do at any time; whatever is refused is refused by an error.
    mutating func act(_ random: inout FuzzRandom) {
        let intent: ClientIntent =
            switch random.below(11) {
            case 0: .sendText("Hi", itemID: nil)
            case 1, 2: .appendAudio(Data(count: random.below(3_000)))
            case 3: .commitAudio
            case 4: .clearAudio
            case 5: .requestResponse(RealtimeResponseOptions(isOutOfBand: random.chance(30)))
            case 6: .cancelResponse
            case 7: .playbackInterrupted(playedMilliseconds: random.below(5_000))
            case 8: .playbackProgressed(playedMilliseconds: random.below(5_000))
            case 9: .updateSession(RealtimeSessionConfig(instructions: "x"))
            default:
                .toolOutput(
                    RealtimeToolOutput(
                        callID: random.pick(calls) ?? "none", name: "get_weather",
                        output: ["a": 1], isError: random.chance(20)))
            }
        let now = now
        drive { try? $0.perform(intent, now: now, into: &$1) }
    }

    /// Ends the connection.
    ///
    /// - Returns: The rule that was broken, if one was.
    mutating func close() -> String? {
        drive { $0.closed(into: &$1) }
        let messages = engine.reducer.messages
        if Set(messages.map(\.id)).count != messages.count { fault = "two messages of one id" }
        if (try? JSONEncoder().encode(messages)) == nil { fault = "messages that can't be coded" }
        let streams = messages.contains { message in
            message.role == .assistant && message.parts.contains { $0.text?.state == .streaming }
        }
        if streams { fault = "an answer still streams after the end" }
        return fault
    }

    private mutating func drive(
        _ body: (inout ConversationEngine, inout [EngineEffect]) -> Void
    ) {
        var effects: [EngineEffect] = []
        body(&engine, &effects)
        for effect in effects {
            switch effect {
            case .send(let frame, _):
                if (try? JSONValue(parsing: frame.bytes)) == nil { fault = "sent what is no JSON" }
            case .runTool(let call):
                if calls.contains(call.id) { fault = "ran the call \(call.id) twice" }
                calls.append(call.id)
            case .play(let chunk):
                if chunk.data.isEmpty { fault = "played nothing" }
            case .event(let event): _ = event.raw
            case .ready, .fail, .report, .interruptPlayback, .cancelTool: break
            }
        }
    }
}
