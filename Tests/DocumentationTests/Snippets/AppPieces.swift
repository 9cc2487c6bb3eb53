import Foundation
import RealtimeVoice

// What the snippets take from an app.

/// A player, as the README uses one; the article on barge-in has a whole one.
protocol SpeechPlayer: Sendable {
    func play(_ chunk: RealtimeAudioChunk)
    /// Stops at once and returns what was heard of the interrupted items, in milliseconds.
    func stop(_ interruption: RealtimeInterruption) -> Int
    var playedMilliseconds: Int { get }
}

/// A microphone that calls back on a thread of its own.
protocol Microphone {
    func start(_ onAudio: @escaping @Sendable (Data) -> Void)
}

/// A player for tests: it hears exactly so much.
struct PlayerThatHeard: SpeechPlayer {
    var playedMilliseconds: Int

    func play(_ chunk: RealtimeAudioChunk) {}

    func stop(_ interruption: RealtimeInterruption) -> Int { playedMilliseconds }
}

func currentTime() -> String { "It is noon." }

func show(_ messages: [UIMessage]) {}

func store(_ recording: Data) {}
