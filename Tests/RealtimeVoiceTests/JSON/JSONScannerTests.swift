import Foundation
import RealtimeVoice
import Testing

/// Reading single fields without a tree.
struct JSONScannerTests {
    private func members(_ text: String) -> [String: String]? {
        var scanner = JSONScanner(Array(text.utf8))
        var found: [String: String] = [:]
        let bytes = scanner.bytes
        let isObject = scanner.forEachMember { name, value in
            found[String(decoding: bytes[name], as: UTF8.self)] =
                String(decoding: bytes[value.start..<value.end], as: UTF8.self)
        }
        return isObject && scanner.isAtEnd() ? found : nil
    }

    @Test func membersAreFoundWithTheirText() {
        let text =
            " {\n \"a\" : \"x\\\"\\\\\" , \"b\":{\"c\":[\"}\"]}\t,\"d\" :-1.5e3,\"\":null,"
            + "\"e\\\"\":[ ] }\r\n"
        #expect(
            members(text) == [
                "a": #""x\"\\""#, "b": #"{"c":["}"]}"#, "d": "-1.5e3", "": "null", #"e\""#: "[ ]",
            ])
        #expect(members("{}") == [:])
    }

    @Test(
        arguments: [
            "", "[]", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{"a":"x}"#,
            #"{"a":[}"#, #"{"a":[1}"#, #"{"a" 1}"#, #"{a:1}"#, #"{"a":1}x"#, #"{"a":,"b":1}"#,
            #"{"a\"#, #"{"a":"\"#,
        ])
    func whatIsNoObjectIsRefused(_ text: String) {
        #expect(members(text) == nil)
    }

    private func slice(_ text: String) throws -> (JSONScanner, JSONSlice) {
        var scanner = JSONScanner(Array(text.utf8))
        let skipped = scanner.skipValue()
        let slice = try #require(skipped)
        return (scanner, slice)
    }

    @Test func stringsAreReadFromWhereTheyStand() throws {
        let (scanner, value) = try slice(#"  "a\u00e9\/b" , 1"#)
        #expect(value.isString)
        #expect(scanner.string(value) == "aé/b")
        #expect(scanner.int(value) == nil)
        #expect(scanner.base64(value) == nil)
        let (other, number) = try slice("17")
        #expect(other.string(number) == nil)
        #expect(other.int(number) == 17)
        #expect(other.base64(number) == nil)
    }

    @Test(
        arguments: [
            (#""""#, [UInt8]()), (#""AAEC""#, [0, 1, 2]), (#""AAE=""#, [0, 1]),
            (#""AAE""#, [0, 1]),
            (#""\/\/\/\/""#, [255, 255, 255]), (#""+\u002f+\/""#, [251, 255, 191]),
        ] as [(String, [UInt8])])
    func base64IsReadInPlace(_ text: String, _ bytes: [UInt8]) throws {
        let (scanner, value) = try slice(text)
        #expect(scanner.base64(value) == Data(bytes))
    }

    @Test(arguments: [
        #""A""#, #""AA=A""#, #""AA AA""#, #""AA\nAA""#, #""AAé""#, #""AA-_""#, #""\q""#,
    ])
    func whatIsNoBase64IsNil(_ text: String) throws {
        let (scanner, value) = try slice(text)
        #expect(scanner.base64(value) == nil)
    }

    @Test func bigFramesTakeTimeInProportion() throws {
        let audio = Data(repeating: 0xFB, count: 1 << 20).base64EncodedString()
        for text in [audio, audio.replacingOccurrences(of: "/", with: #"\/"#)] {
            let (scanner, value) = try slice("\"\(text)\"")
            #expect(scanner.base64(value)?.count == 1 << 20)
        }
        // Backslashes without end before a quote: each must be looked at once, not once a quote.
        let slashes = String(repeating: #"\\\""#, count: 1 << 16)
        let (scanner, value) = try slice("\"\(slashes)\"")
        #expect(scanner.string(value)?.utf8.count == 2 << 16)
    }

    @Test func nestedValuesAreSteppedOverAtAnyDepth() throws {
        let deep =
            String(repeating: "[{\"a\":", count: 100_000) + "1"
            + String(repeating: "}]", count: 100_000)
        let (scanner, value) = try slice(deep)
        #expect(value.end == deep.utf8.count)
        #expect(scanner.value(value) == nil)
    }

    @Test func aRawPayloadIsParsedWhenRead() {
        let payload = RealtimeRawPayload(Array(#"{"a":1}"#.utf8))
        #expect(payload.json == ["a": 1])
        #expect(payload.data == Data(#"{"a":1}"#.utf8))
        #expect(RealtimeRawPayload([0xFF]).json == .null)
        #expect(RealtimeRawPayload.none.json == .null)
    }
}
