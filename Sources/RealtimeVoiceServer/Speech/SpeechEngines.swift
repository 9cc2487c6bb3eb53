import Foundation
public import RealtimeVoice

/// The engines of a server: who hears, who speaks, who notices speech. Loaded once, shared by
/// all sessions.
public struct SpeechEngines: Sendable {
    /// Who hears.
    public var recognizer: any SpeechRecognizer
    /// Who speaks.
    public var synthesizer: any SpeechSynthesizer
    /// Makes a session's activity detector for a threshold of 0 to 1.
    public var makeDetector: @Sendable (_ threshold: Double) -> any VoiceActivityDetector
    /// What a person should know about the choice, such as why the better engine isn't used.
    public var notes: [String]

    /// Creates a set of engines.
    public init(
        recognizer: any SpeechRecognizer,
        synthesizer: any SpeechSynthesizer,
        makeDetector: @escaping @Sendable (Double) -> any VoiceActivityDetector = {
            BandDetector(threshold: $0)
        },
        notes: [String] = []
    ) {
        self.recognizer = recognizer
        self.synthesizer = synthesizer
        self.makeDetector = makeDetector
        self.notes = notes
    }

    /// Who hears and who speaks, in one line.
    public var summary: String {
        "hearing by \(recognizer.name), speaking by \(synthesizer.name)"
    }

    /// Which recogniser to load.
    public enum RecognizerChoice: String, Sendable, CaseIterable {
        /// Moonshine where it is found, else PocketSphinx.
        case automatic
        /// Moonshine only.
        case moonshine
        /// PocketSphinx only.
        case pocketSphinx
    }

    /// Loads the engines of this machine.
    ///
    /// `moonshineDirectory` is the folder of the unpacked wheel; without it the environment's
    /// `REALTIME_MOONSHINE_DIR` and `.cache/moonshine` here or in a folder above are tried.
    ///
    /// - Throws: `unsupported`, naming the packages to install.
    public static func load(
        recognizer choice: RecognizerChoice = .automatic,
        moonshineDirectory: String? = nil
    ) throws(RealtimeError) -> SpeechEngines {
        let synthesizer = try FliteSynthesizer()
        if choice == .pocketSphinx {
            return SpeechEngines(
                recognizer: WholeTurnRecognizer(try PocketSphinxDecoder()),
                synthesizer: synthesizer)
        }
        do throws(RealtimeError) {
            return SpeechEngines(
                recognizer: WholeTurnRecognizer(try loadMoonshine(moonshineDirectory)),
                synthesizer: synthesizer)
        } catch {
            guard choice == .automatic, moonshineDirectory == nil else { throw error }
            return SpeechEngines(
                recognizer: WholeTurnRecognizer(try loadFallback(after: error)),
                synthesizer: synthesizer,
                notes: [
                    "PocketSphinx understands short plain sentences only. \(error.message)"
                ])
        }
    }

    private static func loadMoonshine(
        _ given: String?
    ) throws(RealtimeError) -> MoonshineDecoder {
        let folders = MoonshineDecoder.candidateDirectories(
            given: given, environment: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath)
        for folder in folders
        where FileManager.default.fileExists(atPath: folder + "/moonshine_voice") {
            return try MoonshineDecoder(directory: folder)
        }
        throw RealtimeError(.unsupported, MoonshineDecoder.hint)
    }

    private static func loadFallback(
        after first: RealtimeError
    ) throws(RealtimeError) -> PocketSphinxDecoder {
        do throws(RealtimeError) {
            return try PocketSphinxDecoder()
        } catch {
            throw RealtimeError(
                .unsupported, "Nobody can hear. \(first.message). Or: \(error.message)")
        }
    }
}
