/// The schema of a tool's arguments: what models understand of JSON Schema, and no more.
///
/// ```swift
/// JSONSchema.object([
///     "city": .string("The city's name"),
///     "unit": .string("Degrees in", oneOf: ["celsius", "fahrenheit"]).optional,
/// ])
/// ```
///
/// Arguments are checked against it before a tool sees them, so the model gets a sentence
/// that says what is wrong.
public struct JSONSchema: Sendable, Hashable {
    private indirect enum Kind: Sendable, Hashable {
        case string(choices: [String])
        case integer(ClosedRange<Int>?)
        case number(ClosedRange<Double>?)
        case boolean
        case array(JSONSchema)
        case object([String: JSONSchema])
        case any
    }

    private var kind: Kind
    private var explanation: String?
    private var isOptional = false

    private init(_ kind: Kind, _ explanation: String?) {
        self.kind = kind
        self.explanation = explanation
    }

    /// Text, of a few choices if any are given.
    public static func string(
        _ explanation: String? = nil, oneOf choices: [String] = []
    ) -> JSONSchema {
        JSONSchema(.string(choices: choices), explanation)
    }

    /// A whole number.
    public static func integer(
        _ explanation: String? = nil, in range: ClosedRange<Int>? = nil
    ) -> JSONSchema {
        JSONSchema(.integer(range), explanation)
    }

    /// A number.
    public static func number(
        _ explanation: String? = nil, in range: ClosedRange<Double>? = nil
    ) -> JSONSchema {
        JSONSchema(.number(range), explanation)
    }

    /// True or false.
    public static func boolean(_ explanation: String? = nil) -> JSONSchema {
        JSONSchema(.boolean, explanation)
    }

    /// A list.
    public static func array(
        of element: JSONSchema, _ explanation: String? = nil
    ) -> JSONSchema {
        JSONSchema(.array(element), explanation)
    }

    /// An object; every property that isn't marked optional is required.
    public static func object(
        _ properties: [String: JSONSchema], _ explanation: String? = nil
    ) -> JSONSchema {
        JSONSchema(.object(properties), explanation)
    }

    /// Anything.
    public static let any = JSONSchema(.any, nil)

    /// The same schema for a property that may be missing.
    public var optional: JSONSchema {
        var copy = self
        copy.isOptional = true
        return copy
    }

    /// The schema as JSON.
    public var json: JSONValue {
        var json: [String: JSONValue] = [:]
        json["description"] = explanation.map(JSONValue.string)
        switch kind {
        case .string(let choices):
            json["type"] = "string"
            if !choices.isEmpty { json["enum"] = .array(choices.map(JSONValue.string)) }
        case .integer(let range):
            json["type"] = "integer"
            json["minimum"] = range.map { .int($0.lowerBound) }
            json["maximum"] = range.map { .int($0.upperBound) }
        case .number(let range):
            json["type"] = "number"
            json["minimum"] = range.map { .double($0.lowerBound) }
            json["maximum"] = range.map { .double($0.upperBound) }
        case .boolean: json["type"] = "boolean"
        case .array(let element):
            json["type"] = "array"
            json["items"] = element.json
        case .object(let properties):
            json["type"] = "object"
            json["properties"] = .object(properties.mapValues(\.json))
            let required = properties.filter { !$0.value.isOptional }.keys.sorted()
            if !required.isEmpty { json["required"] = .array(required.map(JSONValue.string)) }
        case .any: break
        }
        return .object(json)
    }

    /// What is wrong with a value, in one sentence; nil where nothing is.
    public func fault(in value: JSONValue, at path: String = "the arguments") -> String? {
        switch kind {
        case .string(let choices):
            guard let text = value.stringValue else { return "\(path) must be text" }
            guard choices.isEmpty || choices.contains(text) else {
                return "\(path) must be one of \(choices.joined(separator: ", "))"
            }
        case .integer(let range):
            guard let number = value.intValue else { return "\(path) must be a whole number" }
            if let range, !range.contains(number) { return "\(path) must be in \(range)" }
        case .number(let range):
            guard let number = value.doubleValue else { return "\(path) must be a number" }
            if let range, !range.contains(number) { return "\(path) must be in \(range)" }
        case .boolean:
            if value.boolValue == nil { return "\(path) must be true or false" }
        case .array(let element):
            guard let elements = value.arrayValue else { return "\(path) must be a list" }
            for (index, value) in elements.enumerated() {
                if let fault = element.fault(in: value, at: "\(path)[\(index)]") { return fault }
            }
        case .object(let properties): return fault(in: value, properties, path)
        case .any: break
        }
        return nil
    }

    private func fault(
        in value: JSONValue, _ properties: [String: JSONSchema], _ path: String
    ) -> String? {
        guard let members = value.objectValue else { return "\(path) must be an object" }
        for (name, schema) in properties.sorted(by: { $0.key < $1.key }) {
            guard let member = members[name], !member.isNull else {
                if schema.isOptional { continue }
                return "\(name) is missing"
            }
            if let fault = schema.fault(in: member, at: name) { return fault }
        }
        return nil
    }
}
