import Foundation
import RealtimeVoice
import Testing

/// Against the recommendation's own tables, written out here as segments: ITU-T G.711, tables
/// 1a and 2a (https://www.itu.int/rec/T-REC-G.711).
struct G711Tests {
    /// The decision values and the output values of the positive half, on the 16-bit scale.
    ///
    /// Interval n is from `decisions[n]` up to but not including `decisions[n + 1]`.
    private struct Law: Sendable {
        var decisions: [Int] = []
        var outputs: [Int] = []
        let code: @Sendable (Int, Bool) -> Int

        /// µ-law: 1 interval of 1, 15 of 2, then 16 each of 4, 8 … 256, on a 14-bit scale.
        static let mu: Law = {
            var law = Law { interval, isNegative in (isNegative ? 127 : 255) - interval }
            var edge = 0
            for interval in 0..<128 {
                let size = interval == 0 ? 1 : 2 << (interval / 16)
                law.decisions.append(edge * 4)
                law.outputs.append(interval == 0 ? 0 : (edge * 2 + size) * 2)
                edge += size
            }
            return law
        }()

        /// A-law: 32 intervals of 2, then 16 each of 4, 8 … 128, on a 13-bit scale.
        static let a: Law = {
            var law = Law { interval, isNegative in (interval | (isNegative ? 0 : 128)) ^ 0x55 }
            var edge = 0
            for interval in 0..<128 {
                let size = interval < 32 ? 2 : 1 << (interval / 16)
                law.decisions.append(edge * 8)
                law.outputs.append((edge * 2 + size) * 4)
                edge += size
            }
            return law
        }()

        func encode(_ sample: Int) -> Int {
            let magnitude = sample < 0 ? ~sample : sample
            return code(decisions.lastIndex { $0 <= magnitude } ?? 0, sample < 0)
        }
    }

    private func law(_ law: G711) -> Law { law == .muLaw ? .mu : .a }

    @Test(arguments: [G711.muLaw, .aLaw])
    func everySampleHasTheRecommendedCode(law: G711) {
        let reference = self.law(law)
        let samples = (Int16.min...Int16.max).map { $0 }
        let wrong = samples.filter { Int(law.encode($0)) != reference.encode(Int($0)) }
        #expect(wrong == [])
        #expect(law.encode(PCM16.data(samples)) == Data(samples.map { law.encode($0) }))
    }

    @Test(arguments: [G711.muLaw, .aLaw])
    func everyCodeHasTheRecommendedSample(law: G711) {
        let reference = self.law(law)
        var expected = [Int](repeating: 0, count: 256)
        for (interval, output) in reference.outputs.enumerated() {
            expected[reference.code(interval, false)] = output
            expected[reference.code(interval, true)] = -output
        }
        let codes = (0...255).map { UInt8($0) }
        #expect(codes.map { Int(law.decode($0)) } == expected)
        #expect(law.decode(Data(codes)) == PCM16.data(expected.map { Int16($0) }))
    }

    @Test func knownValues() {
        #expect([0xFF, 0x80, 0x00].map { G711.muLaw.decode($0) } == [0, 32_124, -32_124])
        #expect([0xD5, 0x55, 0xAA, 0x2A].map { G711.aLaw.decode($0) } == [8, -8, 32_256, -32_256])
    }

    @Test(arguments: [G711.muLaw, .aLaw])
    func codesSurviveDecodingAndEncoding(law: G711) {
        let changed = (0...255).filter { Int(law.encode(law.decode(UInt8($0)))) != $0 }
        // µ-law has two zeros.
        #expect(changed == (law == .muLaw ? [127] : []))
    }
}
