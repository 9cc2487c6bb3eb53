import Foundation

/// Speech or not, by the energy of four bands over an adaptive floor: 16 kHz, 20 ms frames.
///
/// Good in quiet rooms and steady noise. Babble and music keep it open, so a turn needs a
/// maximum length.
public struct BandDetector: VoiceActivityDetector {
    private struct BandPass {
        private let b0: Float
        private let a1: Float
        private let a2: Float
        private var z1: Float = 0
        private var z2: Float = 0

        init(frequency: Float, quality: Float, sampleRate: Float) {
            let angle = 2 * Float.pi * frequency / sampleRate
            let alpha = sin(angle) / (2 * quality)
            b0 = alpha / (1 + alpha)
            a1 = -2 * cos(angle) / (1 + alpha)
            a2 = (1 - alpha) / (1 + alpha)
        }

        mutating func run(_ sample: Float) -> Float {
            let output = b0 * sample + z1
            z1 = z2 - a1 * output
            z2 = -b0 * sample - a2 * output
            return output
        }
    }

    /// One band's level and what is known of the noise in it, in decibels.
    private struct Band {
        var filter: BandPass
        var floor: Float?
        var smooth: Float?
        var lowest = Float.infinity
        var minima: [Float] = []

        /// Whether the band stands out of its floor by the margin.
        mutating func isLoud(_ energy: Float, margin: Float, closesWindow: Bool) -> Bool {
            var floor = floor ?? max(-80, min(energy, -55))
            let distance = energy - floor
            floor +=
                distance < 0
                ? 0.2 * distance : min(distance > margin ? 0.02 : 0.2, distance * 0.05)
            let level = smooth.map { $0 + 0.3 * (energy - $0) } ?? energy
            smooth = level
            lowest = min(lowest, level)
            if closesWindow {
                minima.append(lowest)
                lowest = .infinity
                if minima.count > 3 { minima.removeFirst() }
                // What has not dipped for 1.5 s is noise, not speech.
                if minima.count == 3, let least = minima.min() { floor = max(floor, least) }
            }
            floor = max(floor, -80)
            self.floor = floor
            return energy - floor > margin && energy > -58
        }
    }

    private var bands: [Band]
    private var frames = 0
    private let margin: Float

    /// 20 ms.
    public let frameSamples = 320

    /// Creates a detector; `threshold`, 0 to 1, is the session's: higher wants louder speech.
    public init(threshold: Double) {
        margin = 3 + 6 * Float(min(max(threshold, 0), 1))
        let shapes: [(Float, Float)] = [(300, 0.7), (700, 0.8), (1_600, 0.8), (3_000, 1)]
        bands = shapes.map { frequency, quality in
            Band(
                filter: BandPass(frequency: frequency, quality: quality, sampleRate: 16_000))
        }
    }

    /// Whether this frame, the next of the stream, is speech.
    public mutating func isSpeech(_ frame: ArraySlice<Int16>) -> Bool {
        frames += 1
        var isSpeech = false
        for index in bands.indices {
            var sum: Float = 0
            for sample in frame {
                let output = bands[index].filter.run(Float(sample) / 32_768)
                sum += output * output
            }
            let energy = 10 * log10(sum / Float(max(frame.count, 1)) + 1e-10)
            let isLoud = bands[index].isLoud(
                energy, margin: margin, closesWindow: frames.isMultiple(of: 25))
            isSpeech = isSpeech || isLoud
        }
        return isSpeech
    }
}
