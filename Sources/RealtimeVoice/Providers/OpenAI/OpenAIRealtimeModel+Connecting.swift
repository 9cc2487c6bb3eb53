import Foundation

extension OpenAIRealtimeModel {
    // MARK: Client secrets

    /// Mints a client secret, which lives 10 to 7200 seconds, 600 if not named.
    ///
    /// Its holder may change the session that it binds: a secret is no policy.
    ///
    /// - Throws: `invalidInput` for another lifetime, `unsupported` for Voice Live,
    ///   `missingAPIKey`, and what ``RealtimeModel/createClientSecret(options:)`` says.
    public func createClientSecret(
        options: RealtimeClientSecretOptions
    ) async throws(RealtimeError) -> RealtimeClientSecret {
        let reply = try await ProviderHTTP.post(clientSecretRequest(options: options))
        return try clientSecret(from: reply)
    }

    package func clientSecretRequest(
        options: RealtimeClientSecretOptions
    ) throws(RealtimeError) -> ProviderHTTPRequest {
        guard service != .voiceLive else {
            throw RealtimeError(.unsupported, "Azure Voice Live has no client secrets")
        }
        var body: [String: JSONValue] = [:]
        if let seconds = options.expiresAfterSeconds {
            guard (10...7_200).contains(seconds) else {
                throw RealtimeError(
                    .invalidInput, "OpenAI's client secrets live 10 to 7200 seconds",
                    parameter: "expiresAfterSeconds")
            }
            // The schema lets the anchor out; the service refuses that.
            body["expires_after"] = ["anchor": "created_at", "seconds": .int(seconds)]
        }
        let session = try encode(config: options.sessionConfig ?? RealtimeSessionConfig())
        body["session"] =
            self.options.purpose == .transcription
            ? session : JSONValue.object(["model": .string(modelID)]).merging(session)
        let path =
            self.options.purpose == .translation
            ? "realtime/translations/client_secrets" : "realtime/client_secrets"
        return ProviderHTTPRequest(
            url: try ProviderEndpoint.http(base: baseURL, path: path), headers: try headers(),
            body: .object(body))
    }

    package func clientSecret(
        from reply: JSONValue
    ) throws(RealtimeError) -> RealtimeClientSecret {
        try OpenAIObjects.clientSecret(reply, url: socketURL())
    }

    // MARK: Connecting

    /// How to connect with a client secret: as a subprotocol, which all clients can do; on
    /// Azure, or with a token that no subprotocol can hold, in a header. Never both, which
    /// the service refuses.
    public func connectRequest(
        secret: RealtimeClientSecret
    ) throws(RealtimeError) -> RealtimeConnectRequest {
        guard service == .openAI, ProviderKey.isToken(secret.token) else {
            return RealtimeConnectRequest(
                url: secret.url,
                headers: [("Authorization", "Bearer \(secret.token)")] + billing)
        }
        var subprotocols = ["realtime", "openai-insecure-api-key.\(secret.token)"]
        if let organization = options.organization {
            subprotocols.append("openai-organization.\(organization)")
        }
        if let project = options.project { subprotocols.append("openai-project.\(project)") }
        return RealtimeConnectRequest(url: secret.url, subprotocols: subprotocols)
    }

    /// How to connect with the API key, in a header.
    public func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest {
        RealtimeConnectRequest(url: try socketURL(), headers: try headers())
    }

    /// The address has one target: the model, a call, or the intent to transcribe.
    private func socketURL() throws(RealtimeError) -> URL {
        let (path, target): (String, (name: String, value: String)) =
            switch options.purpose {
            case .conversation: ("realtime", ("model", modelID))
            case .call(let id): ("realtime", ("call_id", id))
            case .transcription: ("realtime", ("intent", "transcription"))
            case .translation: ("realtime/translations", ("model", modelID))
            }
        return try ProviderEndpoint.webSocket(base: baseURL, path: path, query: [target])
    }

    private func headers() throws(RealtimeError) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)]
        if service == .openAI {
            let key = try ProviderKey.resolve(apiKey, environment: ["OPENAI_API_KEY"])
            headers = [("Authorization", "Bearer \(key)")]
        } else {
            let key = try ProviderKey.resolve(
                apiKey, environment: ["AZURE_OPENAI_API_KEY", "OPENAI_API_KEY"])
            switch options.azureCredential {
            case .apiKey: headers = [("api-key", key)]
            case .entraToken: headers = [("Authorization", "Bearer \(key)")]
            }
        }
        headers += billing
        if let identifier = options.safetyIdentifier {
            headers.append(("OpenAI-Safety-Identifier", identifier))
        }
        return headers
    }

    private var billing: [(name: String, value: String)] {
        [
            ("OpenAI-Organization", options.organization), ("OpenAI-Project", options.project),
        ].compactMap { name, value in value.map { (name, $0) } }
    }
}
