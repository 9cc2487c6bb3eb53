/// What an application's audio is made of, before it is converted for a wire.
public struct AudioSourceFormat: Sendable, Hashable {
    /// How a sample is written.
    public enum Encoding: Sendable, Hashable {
        /// 16-bit little-endian integers.
        case pcm16
        /// 32-bit little-endian floats in -1…1.
        case float32
        /// G.711 µ-law, one byte.
        case pcmu
        /// G.711 A-law, one byte.
        case pcma
    }

    /// How a sample is written.
    public var encoding: Encoding
    /// Samples a second, of each channel.
    public var rate: Int
    /// The number of channels, 1 to 8, interleaved; a conversion takes their mean.
    public var channels: Int

    /// Creates a format.
    public init(encoding: Encoding = .pcm16, rate: Int, channels: Int = 1) {
        self.encoding = encoding
        self.rate = rate
        self.channels = channels
    }

    /// The format of a wire, or nil if it isn't one of those that can be converted.
    public init?(_ format: RealtimeAudioFormat) {
        switch format.type {
        case "audio/pcm": encoding = .pcm16
        case "audio/pcmu": encoding = .pcmu
        case "audio/pcma": encoding = .pcma
        default: return nil
        }
        rate = format.samplesPerSecond
        channels = 1
    }

    /// The bytes of one sample of one channel.
    public var bytesPerSample: Int {
        switch encoding {
        case .pcm16: 2
        case .float32: 4
        case .pcmu, .pcma: 1
        }
    }

    /// The bytes of one sample of all channels.
    public var bytesPerFrame: Int { bytesPerSample * channels }
}
