import Foundation

/// Keeps what the app does before the session is configured, in order.
///
/// Both limits are known to the app: too many calls are refused, and of too much audio the
/// oldest falls out and is counted.
package struct WaitingRoom: Sendable {
    private var intents: [ClientIntent] = []
    private var audioBytes = 0
    private let maximumIntents: Int
    private let maximumAudioBytes: Int
    /// How much audio fell out.
    package private(set) var droppedAudioBytes = 0

    package init(maximumIntents: Int = 256, maximumAudioBytes: Int) {
        self.maximumIntents = maximumIntents
        self.maximumAudioBytes = maximumAudioBytes
    }

    package mutating func add(_ intent: ClientIntent) throws(RealtimeError) {
        guard case .appendAudio(let audio) = intent else {
            guard calls < maximumIntents else {
                throw RealtimeError(
                    .queueFull, "too many calls wait for the session to be ready")
            }
            intents.append(intent)
            return
        }
        intents.append(intent)
        audioBytes += audio.count
        while audioBytes > maximumAudioBytes, let index = intents.firstIndex(where: \.isAudio) {
            guard case .appendAudio(let oldest) = intents.remove(at: index) else { break }
            audioBytes -= oldest.count
            droppedAudioBytes += oldest.count
        }
    }

    /// How many calls wait, audio aside.
    package var calls: Int { intents.count { !$0.isAudio } }

    /// Everything, in order; the room is empty afterwards.
    package mutating func takeAll() -> [ClientIntent] {
        defer {
            intents = []
            audioBytes = 0
        }
        return intents
    }
}
