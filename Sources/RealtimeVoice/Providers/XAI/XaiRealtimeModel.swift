public import Foundation

/// xAI's Grok voice models.
public struct XaiRealtimeModel: RealtimeModel {
    /// `xai`.
    public let provider = "xai"
    /// The model's name.
    public let modelID: String
    /// The API's address, with `http`, `https`, `ws` or `wss`, any host, port and path.
    public let baseURL: URL
    private let apiKey: String?
    private let supportsTruncation: Bool

    /// xAI's own address.
    public static let defaultBaseURL = ProviderEndpoint.constant("https://api.x.ai/v1")

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - modelID: Such as `grok-voice-latest`.
    ///   - apiKey: For servers; nil reads `XAI_API_KEY` when a key is needed.
    ///   - baseURL: Where the API is.
    ///   - supportsTruncation: Sources disagree on whether xAI honours
    ///     `conversation.item.truncate`. Off, only the local transcript is cut.
    public init(
        _ modelID: String, apiKey: String? = nil,
        baseURL: URL = XaiRealtimeModel.defaultBaseURL, supportsTruncation: Bool = false
    ) {
        self.modelID = modelID
        self.apiKey = apiKey
        self.baseURL = baseURL
        self.supportsTruncation = supportsTruncation
    }

    public var capabilities: RealtimeCapabilities {
        RealtimeCapabilities(
            supportsTextOutput: false, supportsTruncation: supportsTruncation,
            supportsItemDeletion: supportsTruncation, acceptsItemIDs: false)
    }

    // MARK: Client secrets

    public func createClientSecret(
        options: RealtimeClientSecretOptions
    ) async throws(RealtimeError) -> RealtimeClientSecret {
        let reply = try await ProviderHTTP.post(clientSecretRequest(options: options))
        return try clientSecret(from: reply)
    }

    /// The request carries no session: xAI's secrets bind none, so the configuration travels
    /// in `session.update`.
    package func clientSecretRequest(
        options: RealtimeClientSecretOptions
    ) throws(RealtimeError) -> ProviderHTTPRequest {
        var body: [String: JSONValue] = [:]
        if let seconds = options.expiresAfterSeconds {
            guard (1...3_600).contains(seconds) else {
                throw RealtimeError(
                    .invalidInput, "xAI's client secrets live 1 to 3600 seconds",
                    parameter: "expiresAfterSeconds")
            }
            body["expires_after"] = ["seconds": .int(seconds)]
        }
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
        RealtimeConnectRequest(
            url: secret.url, subprotocols: ["xai-client-secret.\(secret.token)"])
    }

    public func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest {
        RealtimeConnectRequest(url: try socketURL(), headers: [try authorization()])
    }

    private func socketURL() throws(RealtimeError) -> URL {
        try ProviderEndpoint.webSocket(
            base: baseURL, path: "realtime", query: [("model", modelID)])
    }

    private func authorization() throws(RealtimeError) -> (name: String, value: String) {
        let key = try ProviderKey.resolve(apiKey, environment: ["XAI_API_KEY"])
        return ("Authorization", "Bearer \(key)")
    }

    // MARK: The wire

    public func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        try XaiConfig.session(config)
    }

    public func makeCodec() -> any RealtimeCodec {
        OpenAICodec(dialect: .xai, session: XaiConfig.session)
    }
}
