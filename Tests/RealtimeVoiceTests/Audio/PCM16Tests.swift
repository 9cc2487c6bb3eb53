import Foundation
import RealtimeVoice
import Testing

struct PCM16Tests {
    @Test func everySampleSurvivesTheWayThroughFloats() {
        let all = (Int16.min...Int16.max).map { $0 }
        let data = PCM16.data(all)
        #expect(data.count == 131_072)
        #expect(PCM16.samples(data) == all)
        #expect(PCM16.samples(PCM16.floats(data)) == all)
        #expect(PCM16.data(PCM16.floats(all)) == data)
    }

    @Test func bytesAreLittleEndian() {
        #expect(PCM16.data([1, -2, 0x1234] as [Int16]) == Data([1, 0, 0xFE, 0xFF, 0x34, 0x12]))
        #expect(PCM16.samples(Data([1, 0, 0xFE, 0xFF, 0x34])) == [1, -2])
    }

    @Test func aSliceOfDataIsEnough() {
        #expect(PCM16.samples(Data([9, 1, 0, 2, 0, 9])[1..<5]) == [1, 2])
    }

    @Test func floatsAreRoundedAndClamped() {
        let step: Float = 1 / 32_768
        #expect(
            PCM16.samples([
                0, 1, -1, 2, -2, 0.4 * step, 0.6 * step, -0.6 * step, .infinity, -.infinity, .nan,
            ])
                == [0, 32_767, -32_768, 32_767, -32_768, 0, 1, -1, 32_767, -32_768, 0]
        )
    }

    @Test func channelsAreAveraged() {
        #expect(
            PCM16.mono([1, 2, -1, -2, 32_767, 32_767, 5] as [Int16], channels: 2) == [
                2, -2, 32_767,
            ]
        )
        #expect(PCM16.mono([0.5, 0.25, -1, 0] as [Float], channels: 2) == [0.375, -0.5])
        #expect(PCM16.mono([3, 6, 9] as [Int16], channels: 3) == [6])
        let data = PCM16.data([10, 20, 30, 40] as [Int16])
        #expect(PCM16.mono(data, channels: 2) == PCM16.data([15, 35] as [Int16]))
        #expect(PCM16.mono(data, channels: 1) == data)
    }
}
