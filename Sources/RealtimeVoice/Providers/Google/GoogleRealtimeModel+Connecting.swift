package import Foundation

extension GoogleRealtimeModel {
    private static let service = "google.ai.generativelanguage"
    private static let tokenPrefix = "auth_tokens/"

    /// The address without a version, which the method's path brings.
    private var root: URL {
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            return baseURL
        }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        for version in ["/v1beta", "/v1alpha"] where path.hasSuffix(version) {
            path.removeLast(version.count)
        }
        parts.percentEncodedPath = path
        return parts.url ?? baseURL
    }

    /// The address that takes ephemeral tokens, and nothing else.
    private func constrainedURL() throws(RealtimeError) -> URL {
        try ProviderEndpoint.webSocket(
            base: root,
            path: "ws/\(Self.service).v1alpha.GenerativeService.BidiGenerateContentConstrained")
    }

    /// How to connect with the API key: by header, so that it stands in no address.
    ///
    /// An ephemeral token given in place of a key is told by its prefix and used as one. On
    /// Vertex AI the key is an OAuth access token.
    public func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest {
        let key = try requireAPIKey()
        guard !options.isVertex else {
            let url = try ProviderEndpoint.webSocket(
                base: root,
                path: "ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent")
            return RealtimeConnectRequest(url: url, headers: [("Authorization", "Bearer \(key)")])
        }
        // Given a token for a key, the plain method answers "API key not valid".
        guard !key.hasPrefix(Self.tokenPrefix) else {
            return try connectRequest(
                secret: RealtimeClientSecret(token: key, url: constrainedURL()))
        }
        let url = try ProviderEndpoint.webSocket(
            base: root, path: "ws/\(Self.service).v1beta.GenerativeService.BidiGenerateContent")
        return RealtimeConnectRequest(url: url, headers: [("x-goog-api-key", key)])
    }

    /// How to connect with an ephemeral token, at the secret's own address.
    public func connectRequest(
        secret: RealtimeClientSecret
    ) throws(RealtimeError) -> RealtimeConnectRequest {
        guard !secret.token.isEmpty else {
            throw RealtimeError(.invalidInput, "the client secret is empty")
        }
        guard !options.sendsTokenInHeader else {
            let url = try ProviderEndpoint.webSocket(base: secret.url, path: "")
            return RealtimeConnectRequest(
                url: url, headers: [("Authorization", "Token \(secret.token)")])
        }
        let url = try ProviderEndpoint.webSocket(
            base: secret.url, path: "", query: [("access_token", secret.token)])
        return RealtimeConnectRequest(url: url)
    }

    // MARK: Ephemeral tokens

    /// Mints an ephemeral token, which opens `tokenUses` sessions until it expires.
    ///
    /// The token fixes the model, instructions, tools and generation settings of the
    /// configuration; turn detection, transcription and resumption stay the app's own.
    public func createClientSecret(
        options: RealtimeClientSecretOptions
    ) async throws(RealtimeError) -> RealtimeClientSecret {
        let now = Date()
        let request = try clientSecretRequest(options: options, now: now)
        let reply = try await ProviderHTTP.post(request)
        return try clientSecret(from: reply, options: options, now: now)
    }

    /// How long a token can open sessions if nothing is asked for; the service's default too.
    private static let defaultSeconds = 60
    /// Both times of a token must be less than this ahead.
    private static let limitSeconds = 20 * 3_600

    /// The request that mints a token.
    ///
    /// - Throws: `missingAPIKey`; `invalidInput` for a lifetime that the service refuses;
    ///   `unsupported` on Vertex AI, which has no such tokens.
    package func clientSecretRequest(
        options secretOptions: RealtimeClientSecretOptions, now: Date
    ) throws(RealtimeError) -> ProviderHTTPRequest {
        guard !options.isVertex else {
            throw RealtimeError(.unsupported, "Vertex AI has no ephemeral tokens")
        }
        let seconds = try lifetime(secretOptions)
        guard options.tokenUses >= 0, options.tokenSessionSeconds >= 0 else {
            throw RealtimeError(.invalidInput, "token uses and seconds can't be negative")
        }
        // A session that starts at the last moment still gets its time.
        let session = min(
            seconds + min(options.tokenSessionSeconds, Self.limitSeconds),
            max(seconds, Self.limitSeconds - 60))
        let setup = try encode(config: secretOptions.sessionConfig ?? RealtimeSessionConfig())
        let isBound = secretOptions.sessionConfig != nil
        let (fixed, mask) = Self.lock(isBound ? setup : ["model": .string(wireModel)])
        return ProviderHTTPRequest(
            url: try ProviderEndpoint.http(base: root, path: "v1alpha/auth_tokens"),
            headers: [("x-goog-api-key", try requireAPIKey())],
            body: [
                "uses": .int(options.tokenUses),
                "newSessionExpireTime": .string(Self.timestamp(now, plus: seconds)),
                "expireTime": .string(Self.timestamp(now, plus: session)),
                "bidiGenerateContentSetup": fixed,
                "fieldMask": .string(mask),
            ])
    }

    /// Reads the reply; the service doesn't repeat the expiry, so it is reckoned from `now`.
    package func clientSecret(
        from reply: JSONValue, options secretOptions: RealtimeClientSecretOptions, now: Date
    ) throws(RealtimeError) -> RealtimeClientSecret {
        guard let token = reply["name"]?.stringValue, !token.isEmpty else {
            throw RealtimeError(.decodingFailed, "the reply names no token: field \"name\"")
        }
        let reckoned = Int(now.timeIntervalSince1970) + (try lifetime(secretOptions))
        let opens = Self.seconds(reply["newSessionExpireTime"])
        let ends = Self.seconds(reply["expireTime"])
        return RealtimeClientSecret(
            token: token, url: try constrainedURL(),
            expiresAt: min(opens ?? reckoned, ends ?? .max))
    }

    private func lifetime(_ options: RealtimeClientSecretOptions) throws(RealtimeError) -> Int {
        let seconds = options.expiresAfterSeconds ?? Self.defaultSeconds
        guard seconds > 0, seconds < Self.limitSeconds else {
            throw RealtimeError(
                .invalidInput,
                "an ephemeral token lives between 1 s and less than 20 h, not \(seconds) s",
                parameter: "expiresAfterSeconds")
        }
        return seconds
    }

    /// Fields that stay the app's own: with an empty mask, or one that names them, the
    /// connection's turn detection is void and its first `activityStart` closes the socket,
    /// and a resumption handle counts for nothing.
    private static let freeFields: Set<String> = [
        "realtimeInputConfig", "inputAudioTranscription", "outputAudioTranscription",
        "sessionResumption", "contextWindowCompression", "historyConfig",
    ]

    /// The part of a setup that a token fixes, and the mask that names its fields.
    private static func lock(_ setup: JSONValue) -> (setup: JSONValue, mask: String) {
        let members = (setup.objectValue ?? [:]).filter { !freeFields.contains($0.key) }
        let paths = members.flatMap { name, value in
            guard name == "generationConfig" else { return [name] }
            return (value.objectValue ?? [:]).keys.map { "\(name).\($0)" }
        }
        return (.object(members), paths.sorted().joined(separator: ","))
    }

    private static func timestamp(_ now: Date, plus seconds: Int) -> String {
        now.addingTimeInterval(TimeInterval(seconds)).formatted(.iso8601)
    }

    /// An RFC 3339 time, with or without fractions of a second.
    private static func seconds(_ value: JSONValue?) -> Int? {
        guard let text = value?.stringValue else { return nil }
        let date =
            (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        return date.map { Int($0.timeIntervalSince1970) }
    }
}
