import Foundation
import RealtimeVoice

extension RealtimeReplay {
    // MARK: HTTP recordings

    /// Checks that our requests have the recorded shape and that our side reads the replies.
    mutating func checkHTTP() -> ReplayResult {
        for (index, line) in recording.lines.enumerated() {
            self.line = index + 1
            guard case .http(let exchange) = line else {
                result.undecodable += 1
                continue
            }
            check(exchange)
        }
        return result
    }

    private mutating func check(_ exchange: JSONValue) {
        let address = exchange["request"]?["uri"]?.stringValue ?? ""
        let path = URL(string: address)?.path ?? ""
        guard path.hasSuffix("client_secrets") || path.hasSuffix("auth_tokens") else {
            result.http.append(("\(path): not a client secret, so not ours", nil))
            return
        }
        checkRequest(exchange["request"] ?? .null, path)
        checkReply(exchange["response"] ?? .null, path)
    }

    /// The recorded body's own parts, made by our side from what it says, must come out alike.
    private mutating func checkRequest(_ request: JSONValue, _ path: String) {
        let body = request["body"] ?? .null
        let seconds = body["expires_after"]?["seconds"]?.intValue
        let options = RealtimeClientSecretOptions(
            expiresAfterSeconds: seconds,
            sessionConfig: RealtimeSessionConfig(
                providerOptions: body["session"].flatMap { $0.isNull ? nil : $0 }))
        do throws(RealtimeError) {
            let ours = try secretRequest(options)
            let isSame = ours.url.path.hasSuffix(path.split(separator: "/").last ?? "")
            var fault = isSame ? nil : "our path is \(ours.url.path)"
            if model.provider == "openai", !ExpectedFrames.matches(body, ours.body) {
                fault = "our body is \(ours.body.serialized())"
            }
            result.http.append(("request to \(path)", fault))
        } catch {
            result.http.append(("request to \(path)", error.message))
        }
    }

    private func secretRequest(
        _ options: RealtimeClientSecretOptions
    ) throws(RealtimeError) -> ProviderHTTPRequest {
        if let model = model as? OpenAIRealtimeModel {
            return try model.clientSecretRequest(options: options)
        }
        if let model = model as? XaiRealtimeModel {
            return try model.clientSecretRequest(options: options)
        }
        guard let model = model as? GoogleRealtimeModel else {
            throw RealtimeError(.unsupported, "no client secrets for \(model.provider)")
        }
        return try model.clientSecretRequest(options: options, now: Date(timeIntervalSince1970: 0))
    }

    private mutating func checkReply(_ reply: JSONValue, _ path: String) {
        let body = reply["body"] ?? .null
        do throws(RealtimeError) {
            let json = try ProviderHTTP.reply(
                status: reply["status"]?.intValue ?? 0, body: body.serializedBytes())
            let secret = try secret(from: json)
            let isSame =
                model.provider == "google"
                || secret.token == body["value"]?.stringValue
                    && secret.expiresAt == body["expires_at"]?.intValue
            result.http.append(
                ("reply of \(path)", isSame ? nil : "the secret was read wrongly"))
        } catch {
            result.errors.append(error)
            result.http.append(("reply of \(path)", error.message))
        }
    }

    private func secret(from json: JSONValue) throws(RealtimeError) -> RealtimeClientSecret {
        if let model = model as? OpenAIRealtimeModel { return try model.clientSecret(from: json) }
        if let model = model as? XaiRealtimeModel { return try model.clientSecret(from: json) }
        guard let model = model as? GoogleRealtimeModel else {
            throw RealtimeError(.unsupported, "no client secrets for \(model.provider)")
        }
        return try model.clientSecret(
            from: json, options: RealtimeClientSecretOptions(),
            now: Date(timeIntervalSince1970: 0))
    }
}
