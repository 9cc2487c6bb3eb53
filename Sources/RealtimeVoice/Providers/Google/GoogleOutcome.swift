extension GoogleContent {
    /// Whether the model is done. `interactionStatus`, where there is one, knows better than
    /// `turnComplete`: with extended thinking a turn's end may be a filler's.
    var endsTurn: Bool {
        switch interactionStatus {
        case "IDLE", "REQUIRES_ACTION": true
        case "IN_PROGRESS": false
        // Absent, INTERACTION_STATUS_UNSPECIFIED or unheard of: never wait for what may not come.
        default: isTurnComplete
        }
    }

    /// Whether there is anything that the model said or did.
    var hasOutput: Bool { !parts.isEmpty || outputTranscription != nil }
}

/// What a `turnCompleteReason` says about a response.
struct GoogleOutcome {
    var status = RealtimeResponse.Status.completed
    var reason: String?
    var error: RealtimeError?

    init(reason: String?) {
        guard let reason, !reason.isEmpty, !reason.hasSuffix("UNSPECIFIED") else { return }
        self.reason = reason
        switch reason {
        case "NEED_MORE_INPUT": break
        case "MALFORMED_FUNCTION_CALL", "RESPONSE_REJECTED", "GENERATED_OTHER":
            status = .failed
            error = RealtimeError(
                .provider, "the model ended its turn without an answer: \(reason)",
                isRetryable: true, providerCode: reason)
        default: status = .incomplete
        }
    }
}

/// Reads the provider's reports about the connection and what was spent.
enum GoogleReport {
    /// Usage under the names of the Gemini API and of Vertex AI.
    static func usage(_ value: JSONValue) -> RealtimeUsage {
        let input = value["promptTokensDetails"]
        let output = value["responseTokensDetails"] ?? value["candidatesTokensDetails"]
        return RealtimeUsage(
            input: RealtimeUsage.Tokens(
                total: int(value["promptTokenCount"]),
                text: tokens(input, ["TEXT"]),
                audio: tokens(input, ["AUDIO"]),
                image: tokens(input, ["IMAGE", "VIDEO"]),
                cached: int(value["cachedContentTokenCount"])),
            output: RealtimeUsage.Tokens(
                total: int(value["responseTokenCount"]) ?? int(value["candidatesTokenCount"]),
                text: tokens(output, ["TEXT"]),
                audio: tokens(output, ["AUDIO"]),
                image: tokens(output, ["IMAGE", "VIDEO"]),
                reasoning: int(value["thoughtsTokenCount"])),
            totalTokens: int(value["totalTokenCount"]),
            raw: value)
    }

    private static func tokens(_ details: JSONValue?, _ modalities: [String]) -> Int? {
        let matching = (details?.arrayValue ?? []).filter {
            modalities.contains($0["modality"]?.stringValue ?? "")
        }
        guard !matching.isEmpty else { return nil }
        // A detail without a count is a zero that proto3 left out.
        return matching.reduce(0) { sum, detail in
            sum.addingReportingOverflow(int(detail["tokenCount"]) ?? 0).partialValue
        }
    }

    /// A count; 64-bit ones come as strings.
    private static func int(_ value: JSONValue?) -> Int? {
        value?.intValue ?? value?.stringValue.flatMap { Int($0) }
    }

    /// Seconds beyond these would overflow as milliseconds somewhere.
    private static let limits = -(1 << 40)...Int64(1 << 40)

    /// A protobuf duration such as `50s` or `1.234567891s`; nil for anything else.
    static func duration(_ value: JSONValue?) -> Duration? {
        guard let text = value?.stringValue, text.hasSuffix("s") else { return nil }
        let parts = text.dropLast().split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, let seconds = Int64(whole), limits.contains(seconds) else {
            return nil
        }
        guard parts.count == 2 else { return .seconds(seconds) }
        let digits = parts[1].prefix(9)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            var nanoseconds = Int64(digits)
        else { return nil }
        for _ in digits.count..<9 { nanoseconds *= 10 }
        let isNegative = whole.hasPrefix("-")
        return .seconds(seconds) + .nanoseconds(isNegative ? -nanoseconds : nanoseconds)
    }

    /// An offset into the audio that was sent.
    static func milliseconds(_ value: JSONValue?) -> Int? {
        guard let duration = duration(value) else { return nil }
        let parts = duration.components
        return Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }

    /// An error that came as a message instead of a close.
    static func error(code: JSONValue?, message: JSONValue?, status: JSONValue?) -> RealtimeError {
        let number = int(code)
        let status = status?.stringValue
        let passing = ["RESOURCE_EXHAUSTED", "UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED"]
        let isRetryable =
            number == 429 || (500..<600).contains(number ?? 0) || passing.contains(status ?? "")
        return RealtimeError(
            .provider, message?.stringValue ?? "the provider reported an error",
            isRetryable: isRetryable,
            providerCode: number.map(String.init) ?? code?.stringValue ?? status,
            providerType: status)
    }
}
