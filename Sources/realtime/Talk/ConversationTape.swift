import Foundation
import RealtimeVoice

/// Both sides of a conversation on one time line.
struct ConversationTape {
    /// Samples a second.
    let rate: Int
    /// What the microphone sent, from the beginning.
    private(set) var user: [Int16] = []

    init(rate: Int = 24_000) {
        self.rate = rate
    }

    /// Adds what the microphone sent next.
    mutating func recorded(_ samples: some Collection<Int16>) {
        user.append(contentsOf: samples)
    }

    /// Two channels, interleaved: the user left, the assistant right.
    func stereo(assistant heard: [SimulatedPlayer.Heard]) -> [Int16] {
        let places = heard.map { $0.start.microseconds * rate / 1_000_000 }
        let ends = zip(places, heard).map { $0 + $1.samples.count }
        var mix = [Int16](repeating: 0, count: max(user.count, ends.max() ?? 0) * 2)
        for (index, sample) in user.enumerated() { mix[index * 2] = sample }
        for (place, piece) in zip(places, heard) {
            for (index, sample) in piece.samples.enumerated() {
                mix[(place + index) * 2 + 1] = sample
            }
        }
        return mix
    }

    /// The assistant alone, with half a second of silence where another answer begins.
    func assistant(_ heard: [SimulatedPlayer.Heard]) -> [Int16] {
        var samples: [Int16] = []
        var itemID: String?
        for piece in heard {
            if let itemID, itemID != piece.itemID {
                samples += [Int16](repeating: 0, count: rate / 2)
            }
            itemID = piece.itemID
            samples += piece.samples
        }
        return samples
    }
}
