import Foundation
import RealtimeVoice

/// Turns a client's audio into the 16 kHz samples that detector and recogniser take.
struct InputConverter: Sendable {
    // Nil only for a format that the wire's rules refuse.
    private var converter: AudioConverter?

    init(format: RealtimeAudioFormat) {
        converter = AudioSourceFormat(format).flatMap {
            try? AudioConverter(from: $0, to: .pcm16kHz)
        }
    }

    /// Converts the next piece; a byte of a sample that was cut waits for the rest.
    mutating func convert(_ bytes: Data) -> [Int16] {
        PCM16.samples(converter?.convert(bytes) ?? Data())
    }
}

/// Turns an engine's samples into what a client gets.
enum OutputConverter {
    /// A whole recording in another format.
    static func bytes(
        _ samples: [Int16],
        sampleRate: Int,
        as format: RealtimeAudioFormat
    ) -> [UInt8] {
        let source = AudioSourceFormat(rate: sampleRate)
        guard var converter = try? AudioConverter(from: source, to: format) else { return [] }
        return Array(converter.convert(PCM16.data(samples)) + converter.flush())
    }

    /// A sentence with its words placed in the bytes.
    static func sentence(
        _ speech: SynthesizedSpeech,
        as format: RealtimeAudioFormat
    ) -> SpokenSentence {
        let bytes = bytes(speech.samples, sampleRate: speech.sampleRate, as: format)
        let words = speech.words.map { word in
            let sample = word.startSample * format.samplesPerSecond / max(1, speech.sampleRate)
            return WireItem.Word(
                text: word.text, startByte: min(sample * format.bytesPerSample, bytes.count))
        }
        return SpokenSentence(bytes: bytes, words: words)
    }
}
