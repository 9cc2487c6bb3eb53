public import Foundation

/// xAI's Grok voice models.
///
/// The module's `Providers/XAI/README.md` tells what each neutral event and field becomes.
public struct XaiRealtimeModel: RealtimeModel {
    /// What a connection goes on with.
    public struct Options: Sendable, Hashable {
        /// The conversation to go on with, by the id that `conversation.created` named; asks
        /// for resumption too, without which nothing is repeated. A conversation can be gone on
        /// with for 30 minutes, if its first connection had
        /// `{"resumption":{"enabled":true}}` among its provider options.
        public var conversationID: String?
        /// The SIP call to take part in; with an API key only.
        public var callID: String?

        /// Creates options.
        public init(conversationID: String? = nil, callID: String? = nil) {
            self.conversationID = conversationID
            self.callID = callID
        }
    }

    /// `xai`.
    public let provider = "xai"
    /// The model's name.
    public let modelID: String
    /// The API's address, with `http`, `https`, `ws` or `wss`, any host, port and path.
    public let baseURL: URL
    /// What connections go on with.
    public let options: Options
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
    ///   - options: What connections go on with.
    public init(
        _ modelID: String, apiKey: String? = nil,
        baseURL: URL = XaiRealtimeModel.defaultBaseURL, supportsTruncation: Bool = false,
        options: Options = Options()
    ) {
        self.options = options
        self.modelID = modelID
        self.apiKey = apiKey
        self.baseURL = baseURL
        self.supportsTruncation = supportsTruncation
    }

    /// What the wire can do: no text alone, no ids of ours, truncation as `init` was told.
    public var capabilities: RealtimeCapabilities {
        RealtimeCapabilities(
            supportsTextOutput: false, supportsTruncation: supportsTruncation,
            supportsItemDeletion: supportsTruncation, acceptsItemIDs: false)
    }

    // MARK: Client secrets

    /// Mints a client secret, which lives 1 to 3600 seconds, 600 if not named.
    ///
    /// - Throws: `invalidInput` for another lifetime, `missingAPIKey`, and what
    ///   ``RealtimeModel/createClientSecret(options:)`` says.
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
        try OpenAIObjects.clientSecret(reply, url: socketURL())
    }

    // MARK: Connecting

    /// How to connect with a client secret: as a subprotocol, or in a header where the token
    /// is none that a subprotocol can hold.
    ///
    /// - Throws: `unsupported` for calls, which take API keys only.
    public func connectRequest(
        secret: RealtimeClientSecret
    ) throws(RealtimeError) -> RealtimeConnectRequest {
        guard options.callID == nil else {
            throw RealtimeError(.unsupported, "xAI's calls take an API key, no client secret")
        }
        let url =
            conversationQuery.isEmpty
            ? secret.url
            : try ProviderEndpoint.webSocket(
                base: secret.url, path: "", query: conversationQuery)
        guard ProviderKey.isToken(secret.token) else {
            return RealtimeConnectRequest(
                url: url, headers: [("Authorization", "Bearer \(secret.token)")])
        }
        return RealtimeConnectRequest(
            url: url, subprotocols: ["xai-client-secret.\(secret.token)"])
    }

    /// How to connect with the API key, in a header.
    public func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest {
        var query = conversationQuery
        if let callID = options.callID { query.append(("call_id", callID)) }
        return RealtimeConnectRequest(
            url: try socketURL(query), headers: [try authorization()])
    }

    private var conversationQuery: [(name: String, value: String)] {
        options.conversationID.map { [("conversation_id", $0)] } ?? []
    }

    private func socketURL(
        _ more: [(name: String, value: String)] = []
    ) throws(RealtimeError) -> URL {
        try ProviderEndpoint.webSocket(
            base: baseURL, path: "realtime", query: [("model", modelID)] + more)
    }

    private func authorization() throws(RealtimeError) -> (name: String, value: String) {
        let key = try ProviderKey.resolve(apiKey, environment: ["XAI_API_KEY"])
        return ("Authorization", "Bearer \(key)")
    }

    // MARK: The wire

    /// The native session, as a connection's first.
    ///
    /// - Throws: `invalidInput` or `unsupported`, with the field that the wire can't have.
    public func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        try XaiConfig.session(
            config, isFirst: true, resumes: options.conversationID != nil)
    }

    /// A codec for one connection.
    public func makeCodec() -> any RealtimeCodec {
        let resumes = options.conversationID != nil
        return OpenAICodec(dialect: .xai) { config, isFirst throws(RealtimeError) in
            try XaiConfig.session(config, isFirst: isFirst, resumes: resumes)
        }
    }

    /// A message, for `sendRaw(_:)`, that has the model say a text word for word, with the
    /// events of an ordinary response; it needs no request for one.
    public static func forceMessage(
        _ text: String, isInterruptible: Bool? = nil
    ) -> JSONValue {
        var item: [String: JSONValue] = [
            "type": "force_message", "role": "assistant",
            "content": [["type": "output_text", "text": .string(text)]],
        ]
        item["interruptible"] = isInterruptible.map(JSONValue.bool)
        return ["type": "conversation.item.create", "item": .object(item)]
    }
}

extension XaiRealtimeModel: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The model's name, without the key.
    public var description: String { "XaiRealtimeModel(\(modelID))" }
    /// The model's name, without the key.
    public var debugDescription: String { description }
    /// The model's name, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["modelID": modelID]) }
}
