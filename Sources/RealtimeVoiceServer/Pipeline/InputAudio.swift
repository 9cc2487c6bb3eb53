import RealtimeVoice

/// What the user's microphone sent since the session began, and since the last commit.
///
/// Positions are 16 kHz samples since the session's start. While nobody speaks only the last
/// half minute is kept; while somebody does, at most ten minutes.
struct InputAudio: Sendable {
    private static let idleSamples = 30 * 16_000
    private static let maximumSamples = 600 * 16_000

    /// Samples since the last commit or clear, as far as they are kept.
    private(set) var samples: [Int16] = []
    /// How many came since the last commit or clear.
    private(set) var pendingCount = 0
    /// The position behind the last sample.
    private(set) var position = 0

    /// What a commit would take, in milliseconds.
    var pendingMilliseconds: Double { Double(pendingCount) / 16 }

    /// Adds samples.
    mutating func append(_ new: [Int16], isIdle: Bool) {
        samples += new
        pendingCount += new.count
        position += new.count
        let limit = isIdle ? Self.idleSamples : Self.maximumSamples
        // Trimming only now and then keeps the cost of an append constant.
        if samples.count > limit + limit / 4 { samples.removeFirst(samples.count - limit) }
    }

    /// The samples from a position on.
    func samples(from start: Int) -> [Int16] {
        Array(samples.suffix(max(0, min(samples.count, position - start))))
    }

    /// Takes everything: a commit or a clear.
    mutating func take() -> [Int16] {
        defer {
            samples = []
            pendingCount = 0
        }
        return samples
    }
}
