public import Foundation

/// Converts a stream of an application's audio to what a wire carries: encoding, rate and channels.
///
/// Pieces may have any size, also cut within a sample. Where nothing differs, `convert` returns
/// its argument. For rates that differ see `AudioResampler`, also for the quality.
public struct AudioConverter: Sendable {
    /// What `convert` is given.
    public let source: AudioSourceFormat
    /// What `convert` returns.
    public let target: RealtimeAudioFormat
    /// Whether source and target are the same, so that `convert` returns its argument.
    public let isIdentity: Bool

    private let targetEncoding: AudioSourceFormat.Encoding
    private var joiner: SampleJoiner
    private var resampler: AudioResampler

    /// Creates a converter.
    ///
    /// It throws `unsupported` if the target is neither PCM nor G.711, and `invalidInput` for a
    /// rate or a number of channels that can't be converted.
    public init(
        from source: AudioSourceFormat,
        to target: RealtimeAudioFormat
    ) throws(RealtimeError) {
        guard let wire = AudioSourceFormat(target) else {
            throw RealtimeError(
                .unsupported,
                "Audio can't be converted to \(target.type), only to PCM and G.711.",
                parameter: "type"
            )
        }
        guard 1...8 ~= source.channels else {
            throw RealtimeError(
                .invalidInput,
                "Audio with \(source.channels) channels can't be converted; 1 to 8 can.",
                parameter: "channels"
            )
        }
        self.source = source
        self.target = target
        isIdentity = source == wire
        targetEncoding = wire.encoding
        joiner = SampleJoiner(bytesPerSample: source.bytesPerFrame)
        resampler = try AudioResampler(from: source.rate, to: wire.rate)
    }

    /// Converts the next piece of the stream; what isn't due yet comes with a later piece.
    public mutating func convert(_ piece: Data) -> Data {
        if isIdentity { return piece }
        let whole = joiner.join(piece)
        guard !whole.isEmpty else { return Data() }
        return encode(resampler.process(floats(whole)))
    }

    /// Returns what was waiting for later input; then the next stream may begin.
    ///
    /// The bytes of an incomplete last sample are dropped.
    public mutating func flush() -> Data {
        if isIdentity { return Data() }
        _ = joiner.flush()
        return encode(resampler.flush())
    }

    /// The mean of all channels, in -1…1.
    private func floats(_ data: Data) -> [Float] {
        let channels = source.channels
        let samples: [Float]
        switch source.encoding {
        case .pcm16:
            samples = PCM16.floats(data)
        case .float32:
            samples = Self.finite(data)
        case .pcmu:
            samples = data.map { Float(G711.muLaw.decode($0)) * PCM16.fromInt16 }
        case .pcma:
            samples = data.map { Float(G711.aLaw.decode($0)) * PCM16.fromInt16 }
        }
        return PCM16.mono(samples, channels: channels)
    }

    private func encode(_ samples: [Float]) -> Data {
        switch targetEncoding {
        case .pcmu: Data(samples.map { G711.muLaw.encode(PCM16.sample($0)) })
        case .pcma: Data(samples.map { G711.aLaw.encode(PCM16.sample($0)) })
        case .pcm16, .float32: PCM16.data(samples)
        }
    }

    /// Little-endian floats; what isn't a finite number becomes 0, as it would else stay in the
    /// filter.
    private static func finite(_ data: Data) -> [Float] {
        let count = data.count / 4
        return unsafe data.withUnsafeBytes { bytes in
            (0..<count).map { index in
                let bits = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                let value = Float(bitPattern: UInt32(littleEndian: bits))
                return value.isFinite ? value : 0
            }
        }
    }
}
