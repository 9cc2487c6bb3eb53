/// What a response, or a transcription, cost. A field is nil where the provider doesn't tell.
public struct RealtimeUsage: Sendable, Hashable {
    /// Tokens of one direction.
    public struct Tokens: Sendable, Hashable {
        /// All tokens.
        public var total: Int?
        /// Text tokens.
        public var text: Int?
        /// Audio tokens.
        public var audio: Int?
        /// Image tokens.
        public var image: Int?
        /// Tokens read from a cache, part of the others.
        public var cached: Int?
        /// Tokens spent on reasoning.
        public var reasoning: Int?

        /// Creates counts.
        public init(
            total: Int? = nil, text: Int? = nil, audio: Int? = nil, image: Int? = nil,
            cached: Int? = nil, reasoning: Int? = nil
        ) {
            self.total = total
            self.text = text
            self.audio = audio
            self.image = image
            self.cached = cached
            self.reasoning = reasoning
        }
    }

    /// What went in.
    public var input: Tokens
    /// What came out.
    public var output: Tokens
    /// The provider's own total.
    public var totalTokens: Int?
    /// Seconds of audio, where they are what is billed.
    public var seconds: Double?
    /// The provider's own report.
    public var raw: JSONValue

    /// Creates a report.
    public init(
        input: Tokens = Tokens(), output: Tokens = Tokens(), totalTokens: Int? = nil,
        seconds: Double? = nil, raw: JSONValue = .null
    ) {
        self.input = input
        self.output = output
        self.totalTokens = totalTokens
        self.seconds = seconds
        self.raw = raw
    }
}
