import Foundation
import RealtimeVoice
import RealtimeVoiceServer

/// What the user says in one turn.
struct UserTurn: Sendable, Equatable {
    /// The file's name, or the words.
    var label: String
    /// The samples, without the silence behind the last word.
    var samples: [Int16]

    /// Samples a second of every turn.
    static let rate = 24_000
    /// The script where the user gave none.
    static let script: [TalkOptions.Source] = [
        .words("Good morning."),
        .words("What is the weather in San Francisco?"),
        .words("Thank you very much."),
    ]
    /// The script for an interruption: the first answer is long.
    static let interruptionScript: [TalkOptions.Source] = [
        .words("Please tell me a story."),
        .words("What is the weather in San Francisco?"),
        .words("Thank you very much."),
    ]

    /// Reads a file.
    static func read(_ path: String) throws(CommandFailure) -> UserTurn {
        let url = URL(fileURLWithPath: path)
        if url.isExistingFolder {
            throw CommandFailure(.input, "\(path) is a folder, not a WAV file.")
        }
        do throws(RealtimeError) {
            let file = try WAVFile.read(contentsOf: url)
            let samples = withoutTail(PCM16.samples(try file.pcm16(rate: rate)))
            guard samples.count >= rate / 50 else {
                throw RealtimeError(.decodingFailed, "\(url.lastPathComponent) has no audio in it.")
            }
            return UserTurn(label: url.lastPathComponent, samples: samples)
        } catch {
            throw CommandFailure(.input, error.message)
        }
    }

    /// Speaks words, with another voice than the assistant's.
    static func speak(
        _ words: String, with synthesizer: any SpeechSynthesizer
    ) async throws(CommandFailure) -> UserTurn {
        do throws(RealtimeError) {
            let speech = try await synthesizer.synthesize(words, voice: "slt", speed: 1)
            var resampler = try AudioResampler(from: speech.sampleRate, to: rate)
            let floats = resampler.process(PCM16.floats(speech.samples)) + resampler.flush()
            return UserTurn(
                label: "\u{201C}\(words)\u{201D}", samples: withoutTail(PCM16.samples(floats)))
        } catch {
            throw CommandFailure(.server, error.message)
        }
    }

    /// Without the silence at the end, so that the end of speech is where it is heard to be.
    /// What is never louder than that is left as it is.
    static func withoutTail(_ samples: [Int16]) -> [Int16] {
        let frame = rate / 100
        let loudest = samples.reduce(0) { max($0, Int($1.magnitude)) }
        let limit = max(loudest / 100, 32)
        guard let last = samples.lastIndex(where: { Int($0.magnitude) > limit }) else {
            return samples
        }
        return Array(samples.prefix(last + frame))
    }
}

extension URL {
    /// Whether there is a folder of this name.
    var isExistingFolder: Bool {
        (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    }
}
