public import RealtimeVoice

/// A sentence as sound: 16-bit samples, one channel, with the place of every word.
public struct SynthesizedSpeech: Sendable, Equatable {
    /// A word of the text and the sample at which it begins.
    public struct Word: Sendable, Equatable {
        /// The word as the text has it, with its punctuation and without spaces.
        public var text: String
        /// The first sample of the word.
        public var startSample: Int

        /// Creates a word.
        public init(text: String, startSample: Int) {
            self.text = text
            self.startSample = startSample
        }
    }

    /// The samples.
    public var samples: [Int16]
    /// Samples a second.
    public var sampleRate: Int
    /// The words in order, with rising positions.
    public var words: [Word]

    /// Creates speech.
    public init(samples: [Int16], sampleRate: Int, words: [Word]) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.words = words
    }
}

/// Turns text into speech. One value serves many sessions at a time.
public protocol SpeechSynthesizer: Sendable {
    /// Who speaks, for a person: engine and voice.
    var name: String { get }

    /// Synthesizes a sentence.
    ///
    /// Runs off the caller's thread. A voice that the engine doesn't have is replaced by its
    /// nearest.
    ///
    /// - Throws: `unsupported` where the engine refuses the text.
    func synthesize(
        _ text: String,
        voice: String,
        speed: Double
    ) async throws(RealtimeError) -> SynthesizedSpeech
}

/// Turns speech into text. One value serves many sessions at a time.
public protocol SpeechRecognizer: Sendable {
    /// Who hears, for a person: engine and model.
    var name: String { get }

    /// Begins a turn. `onPartial` gets the growing text, from any thread.
    func startTurn(
        onPartial: @escaping @Sendable (String) -> Void
    ) -> any SpeechRecognitionTurn
}

/// The recognition of one turn of speech. No method waits but `finish`.
public protocol SpeechRecognitionTurn: AnyObject, Sendable {
    /// Adds 16-bit samples, one channel, 16 kHz.
    func append(_ samples: [Int16])
    /// The speaker fell silent and may be done: a good moment to decode ahead.
    func speechPaused()
    /// The speaker went on after a pause.
    func speechResumed()
    /// Ends the turn and gives its text; empty where nothing was understood.
    func finish() async throws(RealtimeError) -> String
    /// Drops the turn; `finish` is not called after it.
    func cancel()
}

extension SpeechRecognizer {
    /// The words of a whole recording, 16-bit samples, one channel, 16 kHz.
    public func transcribe(_ samples: [Int16]) async throws(RealtimeError) -> String {
        let turn = startTurn { _ in }
        turn.append(samples)
        return try await turn.finish()
    }
}

/// Tells speech from silence and noise, frame by frame. A value holds one session's state.
public protocol VoiceActivityDetector: Sendable {
    /// The samples of a frame, at 16 kHz.
    var frameSamples: Int { get }
    /// Whether this frame, the next of the stream, is speech.
    mutating func isSpeech(_ frame: ArraySlice<Int16>) -> Bool
}
