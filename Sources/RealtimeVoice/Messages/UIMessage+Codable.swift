extension UIMessage: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, role, parts, metadata
    }

    /// What this library adds stands in the message's metadata, where TypeScript has room.
    private struct Metadata: Codable {
        var realtime: Ending?
    }

    /// Reads the JSON of the TypeScript `UIMessage`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        role = try container.decode(Role.self, forKey: .role)
        parts = try container.decode([UIMessagePart].self, forKey: .parts)
        ending = (try? container.decode(Metadata.self, forKey: .metadata))?.realtime
    }

    /// Writes the JSON of the TypeScript `UIMessage`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(role, forKey: .role)
        if let ending {
            try container.encode(Metadata(realtime: ending), forKey: .metadata)
        }
        try container.encode(parts, forKey: .parts)
    }
}

extension UIMessagePart: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, text, state, providerMetadata
        case toolName, toolCallId, input, output, errorText
    }

    private struct Metadata: Codable {
        struct Realtime: Codable {
            var unheardText: String?
        }

        var realtime: Realtime?
    }

    /// Reads the JSON of the TypeScript `UIMessage`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let type = try container.decode(String.self, forKey: .type)
        switch type {
        case "text": self = .text(try Self.textPart(container))
        case "reasoning": self = .reasoning(try Self.textPart(container))
        case "dynamic-tool":
            self = .tool(
                try Self.toolPart(container, name: container.decode(String.self, forKey: .toolName))
            )
        case _ where type.hasPrefix("tool-"):
            self = .tool(try Self.toolPart(container, name: String(type.dropFirst(5))))
        default: self = .other(try JSONValue(from: decoder))
        }
    }

    private static func textPart(
        _ container: KeyedDecodingContainer<CodingKeys>
    ) throws -> UITextPart {
        let metadata = try? container.decode(Metadata.self, forKey: .providerMetadata)
        return UITextPart(
            text: try container.decode(String.self, forKey: .text),
            state: try container.decodeIfPresent(UITextPart.State.self, forKey: .state) ?? .done,
            unheardText: metadata?.realtime?.unheardText)
    }

    private static func toolPart(
        _ container: KeyedDecodingContainer<CodingKeys>, name: String
    ) throws -> UIToolPart {
        UIToolPart(
            toolName: name, toolCallID: try container.decode(String.self, forKey: .toolCallId),
            state: try container.decode(UIToolPart.State.self, forKey: .state),
            input: try container.decodeIfPresent(JSONValue.self, forKey: .input),
            output: try container.decodeIfPresent(JSONValue.self, forKey: .output),
            errorText: try container.decodeIfPresent(String.self, forKey: .errorText))
    }

    /// Writes the JSON of the TypeScript `UIMessage`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let part): try Self.encode(part, type: "text", to: encoder)
        case .reasoning(let part): try Self.encode(part, type: "reasoning", to: encoder)
        case .tool(let part):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("dynamic-tool", forKey: .type)
            try container.encode(part.toolName, forKey: .toolName)
            try container.encode(part.toolCallID, forKey: .toolCallId)
            try container.encode(part.state, forKey: .state)
            try container.encodeIfPresent(part.input, forKey: .input)
            try container.encodeIfPresent(part.output, forKey: .output)
            try container.encodeIfPresent(part.errorText, forKey: .errorText)
        case .other(let json): try json.encode(to: encoder)
        }
    }

    private static func encode(
        _ part: UITextPart, type: String, to encoder: any Encoder
    ) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encode(part.text, forKey: .text)
        try container.encode(part.state, forKey: .state)
        if let unheard = part.unheardText, !unheard.isEmpty {
            try container.encode(
                Metadata(realtime: .init(unheardText: unheard)), forKey: .providerMetadata)
        }
    }
}
