import Foundation
import RealtimeVoice

/// What every second of audio goes through.
enum AudioBenchmarks {
    static func all() -> [Benchmark] { [base64Encode(), base64Decode()] + conversions() }

    /// 20 ms of 24 kHz PCM into a frame's bytes, as the microphone sends it.
    private static func base64Encode() -> Benchmark {
        let pcm = noise(960)
        var frame: [UInt8] = []
        var copy = [UInt8](repeating: 0, count: 1_280)
        return Benchmark(
            "base64 encode 960 B",
            naive: {
                frame.removeAll(keepingCapacity: true)
                frame.append(contentsOf: pcm.base64EncodedString().utf8)
                keep(frame)
            },
            floor: {
                unsafe pcm.withUnsafeBytes { source in
                    unsafe copy.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
                }
                keep(copy)
            },
            operation: {
                frame.removeAll(keepingCapacity: true)
                unsafe pcm.withUnsafeBytes { unsafe Base64.append($0, to: &frame) }
                keep(frame)
            }
        )
    }

    /// 100 ms of 24 kHz PCM out of a frame's bytes, as the speaker gets it.
    private static func base64Decode() -> Benchmark {
        let text = Array(noise(4_800).base64EncodedString().utf8)
        return Benchmark(
            "base64 decode 6400 chars",
            naive: { keep(Data(base64Encoded: Data(text))) },
            floor: {
                unsafe text.withUnsafeBytes { unsafe keep(Data($0.prefix(4_800))) }
            },
            operation: {
                unsafe text.withUnsafeBytes { unsafe keep(Base64.decode($0)) }
            }
        )
    }

    /// 20 ms of microphone audio to a wire's format.
    private static func conversions() -> [Benchmark] {
        let float48 = PCM16.floats(noise(1_920))
            .flatMap { unsafe withUnsafeBytes(of: $0.bitPattern.littleEndian) { unsafe Array($0) } }
        let cases: [(String, AudioSourceFormat, RealtimeAudioFormat, Data)] = [
            (
                "convert 20 ms float 48k to PCM 16k",
                AudioSourceFormat(encoding: .float32, rate: 48_000), .pcm16kHz, Data(float48)
            ),
            (
                "convert 20 ms PCM 44.1k to PCM 24k",
                AudioSourceFormat(rate: 44_100), .pcm24kHz, noise(1_764)
            ),
            (
                "convert 20 ms PCM 24k to µ-law 8k",
                AudioSourceFormat(rate: 24_000), RealtimeAudioFormat(type: "audio/pcmu"), noise(960)
            ),
        ]
        return cases.compactMap { name, source, target, data in
            guard var converter = try? AudioConverter(from: source, to: target) else { return nil }
            return Benchmark(name, operation: { keep(converter.convert(data)) })
        }
    }

    static func noise(_ count: Int) -> Data {
        var state: UInt64 = 1
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
        )
    }
}
