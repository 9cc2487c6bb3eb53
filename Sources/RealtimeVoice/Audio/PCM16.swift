public import Foundation

/// 16-bit little-endian PCM, and its conversions.
///
/// A `Float` sample is in -1…1. Both directions scale by 32,768, so that every `Int16` comes back
/// unchanged from `Float`; what is beyond the range is clamped, and NaN becomes 0. An odd last
/// byte is ignored: see `SampleJoiner` for streams that are cut anywhere.
public enum PCM16 {
    /// The samples of PCM16 data, in -32,768…32,767.
    public static func samples(_ data: Data) -> [Int16] {
        let count = data.count / 2
        return unsafe data.withUnsafeBytes { bytes in
            unsafe [Int16](unsafeUninitializedCapacity: count) { buffer, initialized in
                for index in 0..<count {
                    let sample = unsafe bytes.loadUnaligned(
                        fromByteOffset: index * 2,
                        as: Int16.self
                    )
                    unsafe buffer.initializeElement(at: index, to: Int16(littleEndian: sample))
                }
                initialized = count
            }
        }
    }

    /// The samples of PCM16 data, in -1…1.
    public static func floats(_ data: Data) -> [Float] {
        floats(samples(data))
    }

    /// Samples in -1…1 for samples in -32,768…32,767.
    public static func floats(_ samples: [Int16]) -> [Float] {
        samples.map { Float($0) * fromInt16 }
    }

    /// Samples in -32,768…32,767 for samples in -1…1, rounded and clamped.
    public static func samples(_ floats: [Float]) -> [Int16] {
        floats.map(sample)
    }

    /// PCM16 data for samples in -32,768…32,767.
    public static func data(_ samples: [Int16]) -> Data {
        var data = Data(count: samples.count * 2)
        unsafe data.withUnsafeMutableBytes { bytes in
            for index in samples.indices {
                let sample = samples[index].littleEndian
                unsafe bytes.storeBytes(of: sample, toByteOffset: index * 2, as: Int16.self)
            }
        }
        return data
    }

    /// PCM16 data for samples in -1…1, rounded and clamped.
    public static func data(_ floats: [Float]) -> Data {
        var data = Data(count: floats.count * 2)
        unsafe data.withUnsafeMutableBytes { bytes in
            for index in floats.indices {
                let sample = sample(floats[index]).littleEndian
                unsafe bytes.storeBytes(of: sample, toByteOffset: index * 2, as: Int16.self)
            }
        }
        return data
    }

    /// One channel, the mean of all, from interleaved PCM16 data; an incomplete last frame is
    /// ignored, and one channel is returned as it is.
    public static func mono(_ data: Data, channels: Int) -> Data {
        guard channels > 1 else { return data }
        return self.data(mono(samples(data), channels: channels))
    }

    /// One channel, the mean of all rounded to the nearest, from interleaved samples.
    public static func mono(_ samples: [Int16], channels: Int) -> [Int16] {
        guard channels > 1 else { return samples }
        return (0..<samples.count / channels).map { frame in
            var sum = 0
            for index in frame * channels..<(frame + 1) * channels { sum += Int(samples[index]) }
            return Int16((Double(sum) / Double(channels)).rounded())
        }
    }

    /// One channel, the mean of all, from interleaved samples in -1…1.
    public static func mono(_ floats: [Float], channels: Int) -> [Float] {
        guard channels > 1 else { return floats }
        let scale = 1 / Float(channels)
        return (0..<floats.count / channels).map { frame in
            var sum: Float = 0
            for index in frame * channels..<(frame + 1) * channels { sum += floats[index] }
            return sum * scale
        }
    }

    /// What an `Int16` is multiplied by to be in -1…1.
    static let fromInt16: Float = 1 / 32_768

    /// One sample of -1…1 as 16 bits: rounded to the nearest, clamped, NaN to 0.
    @inline(__always)
    static func sample(_ value: Float) -> Int16 {
        let scaled = value * 32_768
        guard scaled == scaled else { return 0 }
        // Not `rounded()`, which is a call on x86-64.
        let clamped = max(-32_768, min(32_767, scaled))
        return Int16(truncatingIfNeeded: Int32(clamped < 0 ? clamped - 0.5 : clamped + 0.5))
    }
}
