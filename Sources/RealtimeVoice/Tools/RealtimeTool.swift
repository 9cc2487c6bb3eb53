import Foundation

/// A function that the model may call, with what it does.
///
/// ```swift
/// struct City: Decodable { var city: String }
/// let weather = RealtimeTool(
///     name: "getWeather", description: "Tells the weather of a city.",
///     parameters: .object(["city": .string("The city's name")])
/// ) { (input: City) in "It is sunny in \(input.city)." }
/// ```
///
/// Its schema is written down rather than derived from the input's type: a type says nothing of
/// what a field means, of its choices or of its range, which is what the model goes by.
public struct RealtimeTool: Sendable {
    /// The function's name.
    public let name: String
    /// What it does and when to call it, for the model.
    public let description: String?
    /// What it takes, an object.
    public let parameters: JSONSchema
    /// Runs it; nil where the app answers by itself.
    let body: (@Sendable (JSONValue) async throws -> JSONValue)?

    /// Creates a tool that the session runs.
    ///
    /// The arguments are checked against `parameters`, an object schema. Of what `run` returns,
    /// text goes to the model as it is and anything else as JSON; what it throws goes to the
    /// model as an error.
    public init<Input: Decodable & Sendable, Output: Encodable & Sendable>(
        name: String, description: String? = nil, parameters: JSONSchema,
        run: @escaping @Sendable (Input) async throws -> Output
    ) {
        self.name = name
        self.description = description
        self.parameters = parameters
        body = { arguments in
            if let fault = parameters.fault(in: arguments) {
                throw RealtimeError(.toolFailed, fault)
            }
            let output = try await run(try Self.input(from: arguments))
            if let text = output as? String { return .string(text) }
            if let json = output as? JSONValue { return json }
            let data = try JSONEncoder().encode(output)
            return try JSONValue(parsing: Array(data))
        }
    }

    /// Creates a tool whose calls reach `onToolCall`, or are answered with `addToolOutput`.
    public init(name: String, description: String? = nil, parameters: JSONSchema) {
        self.name = name
        self.description = description
        self.parameters = parameters
        body = nil
    }

    /// The tool as the model sees it.
    public var definition: RealtimeToolDefinition {
        RealtimeToolDefinition(
            name: name, description: description, parameters: parameters.json)
    }

    private static func input<Input: Decodable>(
        from arguments: JSONValue
    ) throws(RealtimeError) -> Input {
        do {
            return try JSONDecoder().decode(Input.self, from: Data(arguments.serializedBytes()))
        } catch {
            throw RealtimeError(
                .toolFailed, "the arguments do not fit the tool's input: \(error)", cause: error)
        }
    }
}

/// The tools as a session configuration takes them.
public func getRealtimeToolDefinitions(tools: [RealtimeTool]) -> [RealtimeToolDefinition] {
    tools.map(\.definition)
}
