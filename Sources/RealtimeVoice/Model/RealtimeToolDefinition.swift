/// A function that the model may call.
public struct RealtimeToolDefinition: Sendable, Hashable, Codable {
    /// Always `function`.
    public var type: String
    /// The function's name.
    public var name: String
    /// What it does and when to call it, for the model.
    public var description: String?
    /// A JSON schema of its arguments, an object.
    public var parameters: JSONValue?

    /// Creates a definition.
    public init(name: String, description: String? = nil, parameters: JSONValue? = nil) {
        type = "function"
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

/// A call of a function by the model.
public struct RealtimeToolCall: Sendable, Hashable, Identifiable {
    /// The provider's id of the call, which the output must name.
    public var id: String
    /// The function's name.
    public var name: String
    /// The arguments as they came, JSON text.
    public var argumentsText: String
    /// The arguments, an empty object where the model sent none.
    public var arguments: JSONValue
    /// The response that called.
    public var responseID: String?

    /// Creates a call.
    public init(
        id: String, name: String, argumentsText: String, arguments: JSONValue,
        responseID: String? = nil
    ) {
        self.id = id
        self.name = name
        self.argumentsText = argumentsText
        self.arguments = arguments
        self.responseID = responseID
    }
}
