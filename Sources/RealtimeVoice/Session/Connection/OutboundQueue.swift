/// Keeps frames in order while the socket is slow, within bounds.
///
/// Nothing overtakes. Of too much audio the oldest falls out and is counted; of too much else,
/// the newest is refused.
struct OutboundQueue {
    private struct Entry {
        var frame: RealtimeFrame
        var isAudio: Bool
    }

    private var entries: [Entry] = []
    private var audioBytes = 0
    private let maximumAudioBytes: Int
    private let maximumFrames: Int
    private(set) var droppedAudioFrames = 0

    init(maximumAudioBytes: Int, maximumFrames: Int = 1_024) {
        self.maximumAudioBytes = maximumAudioBytes
        self.maximumFrames = maximumFrames
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Keeps a frame; false where there is no room for it.
    mutating func hold(_ frame: RealtimeFrame, isAudio: Bool) -> Bool {
        guard isAudio else {
            guard entries.count < maximumFrames + droppableFrames else { return false }
            entries.append(Entry(frame: frame, isAudio: false))
            return true
        }
        entries.append(Entry(frame: frame, isAudio: true))
        audioBytes += frame.bytes.count
        while audioBytes > maximumAudioBytes, let index = entries.firstIndex(where: \.isAudio) {
            audioBytes -= entries.remove(at: index).frame.bytes.count
            droppedAudioFrames += 1
        }
        return true
    }

    private var droppableFrames: Int { entries.count { $0.isAudio } }

    /// The frames in order; the queue is empty afterwards.
    mutating func takeAll() -> [(frame: RealtimeFrame, isAudio: Bool)] {
        defer {
            entries = []
            audioBytes = 0
        }
        return entries.map { ($0.frame, $0.isAudio) }
    }
}
