import Foundation
import RealtimeVoice

/// What the server answers to a request; a pure function but for the secrets it keeps.
struct Routes: Sendable {
    enum Reply: Sendable {
        case respond(HTTPResponse)
        /// Upgrade with these headers, then run a session with these settings.
        case upgrade(headers: [(name: String, value: String)], SessionSettings)
    }

    /// The key that is accepted; any that isn't empty where nil.
    let apiKey: String?
    private var secrets: ClientSecrets

    init(apiKey: String?, seed: UInt64) {
        self.apiKey = apiKey
        secrets = ClientSecrets(seed: seed)
    }

    /// Answers a request; `now` is in Unix seconds.
    mutating func reply(to request: HTTPRequest, now: Int) -> Reply {
        switch (request.path, request.method) {
        case ("/healthz", "GET"): .respond(HTTPResponse(status: 200, body: ["status": "ok"]))
        case ("/v1/realtime/client_secrets", "POST"):
            .respond(clientSecret(request, now: now))
        case ("/v1/realtime", "GET"): upgrade(request, now: now)
        case ("/healthz", _), ("/v1/realtime/client_secrets", _), ("/v1/realtime", _):
            .respond(
                .refusal(
                    405,
                    WireError(
                        code: "method_not_supported",
                        message: "Not allowed to \(request.method) on \(request.path).")))
        default:
            .respond(
                .refusal(
                    404,
                    WireError(
                        message: "Invalid URL (\(request.method) \(request.path))")))
        }
    }

    // MARK: Keys

    private enum Access {
        case key
        case secret(ClientSecrets.Secret)
    }

    private func access(_ token: String?, now: Int) throws(WireError) -> Access {
        guard let token, !token.isEmpty else {
            throw WireError(
                code: nil,
                message: "You didn't provide an API key. Use an Authorization header with the "
                    + "Bearer scheme, or the subprotocol openai-insecure-api-key.")
        }
        if token.hasPrefix("ek_") {
            if let secret = secrets.secret(token, now: now) { return .secret(secret) }
            throw WireError(
                code: "invalid_api_key",
                message: "The client secret is unknown or has expired.")
        }
        guard apiKey == nil || apiKey == token else {
            throw WireError(code: "invalid_api_key", message: "Incorrect API key provided.")
        }
        return .key
    }

    private static func bearer(_ request: HTTPRequest) -> String? {
        guard let header = request.header("Authorization") else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    // MARK: Client secrets

    private mutating func clientSecret(_ request: HTTPRequest, now: Int) -> HTTPResponse {
        do throws(WireError) {
            guard case .key = try access(Self.bearer(request), now: now) else {
                throw WireError(
                    code: "invalid_api_key", message: "A client secret can not make another.")
            }
        } catch {
            return .refusal(401, error)
        }
        do throws(WireError) {
            let body = try Self.object(request.body)
            let seconds = try Self.seconds(body)
            var settings = SessionSettings(
                model: body["session"]?["model"]?.stringValue ?? "gpt-realtime")
            if let session = body["session"] { try settings.update(session, isNew: true) }
            let secret = secrets.issue(seconds: seconds, settings: settings, now: now)
            let session = settings.value.merging([
                "id": .string(secrets.makeSessionID()), "object": "realtime.session",
                "expires_at": 0,
            ])
            return HTTPResponse(
                status: 200,
                body: [
                    "value": .string(secret.value), "expires_at": .int(secret.expiresAt),
                    "session": session,
                ])
        } catch {
            return .refusal(400, error)
        }
    }

    private static func object(_ body: [UInt8]) throws(WireError) -> JSONValue {
        guard !body.isEmpty else { return [:] }
        guard let value = try? JSONValue(parsing: body), value.objectValue != nil else {
            throw WireError(
                code: "invalid_json", message: "The body of your request is not a JSON object.")
        }
        try WireRule.object(["expires_after": .any, "session": .any]).check(value, at: "")
        return value
    }

    private static func seconds(_ body: JSONValue) throws(WireError) -> Int {
        guard let expiry = body["expires_after"], !expiry.isNull else { return 600 }
        try WireRule.object(
            ["anchor": .choice(["created_at"]), "seconds": .integer(10...7_200)],
            required: ["anchor"]
        ).check(expiry, at: "expires_after")
        return expiry["seconds"]?.intValue ?? 600
    }

    // MARK: Upgrade

    private func upgrade(_ request: HTTPRequest, now: Int) -> Reply {
        let handshake: WebSocketServerHandshake
        do throws(WebSocketServerHandshake.Refusal) {
            handshake = try WebSocketServerHandshake(
                method: request.method, headers: request.headers)
        } catch {
            return .respond(.refusal(error.status, WireError(message: error.message)))
        }
        guard Self.isLocal(origin: request.header("Origin")) else {
            return .respond(
                .refusal(
                    403, WireError(message: "Pages from other machines can't open sessions here.")))
        }
        let prefix = "openai-insecure-api-key."
        let offered = handshake.offeredSubprotocols.first { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
        let header = Self.bearer(request)
        if offered != nil, header != nil {
            return .respond(
                .refusal(
                    400,
                    WireError(message: "Give the API key in a header or a subprotocol, not both.")))
        }
        do throws(WireError) {
            let access = try access(header ?? offered, now: now)
            var settings = try settings(request, access)
            settings.isBeta =
                request.header("OpenAI-Beta")?.contains("realtime=v1") == true
                || handshake.offeredSubprotocols.contains("openai-beta.realtime-v1")
            let hasRealtime = handshake.offeredSubprotocols.contains("realtime")
            return .upgrade(
                headers: handshake.responseHeaders(subprotocol: hasRealtime ? "realtime" : nil),
                settings)
        } catch {
            let isKey = error.code == "invalid_api_key" || error.code == nil
            return .respond(.refusal(isKey ? 401 : 400, error))
        }
    }

    /// A browser names the page that asks. One from elsewhere must not speak with a server that
    /// takes any key; programs send no origin.
    private static func isLocal(origin: String?) -> Bool {
        guard let origin, origin != "null" else { return origin == nil }
        guard let host = URLComponents(string: origin)?.host else { return false }
        return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }

    private func settings(
        _ request: HTTPRequest,
        _ access: Access
    ) throws(WireError) -> SessionSettings {
        let model = request.query["model"]
        switch access {
        case .secret(let secret):
            return secret.settings
        case .key:
            guard let model, !model.isEmpty else { throw .missing("model") }
            return SessionSettings(model: model)
        }
    }
}
