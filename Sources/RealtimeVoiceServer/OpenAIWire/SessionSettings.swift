import RealtimeVoice

/// The effective configuration of a session, kept as the wire shows it.
struct SessionSettings: Sendable, Equatable {
    static let defaultInstructions = """
        You are a helpful, witty, and friendly AI. Act like a human, but remember that you \
        aren't a human. Your voice and personality should be warm and engaging. Talk quickly.
        """

    private(set) var value: JSONValue
    /// Whether the client asked for the beta wire, which was shut off: the session then opens
    /// only to say so.
    var isBeta = false

    init(model: String) {
        value = [
            "type": "realtime", "model": .string(model), "output_modalities": ["audio"],
            "instructions": .string(Self.defaultInstructions), "tools": [],
            "tool_choice": "auto", "max_output_tokens": "inf", "tracing": .null,
            "truncation": "auto", "prompt": .null, "include": .null,
            "audio": [
                "input": [
                    "format": ["type": "audio/pcm", "rate": 24_000], "transcription": .null,
                    "noise_reduction": .null, "turn_detection": Self.turnDetection("server_vad"),
                ],
                "output": [
                    "format": ["type": "audio/pcm", "rate": 24_000], "voice": "alloy",
                    "speed": 1.0,
                ],
            ],
        ]
    }

    private static func turnDetection(_ type: String) -> JSONValue {
        type == "semantic_vad"
            ? [
                "type": "semantic_vad", "eagerness": "auto", "create_response": true,
                "interrupt_response": true,
            ]
            : [
                "type": "server_vad", "threshold": 0.5, "prefix_padding_ms": 300,
                "silence_duration_ms": 500, "idle_timeout_ms": .null, "create_response": true,
                "interrupt_response": true,
            ]
    }

    // MARK: Updating

    /// Lays an update over the settings, or changes nothing.
    ///
    /// - Parameters:
    ///   - patch: The `session` member of the event.
    ///   - isVoiceLocked: Whether the assistant has spoken already.
    ///   - isNew: Whether the session is only being made: then the model may be chosen.
    /// - Throws: What the wire answers to an update that is refused.
    mutating func update(
        _ patch: JSONValue,
        isVoiceLocked: Bool = false,
        isNew: Bool = false
    ) throws(WireError) {
        try Self.checkType(patch)
        try WireRule.realtimeSession.check(patch, at: "session")
        if let model = patch["model"], !isNew, model != value["model"] {
            throw WireError(
                code: "invalid_value", message: "The model of a session can not be changed.",
                parameter: "session.model")
        }
        if let modalities = patch["output_modalities"]?.arrayValue, modalities.count != 1 {
            throw WireError(
                code: "invalid_value",
                message: "Invalid modalities: use either ['text'] or ['audio'].",
                parameter: "session.output_modalities")
        }
        if isVoiceLocked, let voice = patch["audio"]?["output"]?["voice"],
            voice != value["audio"]?["output"]?["voice"]
        {
            throw WireError(
                code: "cannot_update_voice",
                message: "Cannot update a conversation's voice if assistant audio is present.",
                parameter: nil)
        }
        value = Self.merged(value, patch)
    }

    private static func checkType(_ patch: JSONValue) throws(WireError) {
        guard patch.objectValue != nil else {
            throw .wrongType("session", expected: "an object", patch)
        }
        guard let type = patch["type"] else { throw .missing("session.type") }
        if type == "transcription" {
            throw WireError(
                code: "invalid_value",
                message: "Passing a transcription session update event to a realtime session "
                    + "is not allowed.", parameter: "session.type")
        }
        guard type == "realtime" else {
            throw .invalid(
                "session.type", type.stringValue ?? type.serialized(), supported: ["realtime"])
        }
    }

    private static func merged(_ old: JSONValue, _ patch: JSONValue) -> JSONValue {
        guard var members = old.objectValue, let changes = patch.objectValue else { return patch }
        for (name, change) in changes {
            switch name {
            case "instructions" where change == "":
                members[name] = .string(defaultInstructions)
            case "format":
                members[name] = format(change)
            case "turn_detection":
                members[name] = turnDetection(members[name] ?? .null, change)
            case "transcription" where !change.isNull:
                let base: JSONValue = ["model": .null, "language": .null, "prompt": .null]
                members[name] = base.merging(change)
            case "tools":
                members[name] = .array((change.arrayValue ?? []).map(tool))
            case "audio", "input", "output":
                members[name] = merged(members[name] ?? [:], change)
            default:
                members[name] = change
            }
        }
        return .object(members)
    }

    private static func format(_ change: JSONValue) -> JSONValue {
        change["type"] == "audio/pcm" ? ["type": "audio/pcm", "rate": 24_000] : change
    }

    private static func turnDetection(_ old: JSONValue, _ change: JSONValue) -> JSONValue {
        guard let type = change["type"]?.stringValue else { return .null }
        let base = turnDetection(type)
        return (old["type"] == change["type"] ? base.merging(old) : base).merging(change)
    }

    private static func tool(_ tool: JSONValue) -> JSONValue {
        guard tool["type"] == "function" else { return tool }
        let base: JSONValue = ["description": .null]
        return base.merging(tool)
    }
}

// MARK: - Reading

extension SessionSettings {
    private var input: JSONValue { value["audio"]?["input"] ?? [:] }
    private var output: JSONValue { value["audio"]?["output"] ?? [:] }

    var model: String { value["model"]?.stringValue ?? "" }
    var instructions: String { value["instructions"]?.stringValue ?? "" }
    var isTranscribing: Bool { !(input["transcription"] ?? .null).isNull }
    var transcriptionModel: String { input["transcription"]?["model"]?.stringValue ?? "" }
    var inputFormat: RealtimeAudioFormat { Self.audioFormat(input["format"]) }
    var outputFormat: RealtimeAudioFormat { Self.audioFormat(output["format"]) }
    var speed: Double { output["speed"]?.doubleValue ?? 1 }

    static func audioFormat(_ value: JSONValue?) -> RealtimeAudioFormat {
        RealtimeAudioFormat(
            type: value?["type"]?.stringValue ?? "audio/pcm", rate: value?["rate"]?.intValue)
    }

    /// How turns are cut, nil where the client does it.
    var turnDetection: TurnDetection? {
        guard let detection = input["turn_detection"], !detection.isNull else { return nil }
        var wishes = TurnDetection(
            createsResponse: detection["create_response"]?.boolValue ?? true,
            interruptsResponse: detection["interrupt_response"]?.boolValue ?? true)
        if detection["type"] == "semantic_vad" {
            // There is no semantics here: patience is all that eagerness can change.
            wishes.settings.silenceMilliseconds =
                switch detection["eagerness"]?.stringValue {
                case "low": 1_200
                case "high": 400
                default: 800
                }
            return wishes
        }
        wishes.threshold = detection["threshold"]?.doubleValue ?? 0.5
        wishes.settings.prefixPaddingMilliseconds = detection["prefix_padding_ms"]?.intValue ?? 300
        wishes.settings.silenceMilliseconds = detection["silence_duration_ms"]?.intValue ?? 500
        wishes.idleTimeoutMilliseconds = detection["idle_timeout_ms"]?.intValue
        return wishes
    }

    /// What `turn_detection` asks for.
    struct TurnDetection: Sendable, Equatable {
        var threshold = 0.5
        var settings = TurnDetector.Settings()
        var createsResponse: Bool
        var interruptsResponse: Bool
        var idleTimeoutMilliseconds: Int?
    }
}
