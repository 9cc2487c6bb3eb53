public import Foundation

/// A Gemini Live model, spoken to over `BidiGenerateContent`.
///
/// Connects by API key or by ephemeral token. Gemini has no ids, no way to truncate what it
/// said and no event for speech; the module's `Providers/Google/README.md` tells what each
/// neutral event and field becomes.
public struct GoogleRealtimeModel: RealtimeModel {
    /// Whether the model waits for a function's result.
    public enum ToolBehavior: String, Sendable, Hashable {
        /// The model is silent until the result is there.
        case blocking = "BLOCKING"
        /// The model goes on; `RealtimeToolOutput.scheduling` says when it hears the result.
        case nonBlocking = "NON_BLOCKING"
    }

    /// How to speak to endpoints that differ from the Gemini API of today.
    public struct Options: Sendable, Hashable {
        /// Whether the endpoint is Vertex AI's: other paths, the API key as an OAuth access
        /// token, no ephemeral tokens, and `clientContent` for the user's text.
        public var isVertex: Bool
        /// Sends audio as `{"realtime_input":{"media_chunks":[…]}}`, which endpoints before
        /// 2025 want and today's refuse.
        public var usesLegacyMediaChunks: Bool
        /// Sends an ephemeral token in the `Authorization` header instead of the query.
        public var sendsTokenInHeader: Bool
        /// What functions are declared as; nil leaves the model's default. Extended thinking
        /// takes only `nonBlocking` and gets it.
        public var toolBehavior: ToolBehavior?
        /// How many sessions an ephemeral token opens; 0 for any number.
        public var tokenUses: Int
        /// How long a session that a token opened at its last moment may last.
        public var tokenSessionSeconds: Int

        /// Creates options.
        public init(
            isVertex: Bool = false, usesLegacyMediaChunks: Bool = false,
            sendsTokenInHeader: Bool = false, toolBehavior: ToolBehavior? = nil,
            tokenUses: Int = 1, tokenSessionSeconds: Int = 1_800
        ) {
            self.isVertex = isVertex
            self.usesLegacyMediaChunks = usesLegacyMediaChunks
            self.sendsTokenInHeader = sendsTokenInHeader
            self.toolBehavior = toolBehavior
            self.tokenUses = tokenUses
            self.tokenSessionSeconds = tokenSessionSeconds
        }
    }

    /// Where the Gemini API is.
    public static let defaultBaseURL = ProviderEndpoint.constant(
        "https://generativelanguage.googleapis.com")

    /// The model's name, such as `gemini-3.8-live`.
    public let modelID: String
    /// The address without version and method; a trailing `/v1beta` or `/v1alpha` is dropped.
    public let baseURL: URL
    /// How the endpoint differs.
    public let options: Options
    private let apiKey: String?

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - modelID: The model, such as `gemini-3.8-live`; for Vertex AI the resource name.
    ///   - apiKey: The API key; nil reads `GOOGLE_GENERATIVE_AI_API_KEY` when it is needed.
    ///   - baseURL: The address of the service or of a proxy, `http(s)` or `ws(s)`.
    ///   - options: How the endpoint differs from today's Gemini API.
    public init(
        _ modelID: String, apiKey: String? = nil,
        baseURL: URL = GoogleRealtimeModel.defaultBaseURL, options: Options = Options()
    ) {
        self.modelID = modelID
        self.apiKey = apiKey
        self.baseURL = baseURL
        self.options = options
    }

    /// `google`.
    public var provider: String { "google" }

    package var family: GoogleModelFamily { GoogleModelFamily(modelID: modelID) }

    /// What the wire can do with this kind of model.
    public var capabilities: RealtimeCapabilities {
        let rules = family.rules
        let behavior = rules.requiredBehavior ?? options.toolBehavior ?? rules.usualBehavior
        return RealtimeCapabilities(
            supportsTextOutput: rules.answersInText,
            supportsTruncation: false,
            supportsItemDeletion: false,
            requiresResponseCreate: false,
            supportsCancel: true,
            supportsAudioClear: false,
            supportsManualTurns: family != .translate && family != .transcribe,
            reportsSpeech: false,
            supportsSessionUpdate: rules.takesContextUpdate,
            echoesItems: false,
            acceptsItemIDs: false,
            supportsDeferredToolOutput: rules.hasAsynchronousTools && behavior == .nonBlocking,
            defaultInputFormat: .pcm16kHz,
            defaultOutputFormat: .pcm24kHz)
    }

    /// The `setup` that a configuration becomes, with what this kind of model refuses left out.
    ///
    /// - Throws: `unsupported` for what the wire can't do, `invalidInput` for a tool whose
    ///   schema refers to itself; `parameter` names the field.
    public func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        try GoogleSetup(model: self).encode(config)
    }

    /// A codec for one connection, which counts its ids from 0.
    public func makeCodec() -> any RealtimeCodec {
        GoogleCodec(model: self)
    }

    /// The model as the wire wants it.
    package var wireModel: String {
        let isResource =
            ["models/", "tunedModels/", "projects/", "publishers/"].contains {
                modelID.hasPrefix($0)
            }
        return isResource || options.isVertex ? modelID : "models/\(modelID)"
    }

    /// The API key, given or of the environment.
    func requireAPIKey() throws(RealtimeError) -> String {
        try ProviderKey.resolve(apiKey, environment: ["GOOGLE_GENERATIVE_AI_API_KEY"])
    }
}

extension GoogleRealtimeModel: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The model's name, without the key.
    public var description: String { "GoogleRealtimeModel(\(modelID))" }
    /// The model's name, without the key.
    public var debugDescription: String { description }
    /// The model's name, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["modelID": modelID]) }
}
