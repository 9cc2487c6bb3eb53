/// Turns a JSON schema into the subset of OpenAPI that function declarations take.
///
/// Gemini refuses a session for one keyword that it doesn't know. So only the known ones are
/// kept, some are said in others, and what has no equivalent is left out or told in the
/// description. Keywords count only where a schema stands: a property may have any name.
struct GoogleSchema {
    private typealias Members = [String: JSONValue]

    private let root: JSONValue
    /// The references that are being inlined, to see one come back to itself.
    private var open: [String] = []
    private var count = 0

    private static let maximumDepth = 64
    /// References that double at each level would grow without end.
    private static let maximumCount = 20_000

    private init(root: JSONValue) {
        self.root = root
    }

    /// The parameters of a function; nil where it takes none.
    ///
    /// - Throws: `invalidInput` for a schema that refers to itself, to nothing, or that is
    ///   too deep or too large.
    static func parameters(_ schema: JSONValue) throws(RealtimeError) -> JSONValue? {
        var cleaner = GoogleSchema(root: schema)
        guard var members = try cleaner.clean(schema, depth: 0) else { return nil }
        let isObject = members["type"] == nil || members["type"] == "OBJECT"
        let isBare = members["properties"] == nil && members["anyOf"] == nil
        if isObject, isBare { return nil }
        if members["type"] == nil, members["properties"] != nil { members["type"] = "OBJECT" }
        return .object(members)
    }

    /// Keywords that go over as they are.
    private static let plain: Set<String> = [
        "description", "nullable", "default", "example", "propertyOrdering", "minItems",
        "maxItems", "minProperties", "maxProperties", "minLength", "maxLength", "pattern",
        "minimum", "maximum",
    ]

    /// A schema in the subset; nil for one that nothing fits.
    private mutating func clean(
        _ schema: JSONValue, depth: Int
    ) throws(RealtimeError) -> Members? {
        count += 1
        guard depth < Self.maximumDepth, count < Self.maximumCount else {
            throw RealtimeError(.invalidInput, "the schema is too deep or too large")
        }
        // `true` takes anything, `false` nothing.
        guard let source = schema.objectValue else { return schema == .bool(false) ? nil : [:] }
        if let reference = source["$ref"]?.stringValue {
            return try inline(reference, besides: source, depth: depth)
        }
        let merged = mergeAll(source)
        if merged["$ref"] != nil || merged["allOf"] != nil {
            return try clean(.object(merged), depth: depth + 1)
        }
        var output = merged.filter { Self.plain.contains($0.key) && !$0.value.isNull }
        if output["description"]?.stringValue == nil { output["description"] = nil }
        if let types = merged["type"]?.arrayValue {
            return try spread(types, of: merged, depth: depth)
        }
        addType(merged, to: &output)
        addEnum(merged, to: &output)
        addFormat(merged, to: &output)
        try addProperties(merged, to: &output, depth: depth)
        try addItems(merged, to: &output, depth: depth)
        try addAlternatives(merged, to: &output, depth: depth)
        return output
    }

    // MARK: References and combinations

    private mutating func inline(
        _ reference: String, besides source: Members, depth: Int
    ) throws(RealtimeError) -> Members? {
        guard !open.contains(reference) else {
            throw RealtimeError(
                .invalidInput, "the schema refers to itself, which Gemini can't take: \(reference)")
        }
        guard let target = resolve(reference) else {
            throw RealtimeError(
                .invalidInput, "the schema refers to what it doesn't define: \(reference)")
        }
        open.append(reference)
        defer { open.removeLast() }
        var rest = source
        rest["$ref"] = nil
        guard case .object = target else { return try clean(target, depth: depth + 1) }
        return try clean(target.merging(.object(rest)), depth: depth + 1)
    }

    private func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#") else { return nil }
        var value = root
        for part in reference.dropFirst().split(separator: "/") {
            let name = part.split(separator: "~1", omittingEmptySubsequences: false)
                .joined(separator: "/").split(separator: "~0", omittingEmptySubsequences: false)
                .joined(separator: "~")
            guard let next = value[name] ?? Int(name).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return value
    }

    /// The schema with the members of its `allOf` laid together; resolved where they refer.
    private func mergeAll(_ source: Members) -> Members {
        guard let all = source["allOf"]?.arrayValue else { return source }
        var rest = source
        rest["allOf"] = nil
        var merged: Members = [:]
        for part in all + [.object(rest)] {
            guard var members = part.objectValue else { continue }
            // One level is enough here: what is referred to is cleaned again by the caller.
            if let reference = members["$ref"]?.stringValue, !open.contains(reference),
                let target = resolve(reference)?.objectValue
            {
                members["$ref"] = nil
                members = JSONValue.object(target).merging(.object(members)).objectValue ?? members
            }
            let required =
                (merged["required"]?.arrayValue ?? []) + (members["required"]?.arrayValue ?? [])
            merged = JSONValue.object(merged).merging(.object(members)).objectValue ?? merged
            if !required.isEmpty { merged["required"] = .array(required) }
        }
        return merged
    }

    /// `["T","null"]` is a nullable T; several types are alternatives.
    private mutating func spread(
        _ types: [JSONValue], of source: Members, depth: Int
    ) throws(RealtimeError) -> Members? {
        let named = types.compactMap(\.stringValue)
        let real = named.filter { $0.lowercased() != "null" }
        var rest = source
        if real.count <= 1 {
            rest["type"] = real.first.map(JSONValue.string)
            if real.count < named.count { rest["nullable"] = true }
            return try clean(.object(rest), depth: depth + 1)
        }
        rest["description"] = nil
        var alternatives: [JSONValue] = []
        for type in real {
            rest["type"] = .string(type)
            if let cleaned = try clean(.object(rest), depth: depth + 1) {
                alternatives.append(.object(cleaned))
            }
        }
        var output: Members = ["anyOf": .array(alternatives)]
        output["description"] = source["description"]
        if real.count < named.count { output["nullable"] = true }
        return output
    }

    private mutating func addAlternatives(
        _ source: Members, to output: inout Members, depth: Int
    ) throws(RealtimeError) {
        let given = (source["anyOf"]?.arrayValue ?? []) + (source["oneOf"]?.arrayValue ?? [])
        guard !given.isEmpty else { return }
        var alternatives: [Members] = []
        for alternative in given {
            if alternative["type"]?.stringValue?.lowercased() == "null" {
                output["nullable"] = true
            } else if let cleaned = try clean(alternative, depth: depth + 1) {
                alternatives.append(cleaned)
            }
        }
        if alternatives.count == 1, let only = alternatives.first {
            // What stands beside an alternative, such as a description, is meant more exactly.
            output = only.merging(output) { _, own in own }
        } else if !alternatives.isEmpty {
            output["anyOf"] = .array(alternatives.map(JSONValue.object))
        }
    }

    // MARK: Keywords

    private func addType(_ source: Members, to output: inout Members) {
        guard let type = source["type"]?.stringValue?.uppercased() else {
            if source["properties"] != nil { output["type"] = "OBJECT" }
            return
        }
        if type == "NULL" { output["nullable"] = true }
        output["type"] = .string(type == "NULL" ? "STRING" : type)
    }

    /// Only strings can be enumerated; other values are told in the description.
    private func addEnum(_ source: Members, to output: inout Members) {
        guard var values = source["const"].map({ [$0] }) ?? source["enum"]?.arrayValue else {
            return
        }
        if values.contains(.null) {
            output["nullable"] = true
            values.removeAll { $0.isNull }
        }
        guard !values.isEmpty else { return }
        let strings = values.compactMap(\.stringValue)
        if strings.count == values.count {
            output["enum"] = .array(values)
            output["type"] = "STRING"
            return
        }
        if output["type"] == nil { output["type"] = Self.type(of: values) }
        let list = values.map { $0.serialized() }.joined(separator: ", ")
        note(values.count == 1 ? "Always \(list)." : "One of: \(list).", in: &output)
    }

    private static func type(of values: [JSONValue]) -> JSONValue? {
        switch values.first {
        case .bool: "BOOLEAN"
        case .int: values.allSatisfy { $0.intValue != nil } ? "INTEGER" : "NUMBER"
        case .double: "NUMBER"
        case .string: "STRING"
        case .array: "ARRAY"
        case .object: "OBJECT"
        case .null, nil: nil
        }
    }

    /// The formats of numbers are known; those of strings are refused but for a few.
    private func addFormat(_ source: Members, to output: inout Members) {
        guard let format = source["format"]?.stringValue else { return }
        if output["type"] == "INTEGER" || output["type"] == "NUMBER" {
            let known = ["int32", "int64", "float", "double"]
            if known.contains(format) { output["format"] = .string(format) }
        } else {
            note("Format: \(format).", in: &output)
        }
    }

    private func note(_ text: String, in output: inout Members) {
        let before = output["description"]?.stringValue.map { "\($0) " } ?? ""
        output["description"] = .string(before + text)
    }

    private mutating func addProperties(
        _ source: Members, to output: inout Members, depth: Int
    ) throws(RealtimeError) {
        guard let properties = source["properties"]?.objectValue else { return }
        var cleaned: Members = [:]
        // In order, so that a schema with several faults always names the same one.
        for name in properties.keys.sorted() {
            guard let property = properties[name],
                let members = try clean(property, depth: depth + 1)
            else { continue }
            cleaned[name] = .object(members)
        }
        if !cleaned.isEmpty { output["properties"] = .object(cleaned) }
        var required: [JSONValue] = []
        for name in source["required"]?.arrayValue ?? []
        where !required.contains(name) && cleaned[name.stringValue ?? ""] != nil {
            required.append(name)
        }
        if !required.isEmpty { output["required"] = .array(required) }
    }

    private mutating func addItems(
        _ source: Members, to output: inout Members, depth: Int
    ) throws(RealtimeError) {
        // Before 2020 a tuple's schemas stood in `items`.
        let tuple = source["prefixItems"]?.arrayValue ?? source["items"]?.arrayValue
        guard let tuple else {
            guard let items = source["items"] else { return }
            output["items"] = try clean(items, depth: depth + 1).map(JSONValue.object)
            return
        }
        var alternatives: [JSONValue] = []
        for item in tuple {
            guard let cleaned = try clean(item, depth: depth + 1) else { continue }
            if !alternatives.contains(.object(cleaned)) { alternatives.append(.object(cleaned)) }
        }
        output["items"] =
            alternatives.count == 1 ? alternatives.first : ["anyOf": .array(alternatives)]
        if output["minItems"] == nil { output["minItems"] = .int(tuple.count) }
        if output["maxItems"] == nil { output["maxItems"] = .int(tuple.count) }
    }
}
