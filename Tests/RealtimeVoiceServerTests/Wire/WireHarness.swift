import Foundation
import RealtimeVoice

@testable import RealtimeVoiceServer

/// Takes a frame as speech where its first sample isn't near 0.
struct LoudDetector: VoiceActivityDetector {
    let frameSamples = 320
    mutating func isSpeech(_ frame: ArraySlice<Int16>) -> Bool {
        (frame.map(\.magnitude).max() ?? 0) > 1_000
    }
}

/// Drives a session machine without sockets, engines or clocks: hearing gives the text that was
/// set, each spoken word lasts 100 ms.
struct WireHarness {
    var machine: SessionMachine
    var now = 0
    /// What the recogniser will have understood.
    var heardText = "hello"
    /// Whether answers come by themselves.
    var answersAtOnce = true
    /// All events so far, and those of the last call.
    private(set) var events: [JSONValue] = []
    private(set) var actions: [SessionMachine.Action] = []

    init(pace: SpeechPace = .immediate, sessionMilliseconds: Int = 3_600_000) {
        machine = SessionMachine(
            settings: SessionSettings(model: "gpt-realtime"), seed: 1, unixTime: 1_000,
            environment: SessionMachine.Environment(
                pace: pace, sessionMilliseconds: sessionMilliseconds,
                makeDetector: { _ in LoudDetector() }))
        _ = feed(.opened)
    }

    /// Feeds an input, performs what it asks for, gives the events that came of it.
    @discardableResult
    mutating func feed(_ input: SessionMachine.Input) -> [JSONValue] {
        var sent: [JSONValue] = []
        var queue = [input]
        while !queue.isEmpty {
            for action in machine.handle(queue.removeFirst(), now: now) {
                actions.append(action)
                if case .send(let event) = action { sent.append(event) }
                queue += answers(to: action)
            }
        }
        events += sent
        return sent
    }

    private func answers(to action: SessionMachine.Action) -> [SessionMachine.Input] {
        guard answersAtOnce else { return [] }
        switch action {
        case .finishHearing(let item): return [.heard(item: item, text: heardText)]
        case .synthesize(let response, let text, let options):
            return [.spoke(response: response, Self.speech(text, options.format))]
        case .ask(let response, let options, let history):
            let request = ResponderRequest(
                instructions: options.instructions, history: history,
                tools: options.definitions, toolChoice: options.choice,
                now: Date(timeIntervalSince1970: 0))
            return BuiltInResponder.answer(request).map { .answered(response: response, $0) }
                + [.answerEnded(response: response, failure: nil)]
        case .send, .beginHearing, .hear, .tellPause, .tellResume, .dropHearing, .stopAsking,
            .close:
            return []
        }
    }

    static func speech(_ text: String, _ format: RealtimeAudioFormat) -> SpokenSentence {
        let words = text.split(separator: " ").map(String.init)
        let size = format.bytes(ofMilliseconds: 100)
        return SpokenSentence(
            bytes: [UInt8](repeating: 1, count: size * words.count),
            words: words.enumerated().map { .init(text: $1, startByte: $0 * size) })
    }

    /// Feeds a client event.
    @discardableResult
    mutating func client(_ event: JSONValue) -> [JSONValue] {
        feed(.received(event))
    }

    /// Feeds a client event and gives the types of what came.
    mutating func types(_ event: JSONValue) -> [String] {
        client(event).map(Self.type)
    }

    /// Lets time pass, waking the machine when it wants to.
    mutating func advance(to time: Int) -> [JSONValue] {
        var sent: [JSONValue] = []
        while let wake = machine.nextWake, wake <= time {
            now = max(now, wake)
            sent += feed(.timePassed)
        }
        now = time
        return sent
    }

    /// Sends sound, 24 kHz PCM, as `input_audio_buffer.append`, 100 ms at a time.
    @discardableResult
    mutating func say(milliseconds: Int, isLoud: Bool) -> [JSONValue] {
        var sent: [JSONValue] = []
        // 600 Hz: a constant would be filtered by nothing, but nobody speaks so.
        let samples = (0..<2_400).map { index -> Int16 in
            isLoud ? (index / 20 % 2 == 0 ? 8_000 : -8_000) : 0
        }
        let audio = PCM16.data(samples).base64EncodedString()
        for _ in 0..<milliseconds / 100 {
            sent += client(["type": "input_audio_buffer.append", "audio": .string(audio)])
        }
        return sent
    }

    /// Updates the session; gives what came.
    @discardableResult
    mutating func update(_ session: JSONValue) -> [JSONValue] {
        let base: JSONValue = ["type": "realtime"]
        return client(["type": "session.update", "session": base.merging(session)])
    }

    /// Adds a typed user message.
    mutating func type(_ text: String) {
        client([
            "type": "conversation.item.create",
            "item": [
                "type": "message", "role": "user",
                "content": [["type": "input_text", "text": .string(text)]],
            ],
        ])
    }

    static func type(_ event: JSONValue) -> String {
        event["type"]?.stringValue ?? ""
    }
}

extension [JSONValue] {
    /// The types, with runs of the same type and of interleaved deltas told once.
    var kinds: [String] {
        reduce(into: []) { kinds, event in
            let type = WireHarness.type(event)
            if kinds.last != type { kinds.append(type) }
        }
    }

    /// The first event of a type.
    func first(_ type: String) -> JSONValue? {
        first { $0["type"]?.stringValue == type }
    }

    /// The code of the first error.
    var errorCode: String? {
        first("error")?["error"]?["code"]?.stringValue
    }
}
