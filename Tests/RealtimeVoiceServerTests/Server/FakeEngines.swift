import RealtimeVoice
import Synchronization

@testable import RealtimeVoiceServer

/// Understands the same words in any sound.
final class FakeRecognizer: SpeechRecognizer {
    private final class Turn: SpeechRecognitionTurn {
        let text: String
        init(text: String) { self.text = text }
        func append(_ samples: [Int16]) {}
        func speechPaused() {}
        func speechResumed() {}
        func finish() async throws(RealtimeError) -> String { text }
        func cancel() {}
    }

    let name = "a fake"
    let text: String

    init(text: String) { self.text = text }

    func startTurn(
        onPartial: @escaping @Sendable (String) -> Void
    ) -> any SpeechRecognitionTurn {
        Turn(text: text)
    }
}

/// Every word is 100 ms of a tone.
struct FakeSynthesizer: SpeechSynthesizer {
    let name = "a fake"

    func synthesize(
        _ text: String,
        voice: String,
        speed: Double
    ) async throws(RealtimeError) -> SynthesizedSpeech {
        let words = text.split(separator: " ").map(String.init)
        return SynthesizedSpeech(
            samples: [Int16](repeating: 3_000, count: 1_600 * words.count), sampleRate: 16_000,
            words: words.enumerated().map { .init(text: $1, startSample: $0 * 1_600) })
    }
}

extension SpeechEngines {
    static func fake(text: String = "Count to three.") -> SpeechEngines {
        SpeechEngines(
            recognizer: FakeRecognizer(text: text), synthesizer: FakeSynthesizer(),
            makeDetector: { _ in LoudDetector() })
    }
}

/// Runs a server for the time of a body.
func withServer<Result>(
    engines: SpeechEngines = .fake(),
    pace: SpeechPace = .immediate,
    maximumQueuedBytes: Int = 32 << 20,
    _ body: (LocalVoiceServer) async throws -> Result
) async throws -> Result {
    let server = LocalVoiceServer(
        .init(engines: engines, pace: pace, maximumQueuedBytes: maximumQueuedBytes))
    try await server.start()
    do {
        let result = try await body(server)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}
