extension JSONValue {
    /// Reads one JSON text.
    ///
    /// A lone surrogate or invalid UTF-8 becomes U+FFFD, of duplicate names the last counts,
    /// and a number too large for a double becomes the largest one.
    ///
    /// - Throws: `decodingFailed` with the offset of the first byte that is not JSON, also
    ///   where values nest more than 512 deep.
    public init(parsing bytes: [UInt8]) throws(RealtimeError) {
        var scanner = JSONScanner(bytes)
        guard let value = scanner.parseValue(), scanner.isAtEnd() else {
            throw RealtimeError(.decodingFailed, "not JSON at byte \(scanner.position)")
        }
        self = value
    }

    /// Reads one JSON text.
    public init(parsing text: String) throws(RealtimeError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The JSON text, with an object's names in order.
    public func serialized() -> String {
        String(decoding: serializedBytes(), as: UTF8.self)
    }

    /// The JSON text in UTF-8, with an object's names in order.
    public func serializedBytes() -> [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    package func append(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .int(let value): output += String(value).utf8
        case .double(let value): output += (value.isFinite ? value.description : "null").utf8
        case .string(let value): JSONText.append(quoted: value, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.append(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, name) in members.keys.sorted().enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONText.append(quoted: name, to: &output)
                output.append(UInt8(ascii: ":"))
                members[name]?.append(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}

/// Writes JSON strings.
package enum JSONText {
    /// Appends a string with its quotes, escaping only what JSON asks for.
    package static func append(quoted text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): output += #"\""#.utf8
            case UInt8(ascii: "\\"): output += #"\\"#.utf8
            case 0x0A: output += #"\n"#.utf8
            case 0x0D: output += #"\r"#.utf8
            case 0x09: output += #"\t"#.utf8
            case 0..<0x20:
                output += #"\u00"#.utf8
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 15))
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
