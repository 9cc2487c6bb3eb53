/// How a session listens, thinks and speaks; every field nil leaves the provider's default.
///
/// Encodes to the neutral JSON that setup endpoints exchange.
public struct RealtimeSessionConfig: Sendable, Hashable, Codable {
    /// The system instructions.
    public var instructions: String?
    /// The provider's name of a voice.
    public var voice: String?
    /// `["audio"]` or `["text"]`.
    public var outputModalities: [String]?
    /// What the app sends; 24 kHz PCM if nil (Gemini: 16 kHz).
    public var inputAudioFormat: RealtimeAudioFormat?
    /// Turns transcripts of the user's speech on.
    public var inputAudioTranscription: RealtimeTranscription?
    /// Turns transcripts of the model's speech on, where they are not always on.
    public var outputAudioTranscription: RealtimeTranscription?
    /// What the model's speech comes as; 24 kHz PCM if nil.
    public var outputAudioFormat: RealtimeAudioFormat?
    /// Who decides when the user's turn ends.
    public var turnDetection: RealtimeTurnDetection?
    /// The functions that the model may call.
    public var tools: [RealtimeToolDefinition]?
    /// Merged deeply into the provider's native session; `tools` append.
    public var providerOptions: JSONValue?

    /// Creates a configuration.
    public init(
        instructions: String? = nil,
        voice: String? = nil,
        outputModalities: [String]? = nil,
        inputAudioFormat: RealtimeAudioFormat? = nil,
        inputAudioTranscription: RealtimeTranscription? = nil,
        outputAudioTranscription: RealtimeTranscription? = nil,
        outputAudioFormat: RealtimeAudioFormat? = nil,
        turnDetection: RealtimeTurnDetection? = nil,
        tools: [RealtimeToolDefinition]? = nil,
        providerOptions: JSONValue? = nil
    ) {
        self.instructions = instructions
        self.voice = voice
        self.outputModalities = outputModalities
        self.inputAudioFormat = inputAudioFormat
        self.inputAudioTranscription = inputAudioTranscription
        self.outputAudioTranscription = outputAudioTranscription
        self.outputAudioFormat = outputAudioFormat
        self.turnDetection = turnDetection
        self.tools = tools
        self.providerOptions = providerOptions
    }
}

/// How speech is transcribed.
public struct RealtimeTranscription: Sendable, Hashable, Codable {
    /// The provider's transcription model; nil takes its usual one.
    public var model: String?
    /// The spoken language, ISO 639-1 or BCP 47.
    public var language: String?
    /// Words or a style to expect, where the model takes them.
    public var prompt: String?

    /// Creates transcription settings.
    public init(model: String? = nil, language: String? = nil, prompt: String? = nil) {
        self.model = model
        self.language = language
        self.prompt = prompt
    }
}

/// Who decides when the user's turn ends.
public struct RealtimeTurnDetection: Sendable, Hashable, Codable {
    /// A kind of turn detection; providers may have more.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The kind's text.
        public let rawValue: String

        /// Creates a kind.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Reads a kind in any of the spellings in use: `server-vad`, `server_vad`, `serverVAD`.
        public init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            let known: [Kind] = [.serverVAD, .semanticVAD, .disabled]
            let plain = text.filter(\.isLetter).lowercased()
            self =
                known.first { $0.rawValue.filter(\.isLetter) == plain } ?? Kind(rawValue: text)
        }

        /// Writes the kind's text.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        /// Silence ends the turn.
        public static let serverVAD = Kind(rawValue: "server-vad")
        /// What was said ends the turn; silence, where the provider has nothing better.
        public static let semanticVAD = Kind(rawValue: "semantic-vad")
        /// The app ends the turn, with `commitAudio()` and `requestResponse()`.
        public static let disabled = Kind(rawValue: "disabled")
    }

    /// The kind of turn detection.
    public var type: Kind
    /// How sure the detector must be that somebody speaks, 0 to 1.
    public var threshold: Double?
    /// The silence that ends a turn.
    public var silenceDurationMs: Int?
    /// The audio before the detected start that belongs to the turn.
    public var prefixPaddingMs: Int?
    /// How soon semantic detection ends a turn: `low`, `medium`, `high` or `auto`.
    public var eagerness: String?
    /// Whether the provider answers at the end of a turn by itself; true if nil.
    public var createResponse: Bool?
    /// Whether speech stops a running answer; true if nil.
    public var interruptResponse: Bool?
    /// After this much silence the model speaks unasked, where the provider can.
    public var idleTimeoutMs: Int?

    /// Creates turn detection settings.
    public init(
        type: Kind,
        threshold: Double? = nil,
        silenceDurationMs: Int? = nil,
        prefixPaddingMs: Int? = nil,
        eagerness: String? = nil,
        createResponse: Bool? = nil,
        interruptResponse: Bool? = nil,
        idleTimeoutMs: Int? = nil
    ) {
        self.type = type
        self.threshold = threshold
        self.silenceDurationMs = silenceDurationMs
        self.prefixPaddingMs = prefixPaddingMs
        self.eagerness = eagerness
        self.createResponse = createResponse
        self.interruptResponse = interruptResponse
        self.idleTimeoutMs = idleTimeoutMs
    }
}
