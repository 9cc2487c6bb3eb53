/// The encoding of an audio stream: always one channel.
public struct RealtimeAudioFormat: Sendable, Hashable, Codable {
    /// `audio/pcm` (16-bit little-endian), `audio/pcmu` or `audio/pcma` (G.711, 8 kHz), or a
    /// provider's own, such as `audio/opus`.
    public var type: String
    /// Samples a second; nil takes the type's usual rate.
    public var rate: Int?

    /// Creates a format.
    public init(type: String = "audio/pcm", rate: Int? = nil) {
        self.type = type
        self.rate = rate
    }

    /// 16-bit little-endian PCM, one channel, 24 kHz: the default of all wires but Gemini's input.
    public static let pcm24kHz = RealtimeAudioFormat(type: "audio/pcm", rate: 24_000)
    /// 16-bit little-endian PCM, one channel, 16 kHz.
    public static let pcm16kHz = RealtimeAudioFormat(type: "audio/pcm", rate: 16_000)

    /// Samples a second, with the type's usual rate where none is given.
    public var samplesPerSecond: Int { rate ?? (isG711 ? 8_000 : 24_000) }

    /// The bytes of one sample: 1 for G.711, else 2.
    public var bytesPerSample: Int { isG711 ? 1 : 2 }

    /// Whether this is one of the two G.711 laws.
    public var isG711: Bool { type == "audio/pcmu" || type == "audio/pcma" }

    /// The whole milliseconds that so many bytes last, rounded down.
    public func milliseconds(ofBytes count: Int) -> Int {
        guard samplesPerSecond > 0, count < 1 << 50 else { return 0 }
        return count / bytesPerSample * 1_000 / samplesPerSecond
    }

    /// The bytes that so many milliseconds take, whole samples.
    public func bytes(ofMilliseconds milliseconds: Int) -> Int {
        let (samples, isTooLarge) = milliseconds.multipliedReportingOverflow(by: samplesPerSecond)
        return isTooLarge ? 1 << 50 : samples / 1_000 * bytesPerSample
    }
}
