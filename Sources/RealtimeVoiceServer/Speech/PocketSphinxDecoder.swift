import CSpeech
import Foundation
import RealtimeVoice

/// Recognition by PocketSphinx and its US English model: the fallback, good for short plain
/// sentences.
///
/// A decoder is for one thread at a time; the recogniser's one worker makes the calls one at a
/// time: hence `@unchecked Sendable`.
@safe final class PocketSphinxDecoder: WholeTurnDecoder, @unchecked Sendable {
    static let hint = """
        PocketSphinx isn't there: install libpocketsphinx3 and pocketsphinx-en-us \
        (Debian: apt-get install libpocketsphinx3 pocketsphinx-en-us; Homebrew: brew install \
        cmu-pocketsphinx)
        """

    let name = "PocketSphinx en-us"
    // It needs a quarter of the sound's length for each pass.
    let partialInterval = 24_000
    let maximumSamples = 20 * 16_000

    private let decoder: Int
    private let start: cspeech_ps_utterance_fn
    private let end: cspeech_ps_utterance_fn
    private let process: cspeech_ps_process_fn
    private let hypothesis: cspeech_ps_hypothesis_fn

    /// Loads the library and the model.
    ///
    /// - Throws: `unsupported` where one is missing.
    init() throws(RealtimeError) {
        let library = try DynamicLibrary(
            anyOf: [
                "libpocketsphinx.so.3", "libpocketsphinx.so", "libpocketsphinx.dylib",
                "/opt/homebrew/lib/libpocketsphinx.dylib", "/usr/local/lib/libpocketsphinx.dylib",
            ], hint: Self.hint)
        let model = try Self.modelDirectory()
        let options = [
            ("hmm", "\(model)/en-us"), ("lm", "\(model)/en-us.lm.bin"),
            ("dict", "\(model)/cmudict-en-us.dict"),
        ]
        let config =
            library.has("ps_config_init")
            ? try Self.makeConfig5(library, options)
            : try Self.makeConfigPrealpha(library, options)
        let open = try unsafe library.function("ps_init", as: cspeech_ps_init_fn.self)
        guard config != 0,
            let decoder = unsafe open(UnsafeMutableRawPointer(bitPattern: config))
        else { throw RealtimeError(.unsupported, "PocketSphinx did not load. \(Self.hint)") }
        self.decoder = Int(bitPattern: decoder)
        unsafe self.start = unsafe try library.function(
            "ps_start_utt", as: cspeech_ps_utterance_fn.self)
        unsafe self.end = unsafe try library.function(
            "ps_end_utt", as: cspeech_ps_utterance_fn.self)
        unsafe self.process = unsafe try library.function(
            "ps_process_raw", as: cspeech_ps_process_fn.self)
        unsafe self.hypothesis = unsafe try library.function(
            "ps_get_hyp", as: cspeech_ps_hypothesis_fn.self)
    }

    private static func modelDirectory() throws(RealtimeError) -> String {
        let folders = [
            "/usr/share/pocketsphinx/model/en-us", "/usr/local/share/pocketsphinx/model/en-us",
            "/opt/homebrew/share/pocketsphinx/model/en-us",
        ]
        for folder in folders where FileManager.default.fileExists(atPath: folder) {
            return folder
        }
        throw RealtimeError(.unsupported, hint)
    }

    /// 5.x: a configuration with setters.
    private static func makeConfig5(
        _ library: DynamicLibrary,
        _ options: [(String, String)]
    ) throws(RealtimeError) -> Int {
        let make = try unsafe library.function(
            "ps_config_init", as: cspeech_ps_new_config_fn.self)
        let set = try unsafe library.function(
            "ps_config_set_str", as: cspeech_ps_set_string_fn.self)
        let config = unsafe make(nil)
        for (key, value) in options + [("loglevel", "FATAL")] {
            _ = unsafe set(config, key, value)
        }
        return Int(bitPattern: config)
    }

    /// 5prealpha: a configuration from an argument list.
    private static func makeConfigPrealpha(
        _ library: DynamicLibrary,
        _ options: [(String, String)]
    ) throws(RealtimeError) -> Int {
        let base = try DynamicLibrary(
            anyOf: ["libsphinxbase.so.3", "libsphinxbase.so", "libsphinxbase.dylib"], hint: hint)
        let parse = try unsafe base.function("cmd_ln_parse_r", as: cspeech_ps_parse_fn.self)
        let definitions = try unsafe library.function("ps_args", as: cspeech_ps_args_fn.self)
        let words =
            ["realtime"] + options.flatMap { ["-\($0)", $1] }
            + ["-remove_silence", "no", "-logfn", "/dev/null"]
        // The configuration keeps pointers into the list: it is never freed.
        let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: words.count)
        for (index, word) in words.enumerated() {
            unsafe (arguments + index).initialize(to: strdup(word))
        }
        let config = unsafe parse(nil, definitions(), Int32(words.count), arguments, 1)
        return Int(bitPattern: config)
    }

    func decode(_ samples: [Int16]) throws(RealtimeError) -> String {
        let pointer = unsafe UnsafeMutableRawPointer(bitPattern: decoder)
        let padded = samples + repeatElement(0, count: 3_200)
        guard unsafe start(pointer) == 0 else {
            throw RealtimeError(.unsupported, "PocketSphinx could not begin a turn")
        }
        // The whole turn at once: its mean is then taken over the turn, which hears better.
        _ = unsafe padded.withUnsafeBufferPointer { buffer in
            unsafe process(pointer, buffer.baseAddress, buffer.count, 0, 1)
        }
        _ = unsafe end(pointer)
        guard let text = unsafe hypothesis(pointer, nil) else { return "" }
        return unsafe String(cString: text)
    }
}
