public import Foundation

/// The audio of a RIFF/WAVE file.
///
/// Read: 8, 16, 24 and 32-bit PCM, 32 and 64-bit float, A-law and µ-law, plain or extensible, of
/// any number of channels. A file that ends early has the audio that is there, and so has one
/// whose sizes were never filled in because it was written to a pipe.
public struct WAVFile: Sendable, Hashable {
    /// How the file wrote its samples.
    public enum Encoding: Sendable, Hashable {
        /// Integers of 8, 16, 24 or 32 bits.
        case pcm(bits: Int)
        /// Floats of 32 or 64 bits.
        case float(bits: Int)
        /// G.711 A-law.
        case aLaw
        /// G.711 µ-law.
        case muLaw
    }

    /// How the file wrote its samples.
    public let encoding: Encoding
    /// Samples a second, of each channel.
    public let rate: Int
    /// The number of channels, at least 1.
    public let channels: Int
    /// The samples in -1…1, channels interleaved, whole frames only.
    public let samples: [Float]

    package init(encoding: Encoding, rate: Int, channels: Int, samples: [Float]) {
        self.encoding = encoding
        self.rate = rate
        self.channels = max(channels, 1)
        self.samples = samples
    }

    /// The number of samples of each channel.
    public var frameCount: Int { samples.count / channels }

    /// How long the audio lasts.
    public var seconds: Double { Double(frameCount) / Double(rate) }

    /// Reads a file, or throws `invalidInput` if it can't be opened, `decodingFailed` if it isn't
    /// a WAV file, and `unsupported`, with the encoding's name, if it is one of another kind.
    public static func read(contentsOf url: URL) throws(RealtimeError) -> WAVFile {
        let name = url.lastPathComponent
        guard url.isFileURL else {
            throw RealtimeError(.invalidInput, "\(name) isn't on this machine.")
        }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            let isMissing = (error as? CocoaError)?.code == .fileReadNoSuchFile
            throw RealtimeError(
                .invalidInput,
                isMissing ? "There is no file \(url.path)." : "\(url.path) can't be read.",
                cause: error
            )
        }
        return try WAVFile(data: data, name: name)
    }

    /// Reads the bytes of a file; it throws as `read(contentsOf:)` does, with the name in the
    /// message.
    public init(data: Data, name: String = "The audio") throws(RealtimeError) {
        self = try WAVParser(data: data, name: name).parse()
    }

    /// The audio as mono 16-bit PCM at a rate: the mean of all channels, resampled where the rates
    /// differ. It throws `invalidInput` for a rate that can't be converted.
    public func pcm16(rate: Int) throws(RealtimeError) -> Data {
        let mono = PCM16.mono(samples, channels: channels)
        guard rate != self.rate else { return PCM16.data(mono) }
        var resampler = try AudioResampler(from: self.rate, to: rate)
        return PCM16.data(resampler.process(mono) + resampler.flush())
    }

    /// Writes 16-bit PCM data, channels interleaved, to a file; it throws `invalidInput` if the
    /// file can't be written.
    public static func write(
        pcm16: Data,
        rate: Int,
        channels: Int = 1,
        to url: URL
    ) throws(RealtimeError) {
        let data = try data(pcm16: pcm16, rate: rate, channels: channels)
        do {
            try data.write(to: url)
        } catch {
            throw RealtimeError(.invalidInput, "\(url.path) can't be written.", cause: error)
        }
    }

    /// The bytes of a file with 16-bit PCM data, channels interleaved; an incomplete last frame
    /// is left out. It throws `invalidInput` for a format or a length that no WAV file can have.
    public static func data(
        pcm16: Data,
        rate: Int,
        channels: Int = 1
    ) throws(RealtimeError) -> Data {
        guard 1...32_767 ~= channels, let rateField = UInt32(exactly: rate), rate > 0,
            let bytesPerSecond = UInt32(exactly: UInt64(rateField) * UInt64(channels * 2))
        else {
            throw RealtimeError(
                .invalidInput,
                "A WAV file can't have \(channels) channels of \(rate) Hz."
            )
        }
        let audio = pcm16.dropLast(pcm16.count % (channels * 2))
        guard let size = UInt32(exactly: audio.count + 36) else {
            throw RealtimeError(.invalidInput, "A WAV file can't be longer than 4 GB.")
        }
        var data = Data(capacity: 44 + audio.count)
        func append(_ value: some FixedWidthInteger) {
            unsafe withUnsafeBytes(of: value.littleEndian) { unsafe data.append(contentsOf: $0) }
        }
        data.append(contentsOf: "RIFF".utf8)
        append(size)
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(WAVParser.pcm)
        append(UInt16(channels))
        append(rateField)
        append(bytesPerSecond)
        append(UInt16(channels * 2))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(audio.count))
        data.append(audio)
        return data
    }
}
