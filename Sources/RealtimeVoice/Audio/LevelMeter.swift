public import Foundation

/// Measures the level of a mono stream, smoothed over a number of samples.
///
/// Time is the number of samples: the same stream gives the same levels however it is cut.
public struct LevelMeter: Sendable {
    /// The level now.
    public private(set) var level = AudioLevel.silence
    /// The number of samples in which the level falls to 37% after the audio stops; nil for the
    /// level of the last piece alone.
    public let smoothingSamples: Int?
    private let keep: Float
    private var meanSquare: Float = 0

    /// Creates a meter.
    ///
    /// - Parameter smoothingSamples: The time constant in samples, such as 2,400 for 100 ms at
    ///   24 kHz; nil for no smoothing.
    public init(smoothingSamples: Int? = nil) {
        self.smoothingSamples = smoothingSamples
        keep = smoothingSamples.map { $0 > 0 ? exp(-1 / Float($0)) : 0 } ?? 0
    }

    /// Takes in PCM16 data and returns the level after it; an odd last byte is ignored.
    @discardableResult
    public mutating func process(_ pcm16: Data) -> AudioLevel {
        unsafe pcm16.withUnsafeBytes { bytes in
            process(count: bytes.count / 2) { index in
                let sample = unsafe bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)
                return Float(Int16(littleEndian: sample)) * PCM16.fromInt16
            }
        }
    }

    /// Takes in samples in -1…1 and returns the level after them.
    @discardableResult
    public mutating func process(_ floats: [Float]) -> AudioLevel {
        process(count: floats.count) { floats[$0] }
    }

    /// The level of PCM16 data, unsmoothed; an odd last byte is ignored.
    public static func level(of pcm16: Data) -> AudioLevel {
        var meter = LevelMeter()
        return meter.process(pcm16)
    }

    /// The level of samples in -1…1, unsmoothed.
    public static func level(of floats: [Float]) -> AudioLevel {
        var meter = LevelMeter()
        return meter.process(floats)
    }

    @inline(__always)
    private mutating func process(count: Int, sample: (Int) -> Float) -> AudioLevel {
        guard count > 0 else {
            if smoothingSamples == nil { level = .silence }
            return level
        }
        if smoothingSamples == nil {
            var (sum, peak) = (Double(0), Float(0))
            for index in 0..<count {
                let value = sample(index)
                sum += Double(value * value)
                peak = max(peak, abs(value))
            }
            level = AudioLevel(rms: Float((sum / Double(count)).squareRoot()), peak: peak)
        } else {
            var peak = level.peak
            for index in 0..<count {
                let value = sample(index)
                let square = value * value
                meanSquare = square + (meanSquare - square) * keep
                peak = max(peak * keep, abs(value))
            }
            level = AudioLevel(rms: meanSquare.squareRoot(), peak: peak)
        }
        return level
    }
}
