import Foundation
import RealtimeVoice
import Testing

struct AudioResamplerTests {
    /// Pairs of rates: exact rows and, with 44,101, interpolated ones.
    static let rates = [
        (48_000, 16_000), (16_000, 48_000), (24_000, 16_000), (16_000, 24_000), (8_000, 24_000),
        (24_000, 8_000), (44_100, 24_000), (11_025, 16_000), (44_101, 16_000), (22_050, 47_999),
    ]

    private func tone(_ frequency: Double, rate: Int, count: Int) -> [Float] {
        (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    private func resample(_ samples: [Float], _ from: Int, _ to: Int) throws -> [Float] {
        var resampler = try AudioResampler(from: from, to: to)
        return resampler.process(samples) + resampler.flush()
    }

    /// The part of a tone in the samples: its amplitude and its phase in radians, by least
    /// squares, and the RMS of all the rest.
    private func fit(
        _ samples: some Collection<Float>,
        _ frequency: Double,
        rate: Int,
        first: Int
    ) -> (amplitude: Double, phase: Double, rest: Double) {
        var (ss, sc, cc, xs, xc, xx) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(first + index) / Double(rate)
            let (s, c, x) = (sin(angle), cos(angle), Double(sample))
            (ss, sc, cc) = (ss + s * s, sc + s * c, cc + c * c)
            (xs, xc, xx) = (xs + x * s, xc + x * c, xx + x * x)
        }
        let determinant = ss * cc - sc * sc
        let a = (xs * cc - xc * sc) / determinant
        let b = (xc * ss - xs * sc) / determinant
        let rest = max(xx - a * xs - b * xc, 0) / Double(samples.count)
        return ((a * a + b * b).squareRoot(), atan2(b, a), rest.squareRoot())
    }

    /// The middle of a tone's output: no edge, and its first index.
    private func middle(_ output: [Float]) -> (ArraySlice<Float>, Int) {
        (output[output.count / 4..<output.count * 3 / 4], output.count / 4)
    }

    @Test(arguments: rates)
    func tonesInThePassbandKeepGainAndPhase(from: Int, to: Int) throws {
        let nyquist = Double(min(from, to)) / 2
        for share in [0.01, 0.13, 0.37, 0.62, 0.81, 0.9] {
            let input = tone(share * nyquist, rate: from, count: from / 8)
            let (output, first) = middle(try resample(input, from, to))
            let found = fit(output, share * nyquist, rate: to, first: first)
            #expect(abs(20 * log10(found.amplitude)) < 0.01, "gain at \(share)")
            #expect(abs(found.phase) < 0.001, "phase at \(share)")
            #expect(20 * log10(found.rest) < -80, "aliases and images at \(share)")
        }
    }

    @Test(arguments: rates.filter { $0.0 > $0.1 })
    func tonesAboveTheNewNyquistFrequencyDisappear(from: Int, to: Int) throws {
        for frequency in stride(from: Double(to) / 2 * 1.001, to: Double(from) / 2, by: 997) {
            let output = middle(
                try resample(tone(frequency, rate: from, count: from / 8), from, to)
            ).0
            let rms = LevelMeter.level(of: Array(output)).rmsDecibels
            #expect(rms < -80, "alias of \(frequency) Hz")
        }
    }

    @Test(arguments: rates)
    func aConstantStaysWhatItIs(from: Int, to: Int) throws {
        let output = middle(try resample([Float](repeating: 0.5, count: 4_000), from, to)).0
        #expect(output.allSatisfy { abs($0 - 0.5) < 1e-5 })
    }

    @Test(arguments: rates)
    func piecesGiveTheSameAsTheWhole(from: Int, to: Int) throws {
        var random = SeededGenerator(seed: 5)
        let input = (0..<3_001).map { _ in Float.random(in: -1...1, using: &random) }
        let whole = try resample(input, from, to)
        var resampler = try AudioResampler(from: from, to: to)
        for largest in [1, 7, 480, 2_000] {
            var (output, start) = ([Float](), 0)
            while start < input.count {
                let end = min(start + Int.random(in: 0...largest, using: &random), input.count)
                output += resampler.process(Array(input[start..<end]))
                start = end
            }
            output += resampler.flush()
            #expect(output == whole)
        }
    }

    @Test(arguments: rates)
    func theLengthIsTheRoundedOne(from: Int, to: Int) throws {
        for count in [0, 1, 2, 3, 5, 100, 479, 480, 481, 1_999] {
            let expected = (Double(count * to) / Double(from)).rounded()
            let output = try resample([Float](repeating: 0.1, count: count), from, to)
            #expect(output.count == Int(expected), "\(count) samples")
        }
    }

    @Test func theDelayIsTheStatedOne() throws {
        for (from, to) in Self.rates {
            var resampler = try AudioResampler(from: from, to: to)
            var count = 0
            repeat { count += 1 } while resampler.process([Float(0)]).isEmpty
            #expect(count == resampler.latencySamples + 1)
        }
    }

    // A debug build would take most of a minute for an hour.
    #if DEBUG
        private let driftSeconds = 60
    #else
        private let driftSeconds = 3_600
    #endif

    /// In pieces of 20 ms, what is out is never late by more than the latency, and the length is
    /// exact in the end.
    @Test func anHourDoesNotDrift() throws {
        let (from, to, pieces) = (5_000, 4_001, driftSeconds * 50)
        var resampler = try AudioResampler(from: from, to: to)
        let piece = [Float](repeating: 0.25, count: from / 50)
        var (count, worst, steady) = (0, 0.0, true)
        for index in 1...pieces {
            let output = resampler.process(piece)
            count += output.count
            let heard = index * piece.count - resampler.latencySamples
            let due = Double(heard) * Double(to) / Double(from)
            if index > 10 {
                worst = max(worst, abs(Double(count) - due))
                steady = steady && output.allSatisfy { abs($0 - 0.25) < 1e-5 }
            }
        }
        #expect(worst <= 1.5)
        #expect(steady)
        #expect(count + resampler.flush().count == driftSeconds * to)
    }

    @Test func equalRatesPassEverythingUnchanged() throws {
        var resampler = try AudioResampler(from: 16_000, to: 16_000)
        #expect(resampler.latencySamples == 0)
        #expect(resampler.process([0.1, 3, -0.2] as [Float]) == [0.1, 3, -0.2])
        #expect(resampler.process([1, 2] as [Int16]) == [1, 2])
        #expect(resampler.flush() == [])
    }

    @Test func integersAreTheRoundedFloats() throws {
        let input = PCM16.samples(tone(440, rate: 48_000, count: 4_800))
        var floats = try AudioResampler(from: 48_000, to: 16_000)
        var integers = floats
        #expect(integers.process(input) == PCM16.samples(floats.process(PCM16.floats(input))))
    }

    @Test(arguments: [(0, 8_000), (8_000, -1), (3_999, 8_000), (8_000, 192_001)])
    func ratesThatCannotBeConvertedAreRefused(from: Int, to: Int) {
        let bad = AudioResampler.supportedRates.contains(from) ? to : from
        #expect(
            throws: RealtimeError(
                .invalidInput,
                "A sample rate of \(bad) Hz can't be converted; 4000 to 192000 Hz can.",
                parameter: "rate"
            )
        ) { try AudioResampler(from: from, to: to) }
    }
}
