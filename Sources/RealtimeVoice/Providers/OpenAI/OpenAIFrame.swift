/// Where the known fields of one server message stand, found in one pass over its bytes.
///
/// OpenAI, Azure and xAI share these names. Unknown fields cost a comparison and nothing more.
struct OpenAIFrame {
    let scanner: JSONScanner
    private(set) var type: JSONSlice?
    private(set) var responseID: JSONSlice?
    private(set) var itemID: JSONSlice?
    private(set) var previousItemID: JSONSlice?
    private(set) var contentIndex: JSONSlice?
    private(set) var callID: JSONSlice?
    private(set) var delta: JSONSlice?
    private(set) var text: JSONSlice?
    private(set) var transcript: JSONSlice?
    private(set) var arguments: JSONSlice?
    private(set) var name: JSONSlice?
    private(set) var status: JSONSlice?
    private(set) var item: JSONSlice?
    private(set) var response: JSONSlice?
    private(set) var session: JSONSlice?
    private(set) var error: JSONSlice?
    private(set) var usage: JSONSlice?
    private(set) var audioStart: JSONSlice?
    private(set) var audioEnd: JSONSlice?
    private(set) var startTime: JSONSlice?
    private(set) var sampleRate: JSONSlice?

    /// Scans a message.
    ///
    /// - Throws: `decodingFailed` where the bytes are no JSON object with a `type`.
    init(_ bytes: [UInt8]) throws(RealtimeError) {
        var scanner = JSONScanner(bytes)
        self.scanner = scanner
        let isObject = scanner.forEachMember { name, value in keep(name, value) }
        guard isObject, scanner.isAtEnd() else {
            throw RealtimeError(
                .decodingFailed, "not a JSON object at byte \(scanner.position)")
        }
        guard let type, type.isString else {
            throw RealtimeError(.decodingFailed, "a message without a type")
        }
    }

    /// The message's type.
    var messageType: OpenAIMessageType {
        let range = type.map { ($0.start + 1)..<($0.end - 1) } ?? 0..<0
        return OpenAIMessageType(scanner: scanner, range: range)
    }

    @inline(__always)
    private mutating func keep(_ name: Range<Int>, _ value: JSONSlice) {
        switch name.count {
        case 4:
            if scanner.matches(name, "type") {
                type = value
            } else if scanner.matches(name, "item") {
                item = value
            } else if scanner.matches(name, "text") {
                text = value
            } else if scanner.matches(name, "name") {
                self.name = value
            }
        case 5:
            if scanner.matches(name, "delta") {
                delta = value
            } else if scanner.matches(name, "error") {
                error = value
            } else if scanner.matches(name, "usage") {
                usage = value
            }
        default: keepLong(name, value)
        }
    }

    private mutating func keepLong(_ name: Range<Int>, _ value: JSONSlice) {
        switch name.count {
        case 6: if scanner.matches(name, "status") { status = value }
        case 7:
            if scanner.matches(name, "item_id") {
                itemID = value
            } else if scanner.matches(name, "call_id") {
                callID = value
            } else if scanner.matches(name, "session") {
                session = value
            }
        case 8: if scanner.matches(name, "response") { response = value }
        case 9: if scanner.matches(name, "arguments") { arguments = value }
        case 10:
            if scanner.matches(name, "transcript") {
                transcript = value
            } else if scanner.matches(name, "start_time") {
                startTime = value
            }
        case 11:
            if scanner.matches(name, "response_id") {
                responseID = value
            } else if scanner.matches(name, "sample_rate") {
                sampleRate = value
            }
        case 12: if scanner.matches(name, "audio_end_ms") { audioEnd = value }
        case 13: if scanner.matches(name, "content_index") { contentIndex = value }
        case 14: if scanner.matches(name, "audio_start_ms") { audioStart = value }
        case 16: if scanner.matches(name, "previous_item_id") { previousItemID = value }
        default: break
        }
    }
}

extension OpenAIFrame {
    /// A field's text; nil where it is absent, null or no string.
    ///
    /// - Throws: `decodingFailed` for a string that is not JSON: a word must not get lost
    ///   silently.
    func string(_ slice: JSONSlice?) throws(RealtimeError) -> String? {
        guard let slice, slice.isString else { return nil }
        guard let text = scanner.string(slice) else {
            throw RealtimeError(.decodingFailed, "a malformed string at byte \(slice.start)")
        }
        return text
    }

    /// A field's text, empty where there is none.
    func text(_ slice: JSONSlice?) throws(RealtimeError) -> String {
        try string(slice) ?? ""
    }

    /// A field's integer.
    func int(_ slice: JSONSlice?) -> Int? {
        guard let slice else { return nil }
        return scanner.number(slice)?.doubleValue.flatMap { Int(exactly: $0.rounded()) }
    }

    /// A field's tree; nil where it is absent, null or broken.
    func value(_ slice: JSONSlice?) -> JSONValue? {
        guard let slice, !slice.isNull else { return nil }
        return scanner.value(slice)
    }

    /// The text of a member of an object field, also where the object is broken behind it.
    func string(_ name: StaticString, in slice: JSONSlice?) -> String? {
        guard let slice, slice.isObject else { return nil }
        var inner = JSONScanner(scanner.bytes, slice)
        var found: JSONSlice?
        _ = inner.forEachMember { key, value in
            if scanner.matches(key, name) { found = value }
        }
        return found.flatMap { $0.isString ? scanner.string($0) : nil }
    }
}

/// A message's type where it stands in the frame: compared with names, it needs no `String`.
struct OpenAIMessageType {
    fileprivate let scanner: JSONScanner
    fileprivate let range: Range<Int>

    func hasPrefix(_ prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        return range.count > count && scanner.matches(range.prefix(count), prefix)
    }

    static func ~= (name: StaticString, type: OpenAIMessageType) -> Bool {
        type.scanner.matches(type.range, name)
    }
}

/// The last text of a field that nearly all messages repeat, such as an id: reading it again
/// costs a comparison instead of an allocation.
struct RepeatedText: Sendable {
    private var last = ""

    /// The field's text, as `OpenAIFrame.string` reads it.
    mutating func string(
        _ slice: JSONSlice?, in frame: OpenAIFrame
    ) throws(RealtimeError) -> String? {
        guard let slice, slice.isString else { return nil }
        if isLast(slice, frame.scanner) { return last }
        let text = try frame.string(slice)
        // A text that had escapes may look like another one's source.
        if let text, text.utf8.count == slice.end - slice.start - 2,
            !text.utf8.contains(UInt8(ascii: "\\"))
        {
            last = text
        }
        return text
    }

    private func isLast(_ slice: JSONSlice, _ scanner: JSONScanner) -> Bool {
        var last = last
        return last.withUTF8 { text in
            unsafe scanner.matches((slice.start + 1)..<(slice.end - 1), text)
        }
    }
}
