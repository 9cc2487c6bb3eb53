import RealtimeVoice
import Testing

/// Tool schemas, cleaned to what the service takes.
struct GoogleSchemaTests {
    /// The cleaned schema of a parameter named `p`.
    private func clean(_ property: JSONValue, definitions: JSONValue = [:]) throws -> JSONValue? {
        try parameters(["type": "object", "properties": ["p": property], "$defs": definitions])?[
            "properties"]?["p"]
    }

    private func parameters(_ schema: JSONValue) throws -> JSONValue? {
        let tool = RealtimeToolDefinition(name: "f", parameters: schema)
        let setup = try GoogleRealtimeModel("gemini-3.8-live").encode(config: .init(tools: [tool]))
        return setup["tools"]?[0]?["functionDeclarations"]?[0]?["parameters"]
    }

    @Test func keywordsBecomeWhatTheServiceKnows() throws {
        let rows: [(String, JSONValue, JSONValue?)] = [
            ("plain", ["type": "string", "maxLength": 3], ["type": "STRING", "maxLength": 3]),
            (
                "unknown keywords",
                [
                    "type": "object", "properties": ["x": ["type": "integer"]],
                    "$schema": "s", "$id": "i", "$comment": "c", "additionalProperties": false,
                    "discriminator": [:], "examples": [], "title": "T",
                    "patternProperties": [:], "unevaluatedProperties": false, "if": [:],
                    "then": [:], "else": [:], "not": [:], "propertyNames": [:],
                    "dependentRequired": [:],
                ],
                ["type": "OBJECT", "properties": ["x": ["type": "INTEGER"]]]
            ),
            (
                "exclusive limits",
                ["type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9, "maximum": 8],
                ["type": "NUMBER", "maximum": 8]
            ),
            ("const", ["const": "a"], ["type": "STRING", "enum": ["a"]]),
            ("const number", ["const": 7], ["type": "INTEGER", "description": "Always 7."]),
            (
                "nullable type list", ["type": ["string", "null"]],
                ["type": "STRING", "nullable": true]
            ),
            (
                "type list", ["type": ["string", "integer"], "description": "d"],
                ["anyOf": [["type": "STRING"], ["type": "INTEGER"]], "description": "d"]
            ),
            (
                "optional",
                ["anyOf": [["type": "integer"], ["type": "null"]], "description": "d"],
                ["type": "INTEGER", "nullable": true, "description": "d"]
            ),
            (
                "oneOf", ["oneOf": [["type": "integer"], ["type": "string"]]],
                ["anyOf": [["type": "INTEGER"], ["type": "STRING"]]]
            ),
            (
                "allOf",
                [
                    "allOf": [
                        ["properties": ["a": ["type": "string"]], "required": ["a"]],
                        ["properties": ["b": ["type": "string"]], "required": ["b"]],
                    ]
                ],
                [
                    "type": "OBJECT",
                    "properties": ["a": ["type": "STRING"], "b": ["type": "STRING"]],
                    "required": ["a", "b"],
                ]
            ),
            (
                "tuple",
                ["type": "array", "prefixItems": [["type": "string"], ["type": "integer"]]],
                [
                    "type": "ARRAY", "items": ["anyOf": [["type": "STRING"], ["type": "INTEGER"]]],
                    "minItems": 2, "maxItems": 2,
                ]
            ),
            (
                "enum of numbers", ["type": "integer", "enum": [1, 2], "description": "Size."],
                ["type": "INTEGER", "description": "Size. One of: 1, 2."]
            ),
            (
                "enum with null", ["enum": ["a", .null]],
                ["type": "STRING", "enum": ["a"], "nullable": true]
            ),
            (
                "format of strings", ["type": "string", "format": "email"],
                ["type": "STRING", "description": "Format: email."]
            ),
            (
                "format of numbers", ["type": "integer", "format": "int32"],
                ["type": "INTEGER", "format": "int32"]
            ),
            ("anything", true, [:]),
            ("nothing", false, nil),
            ("null default", ["type": "string", "default": .null], ["type": "STRING"]),
        ]
        for (name, schema, expected) in rows {
            let cleaned = try parameters([
                "type": "object", "properties": ["p": schema, "q": ["type": "string"]],
            ])
            #expect(cleaned?["properties"]?["p"] == expected, "\(name)")
        }
    }

    @Test func aPropertyMayBeNamedLikeAKeyword() throws {
        let names = [
            "additionalProperties", "const", "$ref", "title", "type", "enum", "items", "not",
            "properties", "required", "anyOf", "format",
        ]
        var properties: [String: JSONValue] = [:]
        for name in names { properties[name] = ["type": "string", "title": "T"] }
        let cleaned = try parameters([
            "type": "object", "properties": .object(properties),
            "required": .array(names.map(JSONValue.string)),
        ])
        #expect(
            cleaned == [
                "type": "OBJECT",
                "properties": .object(properties.mapValues { _ in ["type": "STRING"] }),
                "required": .array(names.map(JSONValue.string)),
            ])
    }

    @Test func referencesAreInlined() throws {
        let definitions: JSONValue = [
            "Place": [
                "type": "object", "title": "Place", "properties": ["at": ["$ref": "#/$defs/Point"]],
            ],
            "Point": ["type": "number", "description": "old"],
        ]
        #expect(
            try clean(["$ref": "#/$defs/Place", "description": "new"], definitions: definitions)
                == [
                    "type": "OBJECT", "description": "new",
                    "properties": ["at": ["type": "NUMBER", "description": "old"]],
                ])
        #expect(
            try clean(
                ["allOf": [["$ref": "#/$defs/Point"]], "description": "d"], definitions: definitions
            ) == ["type": "NUMBER", "description": "d"])
    }

    @Test func recursionIsRefusedAndNeverRunsAway() throws {
        let node: JSONValue = [
            "Node": ["type": "object", "properties": ["next": ["$ref": "#/$defs/Node"]]]
        ]
        #expect(throws: RealtimeError.self) {
            try clean(["$ref": "#/$defs/Node"], definitions: node)
        }
        #expect(throws: RealtimeError.self) { try clean(["$ref": "#"]) }
        #expect(throws: RealtimeError.self) {
            try clean(
                ["allOf": [["$ref": "#/$defs/A"]]],
                definitions: ["A": ["allOf": [["$ref": "#/$defs/A"]]]])
        }
        var wide: [String: JSONValue] = ["D0": ["type": "string"]]
        for index in 1..<40 {
            let below: JSONValue = ["$ref": "#/$defs/D\(index - 1)"]
            wide["D\(index)"] = ["type": "object", "properties": ["a": below, "b": below]]
        }
        #expect(throws: RealtimeError.self) {
            try clean(["$ref": "#/$defs/D39"], definitions: .object(wide))
        }
    }

    @Test func aToolWithoutParametersDeclaresNone() throws {
        #expect(try parameters(["type": "object", "properties": [:]]) == nil)
        #expect(try parameters([:]) == nil)
        #expect(try parameters(["type": "object", "additionalProperties": false]) == nil)
    }

    @Test func requiredNamesOnlyWhatIsLeft() throws {
        #expect(
            try parameters([
                "type": "object", "properties": ["a": ["type": "string"], "b": false],
                "required": ["a", "b", "c", "a"],
            ]) == [
                "type": "OBJECT", "properties": ["a": ["type": "STRING"]], "required": ["a"],
            ])
    }
}
