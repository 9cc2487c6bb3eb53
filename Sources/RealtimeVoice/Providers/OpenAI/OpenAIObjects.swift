import Foundation

/// Reads the objects that OpenAI's messages carry.
enum OpenAIObjects {
    /// An item of the conversation, in GA and beta spelling.
    static func item(_ json: JSONValue) -> RealtimeItem {
        let type = json["type"]?.stringValue ?? ""
        let kind: RealtimeItem.Kind =
            switch type {
            case "message":
                .message(
                    role: json["role"]?.stringValue ?? "",
                    content: (json["content"]?.arrayValue ?? []).map(content))
            case "function_call":
                .functionCall(
                    callID: json["call_id"]?.stringValue ?? "",
                    name: json["name"]?.stringValue ?? "",
                    arguments: text(json["arguments"]))
            case "function_call_output":
                .functionCallOutput(
                    callID: json["call_id"]?.stringValue ?? "",
                    output: text(json["output"]))
            default: .other(type: type)
            }
        return RealtimeItem(
            id: json["id"]?.stringValue ?? "", kind: kind, status: json["status"]?.stringValue)
    }

    /// A field that ought to be text; some backends send the object itself.
    private static func text(_ json: JSONValue?) -> String {
        guard let json, !json.isNull else { return "" }
        return json.stringValue ?? json.serialized()
    }

    private static func content(_ json: JSONValue) -> RealtimeItem.Content {
        switch json["type"]?.stringValue {
        case "input_text", "output_text", "text": .text(json["text"]?.stringValue ?? "")
        case "input_audio", "output_audio", "audio":
            .audio(transcript: json["transcript"]?.stringValue)
        case "input_image": .image(url: json["image_url"]?.stringValue ?? "")
        case let type: .other(type: type ?? "")
        }
    }

    /// A finished response. One that can't be read still ends, as failed, so that nothing
    /// waits for it.
    static func response(_ frame: OpenAIFrame) -> RealtimeResponse {
        guard let json = frame.value(frame.response), json.objectValue != nil else {
            return RealtimeResponse(
                id: frame.string("id", in: frame.response) ?? "", status: .failed,
                error: RealtimeError(.decodingFailed, "a response that can't be read"))
        }
        let details = json["status_details"]
        let failure = details?["error"].flatMap { $0.isNull ? nil : error($0) }
        // xAI leaves the response's own usage empty and puts the real one beside it.
        let own = json["usage"].flatMap(self.usage)
        return RealtimeResponse(
            id: json["id"]?.stringValue ?? "",
            status: .init(rawValue: json["status"]?.stringValue ?? "completed"),
            reason: details?["reason"]?.stringValue, error: failure,
            usage: own ?? frame.value(frame.usage).flatMap(self.usage),
            output: (json["output"]?.arrayValue ?? []).map(item))
    }

    /// A usage report; nil where it is empty or no object.
    static func usage(_ json: JSONValue) -> RealtimeUsage? {
        guard let members = json.objectValue, !members.isEmpty else { return nil }
        func tokens(_ total: String, _ details: String) -> RealtimeUsage.Tokens {
            let parts = json[details]
            return .init(
                total: json[total]?.intValue, text: parts?["text_tokens"]?.intValue,
                audio: parts?["audio_tokens"]?.intValue,
                image: parts?["image_tokens"]?.intValue,
                cached: parts?["cached_tokens"]?.intValue,
                reasoning: parts?["reasoning_tokens"]?.intValue)
        }
        return RealtimeUsage(
            input: tokens("input_tokens", "input_token_details"),
            output: tokens("output_tokens", "output_token_details"),
            totalTokens: json["total_tokens"]?.intValue,
            seconds: json["seconds"]?.doubleValue ?? json["output_audio_seconds"]?.doubleValue,
            raw: json)
    }

    /// An error, of a session, of a response or of a transcription.
    static func error(_ json: JSONValue) -> RealtimeError {
        let code = json["code"]?.stringValue ?? json["code"]?.intValue.map(String.init)
        let type = json["type"]?.stringValue
        return RealtimeError(
            .provider,
            json["message"]?.stringValue ?? json.stringValue ?? code ?? type
                ?? "the provider reported an error",
            isRetryable: retryable.contains(code ?? "") || retryable.contains(type ?? ""),
            providerCode: code, providerType: type, parameter: json["param"]?.stringValue,
            eventID: json["event_id"]?.stringValue)
    }

    private static let retryable: Set<String> = [
        "session_expired", "server_error", "rate_limit_exceeded",
        "inference_rate_limit_exceeded", "internal_error", "timeout", "max_duration",
    ]

    /// The secret that a minting request is answered with, for a session at `url`.
    static func clientSecret(
        _ reply: JSONValue, url: URL
    ) throws(RealtimeError) -> RealtimeClientSecret {
        guard let token = reply["value"]?.stringValue, !token.isEmpty else {
            throw RealtimeError(.decodingFailed, "a client secret without a value")
        }
        return RealtimeClientSecret(
            token: token, url: url, expiresAt: reply["expires_at"]?.intValue)
    }
}
