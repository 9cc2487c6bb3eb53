import Foundation
import RealtimeVoice
import Testing

@testable import RealtimeVoiceServer

/// The engines of this machine, loaded once for all suites; nil with a reason where missing.
enum InstalledEngines {
    static let moonshine = Result { try SpeechEngines.load(recognizer: .moonshine) }
    static let pocketSphinx = Result { try SpeechEngines.load(recognizer: .pocketSphinx) }

    /// The best that is there.
    static let best: SpeechEngines? = (try? moonshine.get()) ?? (try? pocketSphinx.get())

    static func isThere(_ engines: Result<SpeechEngines, any Error>) -> Bool {
        (try? engines.get()) != nil
    }
}

/// 16 kHz from flite's own rate, by the tests' simplest means.
func at16kHz(_ speech: SynthesizedSpeech) -> [Int16] {
    speech.sampleRate == 16_000 ? speech.samples : []
}

/// How many of the spoken words were heard, 0 to 1. Voices and recognisers vary a little.
func heardShare(of spoken: String, in heard: String) -> Double {
    func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    let found = Set(words(heard))
    let wanted = words(spoken)
    return Double(wanted.filter(found.contains).count) / Double(max(1, wanted.count))
}

struct EngineTests {
    private static let sentence = "What is the weather in Paris today? I have a question for you."

    @Test(
        .enabled(
            if: InstalledEngines.isThere(InstalledEngines.moonshine),
            "no round trip: Moonshine or flite is not installed"))
    func moonshineUnderstandsFlite() async throws {
        let engines = try InstalledEngines.moonshine.get()
        let speech = try await engines.synthesizer.synthesize(
            Self.sentence, voice: "rms", speed: 1)
        let text = try await engines.recognizer.transcribe(at16kHz(speech))
        #expect(heardShare(of: Self.sentence, in: text) >= 0.7)
    }

    @Test(
        .enabled(
            if: InstalledEngines.isThere(InstalledEngines.pocketSphinx),
            "no round trip: PocketSphinx or flite is not installed"))
    func pocketSphinxUnderstandsFlite() async throws {
        let engines = try InstalledEngines.pocketSphinx.get()
        let speech = try await engines.synthesizer.synthesize(
            Self.sentence, voice: "rms", speed: 1)
        let text = try await engines.recognizer.transcribe(at16kHz(speech))
        #expect(heardShare(of: Self.sentence, in: text) >= 0.7)
    }

    @Test(.enabled(if: InstalledEngines.best != nil, "flite is not installed"))
    func everyWordHasItsPlace() async throws {
        let engines = try #require(InstalledEngines.best)
        let speech = try await engines.synthesizer.synthesize(
            "It is 12 degrees, and sunny, in San Francisco.", voice: "rms", speed: 1)
        #expect(
            speech.words.map(\.text)
                == ["It", "is", "12", "degrees,", "and", "sunny,", "in", "San", "Francisco."])
        let starts = speech.words.map(\.startSample)
        #expect(starts == starts.sorted())
        #expect(starts.first == 0)
        #expect(Set(starts).count == starts.count)
        #expect((starts.last ?? 0) < speech.samples.count)
    }

    @Test(.enabled(if: InstalledEngines.best != nil, "flite is not installed"))
    func speedShortensTheSound() async throws {
        let engines = try #require(InstalledEngines.best)
        let text = "This sentence is spoken twice."
        let normal = try await engines.synthesizer.synthesize(text, voice: "rms", speed: 1)
        let fast = try await engines.synthesizer.synthesize(text, voice: "rms", speed: 1.5)
        #expect(fast.samples.count < normal.samples.count * 4 / 5)
    }

    @Test func aMissingLibraryNamesThePackage() {
        #expect {
            _ = try DynamicLibrary(anyOf: ["libnothing.so.9"], hint: FliteSynthesizer.hint)
        } throws: { error in
            (error as? RealtimeError)?.code == .unsupported
                && (error as? RealtimeError)?.message.contains("libflite1") == true
        }
    }

    @Test func aMissingMoonshineNamesTheScript() {
        #expect {
            _ = try SpeechEngines.load(moonshineDirectory: "/nonexistent")
        } throws: { error in
            (error as? RealtimeError)?.message.contains("fetch-moonshine.sh") == true
        }
    }

    @Test func longTurnsAreCutWhereTheyAreQuiet() {
        var samples = [Int16](repeating: 1_000, count: 48_000)
        for index in 20_000..<24_000 { samples[index] = 0 }
        let pieces = TurnSplitter.pieces(of: samples, maximum: 32_000)
        #expect(pieces.map(\.count).reduce(0, +) == 48_000)
        #expect(pieces.count == 2)
        #expect((20_000..<24_000).contains(pieces[0].endIndex))
    }

    @Test func wordsWithoutEngineTimesShareTheSoundByLength() {
        #expect(
            WordPlacement.place(words: ["a", "bcd"], ends: [], sampleCount: 600)
                == [.init(text: "a", startSample: 0), .init(text: "bcd", startSample: 200)])
    }
}
