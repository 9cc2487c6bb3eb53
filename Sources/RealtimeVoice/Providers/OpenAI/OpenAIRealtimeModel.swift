public import Foundation

/// OpenAI's realtime models, also as Azure OpenAI serves them.
///
/// For Azure, give the resource's address with `/openai/v1` as base URL and the deployment's
/// name as model.
public struct OpenAIRealtimeModel: RealtimeModel {
    /// `openai`.
    public let provider = "openai"
    /// The model's, or on Azure the deployment's, name.
    public let modelID: String
    /// The API's address, with `http`, `https`, `ws` or `wss`, any host, port and path.
    public let baseURL: URL
    private let apiKey: String?

    /// OpenAI's own address.
    public static let defaultBaseURL = ProviderEndpoint.constant("https://api.openai.com/v1")

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - modelID: Such as `gpt-realtime`.
    ///   - apiKey: For servers; nil reads `OPENAI_API_KEY` (Azure: `AZURE_OPENAI_API_KEY`
    ///     first) when a key is needed.
    ///   - baseURL: Where the API is.
    public init(
        _ modelID: String, apiKey: String? = nil,
        baseURL: URL = OpenAIRealtimeModel.defaultBaseURL
    ) {
        self.modelID = modelID
        self.apiKey = apiKey
        self.baseURL = baseURL
    }

    public var capabilities: RealtimeCapabilities {
        RealtimeCapabilities(minimumCommitMilliseconds: 100)
    }

    /// Whether the base URL is an Azure resource's.
    private var isAzure: Bool {
        var path = baseURL.path
        while path.hasSuffix("/") { path.removeLast() }
        return path.hasSuffix("/openai/v1")
    }

    // MARK: Client secrets

    public func createClientSecret(
        options: RealtimeClientSecretOptions
    ) async throws(RealtimeError) -> RealtimeClientSecret {
        let reply = try await ProviderHTTP.post(clientSecretRequest(options: options))
        return try clientSecret(from: reply)
    }

    package func clientSecretRequest(
        options: RealtimeClientSecretOptions
    ) throws(RealtimeError) -> ProviderHTTPRequest {
        var body: [String: JSONValue] = [:]
        if let seconds = options.expiresAfterSeconds {
            guard (10...7_200).contains(seconds) else {
                throw RealtimeError(
                    .invalidInput, "OpenAI's client secrets live 10 to 7200 seconds",
                    parameter: "expiresAfterSeconds")
            }
            body["expires_after"] = ["anchor": "created_at", "seconds": .int(seconds)]
        }
        let session = try encode(config: options.sessionConfig ?? RealtimeSessionConfig())
        body["session"] = JSONValue.object(["model": .string(modelID)]).merging(session)
        return ProviderHTTPRequest(
            url: try ProviderEndpoint.http(base: baseURL, path: "realtime/client_secrets"),
            headers: [try authorization()], body: .object(body))
    }

    package func clientSecret(
        from reply: JSONValue
    ) throws(RealtimeError) -> RealtimeClientSecret {
        guard let token = reply["value"]?.stringValue, !token.isEmpty else {
            throw RealtimeError(.decodingFailed, "a client secret without a value")
        }
        return RealtimeClientSecret(
            token: token, url: try socketURL(), expiresAt: reply["expires_at"]?.intValue)
    }

    // MARK: Connecting

    public func connectRequest(
        secret: RealtimeClientSecret
    ) throws(RealtimeError) -> RealtimeConnectRequest {
        if isAzure {
            return RealtimeConnectRequest(
                url: secret.url, headers: [("Authorization", "Bearer \(secret.token)")])
        }
        return RealtimeConnectRequest(
            url: secret.url,
            subprotocols: ["realtime", "openai-insecure-api-key.\(secret.token)"])
    }

    public func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest {
        RealtimeConnectRequest(url: try socketURL(), headers: [try authorization()])
    }

    private func socketURL() throws(RealtimeError) -> URL {
        try ProviderEndpoint.webSocket(
            base: baseURL, path: "realtime", query: [("model", modelID)])
    }

    private func authorization() throws(RealtimeError) -> (name: String, value: String) {
        if isAzure {
            let key = try ProviderKey.resolve(
                apiKey, environment: ["AZURE_OPENAI_API_KEY", "OPENAI_API_KEY"])
            return ("api-key", key)
        }
        let key = try ProviderKey.resolve(apiKey, environment: ["OPENAI_API_KEY"])
        return ("Authorization", "Bearer \(key)")
    }

    // MARK: The wire

    public func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        try OpenAIConfig.session(config)
    }

    public func makeCodec() -> any RealtimeCodec {
        OpenAICodec(dialect: .openAI, session: OpenAIConfig.session)
    }
}

/// Speaks OpenAI's wire, or one that shares its vocabulary, for one connection.
struct OpenAICodec: RealtimeCodec {
    let configurationMoment = RealtimeConfigurationMoment.onSessionCreated
    private var decoder: OpenAIDecoder
    private let session: @Sendable (RealtimeSessionConfig) throws(RealtimeError) -> JSONValue

    init(
        dialect: OpenAIDialect,
        session: @escaping @Sendable (RealtimeSessionConfig) throws(RealtimeError) -> JSONValue
    ) {
        decoder = OpenAIDecoder(dialect: dialect)
        self.session = session
    }

    mutating func decode(
        _ frame: RealtimeFrame
    ) throws(RealtimeError) -> [RealtimeServerEvent] {
        try decoder.decode(frame)
    }

    mutating func encode(
        _ event: RealtimeClientEvent
    ) throws(RealtimeError) -> [RealtimeFrame] {
        try OpenAIEncoder.encode(event, dialect: decoder.dialect, session: session)
    }
}
