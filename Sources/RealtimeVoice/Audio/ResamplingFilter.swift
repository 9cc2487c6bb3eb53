import CAudioKernels
import Foundation

/// The coefficients of a resampler: a low-pass filter, one row for each place that an output
/// sample can have between two input samples.
///
/// A sinc under a Kaiser window. In units of the lower rate's Nyquist frequency it passes up to
/// 0.9 and stops from 1.0, so nothing folds back.
struct ResamplingFilter: Sendable {
    /// The coefficients of a row, even, and a multiple of 16 for `caudiokernels_dot`.
    let taps: Int
    /// The rows between two input samples; there is one row more where rows are interpolated.
    let phases: Int
    /// Whether the rows fall between the places needed, which takes a mean of two of them.
    let isInterpolated: Bool
    private let rows: [Float]

    /// The attenuation that the window is designed for, in dB.
    private static let attenuation = 90.0
    private static let passband = 0.9
    /// More coefficients than this are not worth being exact.
    private static let maximumCoefficients = 65_536
    /// The rows that interpolate to 106 dB, for each sample of the lower rate.
    private static let interpolatedPhases = 512.0

    /// Makes the filter for `up` output samples in the time of `down` input samples.
    init(up: Int, down: Int) {
        let stretch = max(1, Double(down) / Double(up))
        let transition = Double.pi * (1 - Self.passband)
        let halfWidth = (Self.attenuation - 7.95) / (2.285 * transition) / 2 * stretch
        // On both sides, rounded up to whole vectors.
        let taps = (Int(halfWidth.rounded(.up)) * 2 + 15) / 16 * 16
        self.taps = taps
        isInterpolated = up * taps > Self.maximumCoefficients
        phases = isInterpolated ? max(Int(Self.interpolatedPhases / stretch), 16) : up
        var rows: [Float] = []
        rows.reserveCapacity((phases + 1) * taps)
        for phase in 0..<phases + (isInterpolated ? 1 : 0) {
            let offset = Double(phase) / Double(phases)
            let middle = Double(taps / 2 - 1) + offset
            var row = (0..<taps).map { tap in
                let time = Double(tap) - middle
                return Self.kaiser(time / halfWidth)
                    * Self.sinc(time / stretch * (1 + Self.passband) / 2)
            }
            // Each row passes a constant exactly.
            let sum = row.reduce(0, +)
            for index in row.indices { row[index] /= sum }
            rows.append(contentsOf: row.lazy.map(Float.init))
        }
        self.rows = rows
    }

    /// The sum of `taps` samples, each times its coefficient, at `phase` of `phaseCount` places
    /// after the middle one.
    @inline(__always)
    func apply(to samples: UnsafePointer<Float>, phase: Int, of phaseCount: Int) -> Float {
        unsafe rows.withUnsafeBufferPointer { rows in
            guard let row = rows.baseAddress else { return 0 }
            guard isInterpolated else {
                return unsafe caudiokernels_dot(samples, row + phase * taps, taps)
            }
            let place = Double(phase) * Double(phases) / Double(phaseCount)
            let index = Int(place)
            let low = unsafe caudiokernels_dot(samples, row + index * taps, taps)
            let high = unsafe caudiokernels_dot(samples, row + (index + 1) * taps, taps)
            return low + (high - low) * Float(place - Double(index))
        }
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }

    /// The Kaiser window, 1 at 0 and nothing beyond 1.
    private static func kaiser(_ x: Double) -> Double {
        guard abs(x) < 1 else { return 0 }
        let beta = 0.1102 * (attenuation - 8.7)
        return bessel(beta * (1 - x * x).squareRoot()) / bessel(beta)
    }

    /// The modified Bessel function of the first kind, order 0.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, index) = (1.0, 1.0, 1.0)
        while term > sum * 1e-12 {
            term *= (x / 2 / index) * (x / 2 / index)
            sum += term
            index += 1
        }
        return sum
    }
}
