public import Foundation

/// OpenAI's realtime models, also as Azure OpenAI and Azure Voice Live serve them.
///
/// For Azure OpenAI, give the resource's address with `/openai/v1` as base URL and the
/// deployment's name as model; for Voice Live, the address with
/// `/voice-live?api-version=2026-04-10`. The module's `Providers/OpenAI/README.md` tells what
/// each neutral event and field becomes.
public struct OpenAIRealtimeModel: RealtimeModel {
    /// What a connection is for.
    public enum Purpose: Sendable, Hashable {
        /// To talk with the model.
        case conversation
        /// To watch and steer a WebRTC or SIP call, such as `rtc_…`, that goes on elsewhere.
        case call(id: String)
        /// To transcribe speech and nothing else; the model is the transcription model.
        case transcription
        /// To translate speech without end; there are no turns and no tools.
        case translation
    }

    /// How Azure is told who calls.
    public enum AzureCredential: Sendable, Hashable {
        /// The key is a resource's key, in the header `api-key`.
        case apiKey
        /// The key is a Microsoft Entra token, in the header `Authorization`.
        case entraToken
    }

    /// How a connection differs from the usual one.
    public struct Options: Sendable, Hashable {
        /// What connections are for.
        public var purpose: Purpose
        /// The organization that is billed, where the key belongs to several.
        public var organization: String?
        /// The project that is billed, where the key belongs to several.
        public var project: String?
        /// A stable, hashed identifier of the end user; not sent with client secrets.
        public var safetyIdentifier: String?
        /// What the key is, on Azure.
        public var azureCredential: AzureCredential

        /// Creates options.
        public init(
            purpose: Purpose = .conversation, organization: String? = nil,
            project: String? = nil, safetyIdentifier: String? = nil,
            azureCredential: AzureCredential = .apiKey
        ) {
            self.purpose = purpose
            self.organization = organization
            self.project = project
            self.safetyIdentifier = safetyIdentifier
            self.azureCredential = azureCredential
        }
    }

    /// `openai`.
    public let provider = "openai"
    /// The model's, or on Azure the deployment's, name.
    public let modelID: String
    /// The API's address, with `http`, `https`, `ws` or `wss`, any host, port and path.
    public let baseURL: URL
    /// How connections differ from the usual ones.
    public let options: Options
    let apiKey: String?

    /// OpenAI's own address.
    public static let defaultBaseURL = ProviderEndpoint.constant("https://api.openai.com/v1")

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - modelID: Such as `gpt-realtime`.
    ///   - apiKey: For servers; nil reads `OPENAI_API_KEY` (Azure: `AZURE_OPENAI_API_KEY`
    ///     first) when a key is needed.
    ///   - baseURL: Where the API is.
    ///   - options: How connections differ from the usual ones.
    public init(
        _ modelID: String, apiKey: String? = nil,
        baseURL: URL = OpenAIRealtimeModel.defaultBaseURL, options: Options = Options()
    ) {
        self.modelID = modelID
        self.apiKey = apiKey
        self.baseURL = baseURL
        self.options = options
    }

    /// What the wire can do; less for transcription and translation.
    public var capabilities: RealtimeCapabilities {
        switch options.purpose {
        case .conversation, .call:
            RealtimeCapabilities(minimumCommitMilliseconds: 100)
        case .transcription:
            RealtimeCapabilities(
                supportsTruncation: false, requiresResponseCreate: false, supportsCancel: false,
                minimumCommitMilliseconds: 100)
        case .translation:
            RealtimeCapabilities(
                supportsTextOutput: false, supportsTruncation: false,
                supportsItemDeletion: false, requiresResponseCreate: false,
                supportsCancel: false, supportsAudioClear: false, supportsManualTurns: false,
                reportsSpeech: false, echoesItems: false, acceptsItemIDs: false)
        }
    }

    /// Whose service the base URL is, by how its path ends.
    enum Service { case openAI, azureOpenAI, voiceLive }

    var service: Service {
        var path = baseURL.path
        while path.hasSuffix("/") { path.removeLast() }
        if path.hasSuffix("/openai/v1") { return .azureOpenAI }
        return path.hasSuffix("/voice-live") ? .voiceLive : .openAI
    }

    // MARK: The wire

    /// The native session.
    ///
    /// - Throws: `invalidInput` or `unsupported`, with the field that the wire can't have.
    public func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        try session(config)
    }

    private func session(_ config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        switch options.purpose {
        case .conversation, .call:
            service == .voiceLive
                ? try VoiceLiveConfig.session(config) : try OpenAIConfig.session(config)
        case .transcription: try OpenAIConfig.transcriptionSession(config, modelID: modelID)
        case .translation: try OpenAIConfig.translationSession(config)
        }
    }

    /// A codec for one connection.
    public func makeCodec() -> any RealtimeCodec {
        var dialect = service == .voiceLive ? OpenAIDialect.voiceLive : .openAI
        var moment = RealtimeConfigurationMoment.onSessionCreated
        switch options.purpose {
        case .conversation: break
        // A call's session exists already: nothing announces it to a second connection.
        case .call: moment = .onOpen
        case .transcription: dialect.scope = .transcription
        case .translation: dialect.scope = .translation
        }
        return OpenAICodec(dialect: dialect, configurationMoment: moment) {
            config, _ throws(RealtimeError) in try session(config)
        }
    }
}

extension OpenAIRealtimeModel: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The model's name, without the key.
    public var description: String { "OpenAIRealtimeModel(\(modelID))" }
    /// The model's name, without the key.
    public var debugDescription: String { description }
    /// The model's name, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["modelID": modelID]) }
}
