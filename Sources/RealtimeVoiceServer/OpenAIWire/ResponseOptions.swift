import RealtimeVoice

/// What holds for one response: the session's settings with the event's wishes over them.
struct ResponseOptions: Sendable, Equatable {
    var instructions: String
    var isSpoken: Bool
    var voice: JSONValue
    var formatJSON: JSONValue
    var speed: Double
    var tools: JSONValue
    var toolChoice: JSONValue
    var maximumTokens: JSONValue
    /// Whether the response belongs to the conversation; else it is out of band.
    var isInConversation = true
    var metadata: JSONValue = .null
    /// The items to answer instead of the conversation.
    var input: [JSONValue]?

    init(_ settings: SessionSettings) {
        let value = settings.value
        instructions = settings.instructions
        isSpoken = value["output_modalities"]?[0] != "text"
        voice = value["audio"]?["output"]?["voice"] ?? "alloy"
        formatJSON = value["audio"]?["output"]?["format"] ?? .null
        speed = settings.speed
        tools = value["tools"] ?? []
        toolChoice = value["tool_choice"] ?? "auto"
        maximumTokens = value["max_output_tokens"] ?? "inf"
    }

    /// Lays the `response` member of a `response.create`, which was checked, over the options.
    mutating func apply(_ wishes: JSONValue) throws(WireError) {
        if let text = wishes["instructions"]?.stringValue { instructions = text }
        if let modalities = wishes["output_modalities"]?.arrayValue {
            guard modalities.count == 1 else {
                throw WireError(
                    code: "invalid_value",
                    message: "Invalid modalities: use either ['text'] or ['audio'].",
                    parameter: "response.output_modalities")
            }
            isSpoken = modalities[0] == "audio"
        }
        if let output = wishes["audio"]?["output"] {
            voice = output["voice"] ?? voice
            formatJSON = output["format"] ?? formatJSON
        }
        tools = wishes["tools"] ?? tools
        toolChoice = wishes["tool_choice"] ?? toolChoice
        maximumTokens = wishes["max_output_tokens"] ?? maximumTokens
        isInConversation = wishes["conversation"] != "none"
        metadata = wishes["metadata"] ?? .null
        input = wishes["input"]?.arrayValue
    }

    var format: RealtimeAudioFormat { SessionSettings.audioFormat(formatJSON) }
    var voiceName: String { voice.stringValue ?? voice["id"]?.stringValue ?? "" }

    /// The tools and the choice as a responder takes them.
    var definitions: [RealtimeToolDefinition] {
        (tools.arrayValue ?? []).compactMap { tool in
            guard tool["type"] == "function", let name = tool["name"]?.stringValue else {
                return nil
            }
            return RealtimeToolDefinition(
                name: name, description: tool["description"]?.stringValue,
                parameters: tool["parameters"])
        }
    }

    var choice: ResponderToolChoice {
        switch toolChoice {
        case "none": .forbidden
        case "required": .required
        case .object: toolChoice["name"]?.stringValue.map { .function($0) } ?? .automatic
        default: .automatic
        }
    }
}
