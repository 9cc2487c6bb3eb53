import Foundation
import RealtimeVoice
import Testing

struct LevelMeterTests {
    private func sine(_ amplitude: Float, count: Int) -> [Float] {
        (0..<count).map { amplitude * sin(2 * .pi * Float($0) / 48) }
    }

    @Test func aSineHasItsLevel() {
        let level = LevelMeter.level(of: sine(0.5, count: 4_800))
        #expect(abs(level.rms - 0.353_55) < 1e-4)
        #expect(abs(level.peak - 0.5) < 1e-6)
        #expect(abs(level.rmsDecibels - -9.031) < 0.001)
        #expect(abs(level.peakDecibels - -6.021) < 0.001)
        let coded = LevelMeter.level(of: PCM16.data(sine(0.5, count: 4_800)))
        #expect(abs(coded.rms - level.rms) < 1e-4)
    }

    @Test func extremesHaveALevel() {
        #expect(LevelMeter.level(of: Data()) == .silence)
        #expect(LevelMeter.level(of: [Float](repeating: 0, count: 9)) == .silence)
        #expect(AudioLevel.silence.rmsDecibels == -120)
        let loudest = LevelMeter.level(of: PCM16.data([Int16.min, Int16.min]))
        #expect(loudest == AudioLevel(rms: 1, peak: 1))
        #expect(loudest.peakDecibels == 0)
    }

    @Test func withoutSmoothingThePieceDecides() {
        var meter = LevelMeter()
        meter.process([1, 1])
        #expect(meter.process([0.5, -0.5]) == AudioLevel(rms: 0.5, peak: 0.5))
        #expect(meter.process(Data()) == .silence)
    }

    @Test func smoothingGoesByTheNumberOfSamples() {
        var meter = LevelMeter(smoothingSamples: 100)
        meter.process([Float](repeating: 0.8, count: 2_000))
        #expect(abs(meter.level.rms - 0.8) < 1e-4)
        #expect(meter.level.peak == 0.8)
        meter.process([Float](repeating: 0, count: 100))
        #expect(abs(meter.level.peak - 0.8 * exp(-1)) < 1e-4)
        #expect(abs(meter.level.rms - 0.8 * exp(-0.5)) < 1e-4)
    }

    @Test func theCutDoesNotMatter() {
        let samples = sine(0.7, count: 1_000)
        var whole = LevelMeter(smoothingSamples: 240)
        whole.process(samples)
        var pieces = LevelMeter(smoothingSamples: 240)
        for start in stride(from: 0, to: 1_000, by: 7) {
            pieces.process(Array(samples[start..<min(start + 7, 1_000)]))
        }
        #expect(pieces.level == whole.level)
    }
}
