import RealtimeVoice

/// A loudspeaker that keeps the paragraph on `playedMilliseconds`: it counts from the first
/// piece of a response that found it silent, and anew after an interruption.
struct WalkPlayer {
    private var queuedMicroseconds = 0
    private var playedMicroseconds = 0
    private var responseID: String?
    /// Where it was stopped, until that is told.
    private(set) var stoppedAt: Int?

    var playedMilliseconds: Int { playedMicroseconds / 1_000 }
    var isPlaying: Bool { queuedMicroseconds > 0 }

    mutating func play(_ chunk: RealtimeAudioChunk) {
        if queuedMicroseconds == 0, responseID != chunk.responseID { playedMicroseconds = 0 }
        responseID = chunk.responseID
        queuedMicroseconds += chunk.data.count * 1_000_000 / 48_000
    }

    mutating func pass(_ time: Duration) {
        let played = min(queuedMicroseconds, Int(time / .microseconds(1)))
        queuedMicroseconds -= played
        playedMicroseconds += played
    }

    mutating func stop() {
        stoppedAt = playedMilliseconds
        queuedMicroseconds = 0
        playedMicroseconds = 0
        responseID = nil
    }

    mutating func takeReport() -> Int? {
        defer { stoppedAt = nil }
        return stoppedAt
    }
}
