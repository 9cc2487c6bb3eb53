import CSpeech
public import RealtimeVoice

/// Speech by flite (CMU), with the voices `rms` (the more intelligible) and `slt`.
public final class FliteSynthesizer: SpeechSynthesizer {
    /// What brings the library.
    static let hint =
        """
        Speaking needs flite: install libflite1 (Debian: apt-get install libflite1; \
        elsewhere a build of flite 2 with shared libraries)
        """

    private let worker = SpeechWorker(label: "RealtimeVoice.flite")
    private let engine: FliteEngine

    /// Loads flite and its voices.
    ///
    /// - Throws: `unsupported` where it isn't installed.
    public init() throws(RealtimeError) {
        self.engine = try FliteEngine()
    }

    /// Engine and voices.
    public var name: String { "flite (\(engine.voiceNames.joined(separator: ", ")))" }

    /// Synthesizes a sentence on the engine's own queue.
    public func synthesize(
        _ text: String,
        voice: String,
        speed: Double
    ) async throws(RealtimeError) -> SynthesizedSpeech {
        let engine = engine
        let speech = await worker.run(urgent: true) {
            engine.synthesize(text, voice: Self.fliteVoice(for: voice), speed: speed)
        }
        guard let speech else {
            throw RealtimeError(.unsupported, "flite could not speak this text")
        }
        return speech
    }

    /// The flite voice for a provider's voice name: the one that sounds nearest.
    static func fliteVoice(for name: String) -> String {
        switch name.lowercased() {
        case "slt", "coral", "marin", "sage", "shimmer", "ara", "eve": "slt"
        default: "rms"
        }
    }
}

/// The loaded library. flite synthesizes from several threads on one voice without trouble
/// (measured), and nothing of a voice is changed after loading: hence `@unchecked Sendable`.
@safe private final class FliteEngine: @unchecked Sendable {
    let voiceNames: [String]
    private let voices: [String: Int]
    private let functions: FliteFunctions

    init() throws(RealtimeError) {
        let hint = FliteSynthesizer.hint
        let library = try DynamicLibrary(
            anyOf: ["libflite.so.1", "libflite.so", "libflite.dylib"], hint: hint)
        unsafe self.functions = try unsafe FliteFunctions(library)
        _ = unsafe functions.initialize()
        var voices: [String: Int] = [:]
        for name in ["rms", "slt"] {
            let file = "libflite_cmu_us_\(name)"
            guard
                let voiceLibrary = try? DynamicLibrary(
                    anyOf: ["\(file).so.1", "\(file).so", "\(file).dylib"], hint: hint)
            else { continue }
            let register = try unsafe voiceLibrary.function(
                "register_cmu_us_\(name)", as: cspeech_flite_register_fn.self)
            if let voice = unsafe register(nil) { voices[name] = Int(bitPattern: voice) }
        }
        guard !voices.isEmpty else { throw RealtimeError(.unsupported, hint) }
        self.voices = voices
        self.voiceNames = voices.keys.sorted()
    }

    private static let stretch: StaticString = "duration_stretch"

    func synthesize(_ text: String, voice name: String, speed: Double) -> SynthesizedSpeech? {
        guard let address = voices[name] ?? voices.values.first,
            let utterance = unsafe functions.makeUtterance()
        else { return nil }
        let voice = unsafe UnsafeMutableRawPointer(bitPattern: address)
        _ = unsafe functions.setText(utterance, text)
        _ = unsafe functions.initializeUtterance(utterance, voice)
        if speed != 1, speed > 0 {
            // The utterance keeps the pointer, not the name: it must outlive this call.
            let name = unsafe UnsafeRawPointer(Self.stretch.utf8Start)
                .assumingMemoryBound(to: CChar.self)
            unsafe functions.setFloat(
                utterance.pointee.features, name, Float(1 / speed))
        }
        guard let spoken = unsafe functions.synthesize(utterance) else {
            unsafe functions.delete(utterance)
            return nil
        }
        defer { unsafe functions.delete(spoken) }
        guard let wave = unsafe functions.wave(spoken), let data = unsafe wave.pointee.samples
        else { return nil }
        let rate = unsafe Int(wave.pointee.sample_rate)
        let samples = unsafe Array(
            UnsafeBufferPointer(start: data, count: Int(wave.pointee.num_samples)))
        let ends = unsafe wordEnds(spoken).map { Int($0 * Float(rate)) }
        let words = WordPlacement.place(
            words: text.split(whereSeparator: \.isWhitespace).map(String.init),
            ends: ends, sampleCount: samples.count)
        return SynthesizedSpeech(samples: samples, sampleRate: rate, words: words)
    }

    /// The second at which each whitespace-separated token of the text ends.
    private func wordEnds(_ utterance: UnsafeMutablePointer<cspeech_flite_utterance>) -> [Float] {
        let path = "daughtern.R:SylStructure.daughtern.daughtern.R:Segment.end"
        guard let relation = unsafe functions.relation(utterance, "Token") else { return [] }
        var ends: [Float] = []
        var token = unsafe functions.head(relation)
        while let current = unsafe token {
            unsafe ends.append(functions.float(current, path))
            unsafe token = functions.next(current)
        }
        return ends
    }
}

/// The functions of flite that we call.
@unsafe private struct FliteFunctions {
    let initialize: cspeech_flite_init_fn
    let makeUtterance: cspeech_flite_new_fn
    let setText: cspeech_flite_set_text_fn
    let initializeUtterance: cspeech_flite_utt_init_fn
    let setFloat: cspeech_flite_set_float_fn
    let synthesize: cspeech_flite_synth_fn
    let wave: cspeech_flite_wave_fn
    let delete: cspeech_flite_delete_fn
    let relation: cspeech_flite_relation_fn
    let head: cspeech_flite_head_fn
    let next: cspeech_flite_next_fn
    let float: cspeech_flite_float_fn

    init(_ library: DynamicLibrary) throws(RealtimeError) {
        unsafe initialize = try library.function("flite_init", as: cspeech_flite_init_fn.self)
        unsafe makeUtterance = try library.function(
            "new_utterance", as: cspeech_flite_new_fn.self)
        unsafe setText = try library.function(
            "utt_set_input_text", as: cspeech_flite_set_text_fn.self)
        unsafe initializeUtterance = try library.function(
            "utt_init", as: cspeech_flite_utt_init_fn.self)
        unsafe setFloat = try library.function(
            "feat_set_float", as: cspeech_flite_set_float_fn.self)
        unsafe synthesize = try library.function("utt_synth", as: cspeech_flite_synth_fn.self)
        unsafe wave = try library.function("utt_wave", as: cspeech_flite_wave_fn.self)
        unsafe delete = try library.function(
            "delete_utterance", as: cspeech_flite_delete_fn.self)
        unsafe relation = try library.function(
            "utt_relation", as: cspeech_flite_relation_fn.self)
        unsafe head = try library.function("relation_head", as: cspeech_flite_head_fn.self)
        unsafe next = try library.function("item_next", as: cspeech_flite_next_fn.self)
        unsafe float = try library.function("ffeature_float", as: cspeech_flite_float_fn.self)
    }
}
