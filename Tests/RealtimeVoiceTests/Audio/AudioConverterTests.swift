import Foundation
import RealtimeVoice
import Testing

struct AudioConverterTests {
    private func convert(
        _ data: Data,
        from source: AudioSourceFormat,
        to target: RealtimeAudioFormat,
        pieces: Int = .max
    ) throws -> Data {
        var converter = try AudioConverter(from: source, to: target)
        var (output, start) = (Data(), data.startIndex)
        while start < data.endIndex {
            let end = start + min(pieces, data.endIndex - start)
            output += converter.convert(data[start..<end])
            start = end
        }
        return output + converter.flush()
    }

    private func float32(_ floats: [Float]) -> Data {
        Data(
            floats.flatMap {
                unsafe withUnsafeBytes(of: $0.bitPattern.littleEndian) { unsafe Array($0) }
            }
        )
    }

    private let voice: [Float] = (0..<4_800).map {
        0.3 * sin(Float($0) * 0.05) + 0.2 * sin(Float($0) * 0.013)
    }

    @Test func identityReturnsItsArgument() throws {
        for (source, target) in [
            (AudioSourceFormat(rate: 24_000), RealtimeAudioFormat()),
            (AudioSourceFormat(rate: 16_000), .pcm16kHz),
            (
                AudioSourceFormat(encoding: .pcmu, rate: 8_000),
                RealtimeAudioFormat(type: "audio/pcmu")
            ),
        ] {
            var converter = try AudioConverter(from: source, to: target)
            #expect(converter.isIdentity)
            #expect(converter.convert(Data([1, 2, 3])) == Data([1, 2, 3]))
            #expect(converter.flush() == Data())
        }
    }

    @Test func floatsBecomeIntegers() throws {
        let output = try convert(
            float32([0.5, -1, 7, .nan, .infinity]),
            from: AudioSourceFormat(encoding: .float32, rate: 24_000),
            to: .pcm24kHz
        )
        #expect(output == PCM16.data([16_384, -32_768, 32_767, 0, 0] as [Int16]))
    }

    @Test func channelsAreMixed() throws {
        let output = try convert(
            float32([0.5, 0.25, 0.125, 0.125]),
            from: AudioSourceFormat(encoding: .float32, rate: 16_000, channels: 2),
            to: .pcm16kHz
        )
        #expect(output == PCM16.data([12_288, 4_096] as [Int16]))
    }

    @Test func lawsAreExact() throws {
        let codes = Data((0...255).map { UInt8($0) })
        let pcm8kHz = RealtimeAudioFormat(type: "audio/pcm", rate: 8_000)
        let muLaw = RealtimeAudioFormat(type: "audio/pcmu")
        let aLaw = RealtimeAudioFormat(type: "audio/pcma")
        for (law, encoding, format) in [
            (G711.muLaw, AudioSourceFormat.Encoding.pcmu, muLaw), (.aLaw, .pcma, aLaw),
        ] {
            let linear = law.decode(codes)
            let source = AudioSourceFormat(encoding: encoding, rate: 8_000)
            #expect(try convert(codes, from: source, to: pcm8kHz) == linear)
            let back = try convert(linear, from: AudioSourceFormat(rate: 8_000), to: format)
            #expect(back == law.encode(linear))
        }
        #expect(
            try convert(codes, from: AudioSourceFormat(encoding: .pcmu, rate: 8_000), to: aLaw)
                == G711.aLaw.encode(G711.muLaw.decode(codes))
        )
    }

    /// The case that the type is for: a microphone's 48 kHz floats on a 16 kHz wire.
    @Test func aMicrophoneFitsTheWire() throws {
        let source = AudioSourceFormat(encoding: .float32, rate: 48_000)
        var resampler = try AudioResampler(from: 48_000, to: 16_000)
        let expected = PCM16.data(resampler.process(voice) + resampler.flush())
        #expect(expected.count == 3_200)
        for pieces in [1, 3, 1_919, 1_920, 100_000] {
            let output = try convert(float32(voice), from: source, to: .pcm16kHz, pieces: pieces)
            #expect(output == expected)
        }
    }

    @Test func anIncompleteSampleIsDroppedAtTheEnd() throws {
        let source = AudioSourceFormat(rate: 24_000, channels: 2)
        #expect(
            try convert(Data([1, 0, 1, 0, 5, 0, 5]), from: source, to: .pcm24kHz) == Data([1, 0])
        )
    }

    @Test func whatCannotBeConvertedIsRefused() {
        #expect(
            throws: RealtimeError(
                .unsupported,
                "Audio can't be converted to audio/opus, only to PCM and G.711.",
                parameter: "type"
            )
        ) {
            try AudioConverter(
                from: AudioSourceFormat(rate: 48_000),
                to: RealtimeAudioFormat(type: "audio/opus")
            )
        }
        for channels in [0, 9] {
            #expect(
                throws: RealtimeError(
                    .invalidInput,
                    "Audio with \(channels) channels can't be converted; 1 to 8 can.",
                    parameter: "channels"
                )
            ) {
                try AudioConverter(
                    from: AudioSourceFormat(rate: 48_000, channels: channels),
                    to: .pcm24kHz
                )
            }
        }
    }
}
