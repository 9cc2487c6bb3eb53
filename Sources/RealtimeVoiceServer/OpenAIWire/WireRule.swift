import RealtimeVoice

/// What a value on the wire must look like; checked whole before anything is applied.
indirect enum WireRule: Sendable {
    case any
    case string(maximumLength: Int = .max)
    case boolean
    case number(ClosedRange<Double>)
    case integer(ClosedRange<Int>)
    case choice([String])
    case array(WireRule)
    case nullable(WireRule)
    /// The first rule whose kind of value fits decides.
    case either(WireRule, WireRule)
    case object([String: WireRule], required: [String] = [])
    /// An object whose `type` tells which rule holds.
    case variants([String: WireRule])

    /// Checks a value.
    ///
    /// - Throws: The first thing that is wrong, named by its path.
    func check(_ value: JSONValue, at path: String) throws(WireError) {
        switch self {
        case .any: return
        case .nullable(let rule): if !value.isNull { try rule.check(value, at: path) }
        case .either(let first, let second):
            try (first.fitsKind(of: value) ? first : second).check(value, at: path)
        case .array(let rule):
            guard let elements = value.arrayValue else {
                throw .wrongType(path, expected: "an array", value)
            }
            for (index, element) in elements.enumerated() {
                try rule.check(element, at: "\(path)[\(index)]")
            }
        case .object(let rules, let required):
            try checkObject(value, rules, required, at: path)
        case .variants(let rules):
            try checkVariants(value, rules, at: path)
        case .string, .boolean, .number, .integer, .choice:
            try checkScalar(value, at: path)
        }
    }

    private func checkScalar(_ value: JSONValue, at path: String) throws(WireError) {
        switch self {
        case .string(let maximum):
            guard let text = value.stringValue else {
                throw .wrongType(path, expected: "a string", value)
            }
            guard text.utf8.count <= maximum else {
                throw .outOfRange(path, "a string with maximum length \(maximum)")
            }
        case .boolean:
            if value.boolValue == nil { throw .wrongType(path, expected: "a boolean", value) }
        case .number(let range):
            guard let number = value.doubleValue else {
                throw .wrongType(path, expected: "a number", value)
            }
            guard range.contains(number) else { throw .outOfRange(path, "a value in \(range)") }
        case .integer(let range):
            guard case .int(let number) = value else {
                throw .wrongType(path, expected: "an integer", value)
            }
            guard range.contains(number) else { throw .outOfRange(path, "a value in \(range)") }
        case .choice(let choices):
            guard let text = value.stringValue else {
                throw .wrongType(path, expected: "a string", value)
            }
            guard choices.contains(text) else {
                throw .invalid(path, text, supported: choices)
            }
        case .any, .array, .nullable, .either, .object, .variants: return
        }
    }

    private func checkObject(
        _ value: JSONValue,
        _ rules: [String: WireRule],
        _ required: [String],
        at path: String
    ) throws(WireError) {
        guard let members = value.objectValue else {
            throw .wrongType(path, expected: "an object", value)
        }
        let prefix = path.isEmpty ? "" : path + "."
        for name in members.keys.sorted() where rules[name] == nil {
            throw .unknown(prefix + name)
        }
        for name in required where members[name] == nil { throw .missing(prefix + name) }
        for (name, rule) in rules.sorted(by: { $0.key < $1.key }) {
            if let member = members[name] { try rule.check(member, at: prefix + name) }
        }
    }

    private func checkVariants(
        _ value: JSONValue,
        _ rules: [String: WireRule],
        at path: String
    ) throws(WireError) {
        guard value.objectValue != nil else {
            throw .wrongType(path, expected: "an object", value)
        }
        let prefix = path.isEmpty ? "" : path + "."
        guard let type = value["type"] else { throw .missing(prefix + "type") }
        guard let rule = type.stringValue.flatMap({ rules[$0] }) else {
            throw .invalid(
                prefix + "type", type.stringValue ?? type.serialized(),
                supported: rules.keys.sorted())
        }
        try rule.check(value, at: path)
    }

    private func fitsKind(of value: JSONValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.choice, .string), (.boolean, .bool), (.integer, .int),
            (.number, .int), (.number, .double), (.array, .array), (.object, .object),
            (.variants, .object), (.any, _):
            true
        case (.nullable(let rule), let value): value.isNull || rule.fitsKind(of: value)
        case (.either(let first, let second), let value):
            first.fitsKind(of: value) || second.fitsKind(of: value)
        default: false
        }
    }
}
