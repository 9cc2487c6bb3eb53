import RealtimeVoice

/// An error as the wire tells it: `invalid_request_error` unless said otherwise.
struct WireError: Error, Sendable, Equatable {
    var type = "invalid_request_error"
    var code: String?
    var message: String
    var parameter: String?

    /// The `error` member of an event or of an HTTP body.
    var json: JSONValue {
        [
            "type": .string(type),
            "code": code.map { .string($0) } ?? .null,
            "message": .string(message),
            "param": parameter.map { .string($0) } ?? .null,
        ]
    }

    static func missing(_ parameter: String) -> WireError {
        WireError(
            code: "missing_required_parameter",
            message: "Missing required parameter: '\(parameter)'.", parameter: parameter)
    }

    static func unknown(_ parameter: String) -> WireError {
        WireError(
            code: "unknown_parameter", message: "Unknown parameter: '\(parameter)'.",
            parameter: parameter)
    }

    static func wrongType(_ parameter: String, expected: String, _ value: JSONValue) -> WireError {
        WireError(
            code: "invalid_type",
            message: "Invalid type for '\(parameter)': expected \(expected), but got "
                + "\(name(of: value)) instead.", parameter: parameter)
    }

    static func invalid(_ parameter: String, _ value: String, supported: [String]) -> WireError {
        let list = supported.map { "'\($0)'" }.joined(separator: ", ")
        return WireError(
            code: "invalid_value",
            message: "Invalid value: '\(value)'. Supported values are: \(list).",
            parameter: parameter)
    }

    static func outOfRange(_ parameter: String, _ limits: String) -> WireError {
        WireError(
            code: "invalid_value", message: "Invalid '\(parameter)': expected \(limits).",
            parameter: parameter)
    }

    private static func name(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .int: "an integer"
        case .double: "a decimal number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
