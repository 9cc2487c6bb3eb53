import Foundation
import RealtimeVoice
import Testing

/// Trees of JSON, from text and back.
struct JSONValueTests {
    static let texts: [(String, JSONValue)] = [
        ("null", .null), (" true\r\n", true), ("\tfalse", false), ("0", 0), ("-0", 0),
        ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
        ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.5", 1.5),
        ("-1.5E+2", .double(-150)), ("1e-2", 0.01), ("0.0", .double(0)),
        ("1e999", .double(.greatestFiniteMagnitude)),
        ("-1e999", .double(-.greatestFiniteMagnitude)),
        (String(repeating: "9", count: 400), .double(.greatestFiniteMagnitude)),
        (#""""#, ""), (#""\"\\\/\b\f\n\r\t\u0041""#, "\"\\/\u{8}\u{C}\n\r\tA"),
        (#""\u00e9é\ud83d\ude00😀""#, "éé😀😀"), (#""\u0000""#, "\0"), ("\"\u{7F}\"", "\u{7F}"),
        // A half of a pair stands for nothing.
        (#""a\ud800b""#, "a\u{FFFD}b"), (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"),
        (#""\ud800\u0041""#, "\u{FFFD}A"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        ("[]", []), ("[ 1 , [ ] , {} ]", [1, [], [:]]), ("{}", [:]),
        (#"{ "a" : 1 , "b" : { "a" : null } }"#, ["a": 1, "b": ["a": .null]]),
        // Of duplicates the last counts.
        (#"{"a":1,"a":{"b":2},"a":3}"#, ["a": 3]), (#"{"\u0061":1}"#, ["a": 1]),
    ]

    @Test(arguments: texts)
    func aTextIsRead(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(arguments: texts)
    func whatIsWrittenIsReadTheSame(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: value.serialized()) == value)
        // Foundation agrees that it is JSON.
        let object = try JSONSerialization.jsonObject(
            with: Data(value.serializedBytes()), options: .fragmentsAllowed)
        _ = object
    }

    @Test(
        arguments: [
            "", " ", "nul", "nulll", "truefalse", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1",
            "NaN", "Infinity", "'a'", #"""#, #""a"#, #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#,
            "\"\n\"", "\"\0\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "}", "{a:1}",
            #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#, #"{1:1}"#,
            "1 2", "[]]", #"{"a":1}}"#, "\u{FEFF}1", "[1]\0", "{]", "[}", "\u{2028}1",
        ])
    func whatIsNotJSONIsAnError(_ text: String) {
        do throws(RealtimeError) {
            let value = try JSONValue(parsing: text)
            Issue.record("\(value)")
        } catch {
            #expect(error.code == .decodingFailed)
        }
    }

    @Test func nestingIsLimitedNotFatal() throws {
        func nested(_ count: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
        }
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            #expect(throws: Never.self) { try JSONValue(parsing: nested(512, open, close)) }
            for count in [513, 100_000] {
                #expect(throws: RealtimeError.self) {
                    try JSONValue(parsing: nested(count, open, close))
                }
            }
        }
        #expect(throws: RealtimeError.self) {
            try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
        }
    }

    @Test func invalidUTF8BecomesReplacementCharacters() throws {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF8, 0x88]] {
            let value = try JSONValue(parsing: [0x22, 0x61] + bytes + [0x62, 0x22])
            #expect(
                value == .string(String(decoding: [0x61] + bytes + [0x62], as: UTF8.self)))
            #expect(value.stringValue?.contains("\u{FFFD}") == true)
        }
    }

    @Test func aStringOf16MiBIsRead() throws {
        let count = 16 << 20
        let bytes = [0x22] + [UInt8](repeating: 0x61, count: count) + [0x22]
        #expect(try JSONValue(parsing: bytes).stringValue?.utf8.count == count)
        // A pathological one: nothing but escapes.
        let escapes = [0x22] + Array(String(repeating: #"\""#, count: 1 << 18).utf8) + [0x22]
        #expect(try JSONValue(parsing: escapes).stringValue?.utf8.count == 1 << 18)
    }

    @Test func textIsEscapedNoMoreThanItMust() {
        #expect(
            JSONValue.string("\"\\/\u{8}\n\u{1F}é\u{2028}\u{7F}").serialized()
                == #""\"\\/\u0008\n\u001f"# + "é\u{2028}\u{7F}\"")
        #expect(JSONValue.double(.nan).serialized() == "null")
        #expect(JSONValue.double(2).serialized() == "2.0")
        #expect(
            (["b": 1, "a": [true, .null]] as JSONValue).serialized() == #"{"a":[true,null],"b":1}"#)
    }

    @Test func mergingGoesMemberByMember() {
        let base: JSONValue = ["a": ["b": 1, "c": [1]], "d": 1]
        #expect(
            base.merging(["a": ["c": [2], "e": .null], "d": ["f": 1]])
                == ["a": ["b": 1, "c": [2], "e": .null], "d": ["f": 1]])
        #expect(base.merging(.null) == .null)
        #expect(JSONValue.int(1).merging(["a": 1]) == ["a": 1])
    }

    @Test func accessorsSayNilForAnotherKind() throws {
        let value: JSONValue = ["a": [1, 2.0, 2.5, "x", true, .null]]
        let array = try #require(value["a"])
        #expect(array.arrayValue?.map(\.intValue) == [1, 2, nil, nil, nil, nil])
        #expect(array.arrayValue?.map(\.doubleValue) == [1, 2, 2.5, nil, nil, nil])
        #expect(array[3]?.stringValue == "x")
        #expect(array[4]?.boolValue == true)
        #expect(array[5]?.isNull == true)
        #expect(array[6] == nil)
        #expect(array[-1] == nil)
        #expect(array["a"] == nil)
        #expect(value[0] == nil)
        #expect(value.objectValue?.count == 1)
    }

    @Test(arguments: texts)
    func foundationCodesTheSame(_ text: String, _ value: JSONValue) throws {
        let data = try JSONEncoder().encode([value])
        let decoded = try JSONDecoder().decode([JSONValue].self, from: data)
        // Foundation keeps no difference between 1 and 1.0.
        #expect(decoded.first?.doubleValue == value.doubleValue)
        if value.doubleValue == nil, case .string = value { #expect(decoded == [value]) }
    }
}
