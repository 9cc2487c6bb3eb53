public import RealtimeVoice

/// What came of a replay.
public struct ReplayResult: Sendable {
    /// A frame that our side sent.
    public struct Sent: Sendable, Hashable {
        /// The line after which it went out; the header is line 0.
        public var afterLine: Int
        /// The frame.
        public var frame: JSONValue
    }

    /// Speech that came out of `audioOutput`.
    public struct Audio: Sendable, Hashable {
        /// The part that was spoken.
        public var content: RealtimeContentID
        /// How much.
        public var bytes: Int
        /// The SHA-256 of it, in hexadecimal.
        public var sha256: String
    }

    /// A response and how it ended.
    public struct Response: Sendable, Hashable {
        /// Its id.
        public var id: String
        /// `in_progress` where it never ended.
        public var status: String
        /// Why it ended so.
        public var reason: String?
    }

    /// The provider's short name.
    public var provider = ""
    /// The events' names in order.
    public var eventTypes: [String] = []
    /// The conversation.
    public var messages: [UIMessage] = []
    /// What the user was heard to say, by item.
    public var userTranscripts: [String: String] = [:]
    /// What the model said or wrote, by item and content index.
    public var assistantTexts: [String: [Int: String]] = [:]
    /// The calls, in order.
    public var toolCalls: [UIToolPart] = []
    /// The speech, in order.
    public var audio: [Audio] = []
    /// The responses, in order.
    public var responses: [Response] = []
    /// The errors of the provider, and of our own side.
    public var errors: [RealtimeError] = []
    /// The ends of connections.
    public var closes: [RealtimeClose] = []
    /// What responses cost, added up; the providers' own names.
    public var usage = UsageSum()
    /// What transcription cost, added up.
    public var transcriptionUsage = UsageSum()
    /// Events without a portable meaning, by type.
    public var custom: [String: Int] = [:]
    /// Frames that could not be read.
    public var undecodable = 0
    /// What our side sent.
    public var sent: [Sent] = []
    /// When speech was cut off: the line, and the items that were audible.
    public var interruptions: [(afterLine: Int, RealtimeInterruption)] = []
    /// Checks of HTTP exchanges: what was checked, and the fault if there is one.
    public var http: [(check: String, fault: String?)] = []
    /// Where a strict scenario sent something else than expected.
    public var mismatches: [String] = []
}

/// Usage reports added up.
public struct UsageSum: Sendable, Hashable {
    /// The normalised counts.
    public var input = RealtimeUsage.Tokens()
    /// The normalised counts.
    public var output = RealtimeUsage.Tokens()
    /// The providers' totals.
    public var totalTokens = 0
    /// Seconds of audio.
    public var seconds = 0.0
    /// The providers' own numbers, by path.
    public var raw: [String: Double] = [:]

    mutating func add(_ usage: RealtimeUsage) {
        Self.add(usage.input, to: &input)
        Self.add(usage.output, to: &output)
        totalTokens = Self.sum(totalTokens, usage.totalTokens ?? 0)
        seconds += usage.seconds ?? 0
        addRaw(usage.raw, path: "")
    }

    private static func add(
        _ tokens: RealtimeUsage.Tokens, to sum: inout RealtimeUsage.Tokens
    ) {
        for field in [
            \RealtimeUsage.Tokens.total, \.text, \.audio, \.image, \.cached, \.reasoning,
        ] {
            guard let count = tokens[keyPath: field] else { continue }
            sum[keyPath: field] = Self.sum(sum[keyPath: field] ?? 0, count)
        }
    }

    /// What a provider sends may be any number; the sum stops at the largest.
    private static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, isTooLarge) = first.addingReportingOverflow(second)
        return isTooLarge ? (second > 0 ? .max : .min) : sum
    }

    private mutating func addRaw(_ json: JSONValue, path: String) {
        if let number = json.doubleValue {
            raw[path, default: 0] += number
        } else if let members = json.objectValue {
            for (name, value) in members {
                addRaw(value, path: path.isEmpty ? name : "\(path).\(name)")
            }
        } else {
            // Gemini lists its details by modality.
            for entry in json.arrayValue ?? [] {
                guard let modality = entry["modality"]?.stringValue else { continue }
                raw["\(path).\(modality)", default: 0] += entry["tokenCount"]?.doubleValue ?? 0
            }
        }
    }
}
