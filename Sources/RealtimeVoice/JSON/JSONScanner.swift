import Foundation

/// Where one JSON value stands in a frame.
package struct JSONSlice: Sendable {
    /// The offset of the value's first byte; for a string, of its opening quote.
    package var start: Int
    /// The offset behind the value's last byte.
    package var end: Int
    /// The value's first byte, which tells its kind.
    package var first: UInt8

    package var isString: Bool { first == UInt8(ascii: "\"") }
    package var isObject: Bool { first == UInt8(ascii: "{") }
    package var isNull: Bool { first == UInt8(ascii: "n") }
}

/// Walks over JSON text without building a tree.
///
/// Skipping a nested value only balances its brackets; whoever reads the value checks it. So
/// a frame costs one pass, and a field that nobody asks for costs next to nothing.
package struct JSONScanner {
    /// Deeper nesting than this is refused.
    package static let maximumDepth = 512

    package let bytes: [UInt8]
    package private(set) var position: Int
    private let end: Int
    private var depth = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    package init(_ bytes: [UInt8], _ slice: JSONSlice) {
        self.bytes = bytes
        position = slice.start
        end = slice.end
    }

    // MARK: Walking

    package mutating func skipWhitespace() {
        while position < end, bytes[position] <= 0x20 {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    /// Whether nothing but white space is left.
    package mutating func isAtEnd() -> Bool {
        skipWhitespace()
        return position == end
    }

    package mutating func consume(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Calls `body` with each member's name (between its quotes) and value.
    ///
    /// - Returns: False where the text is not one object.
    @inline(__always)
    package mutating func forEachMember(
        _ body: (_ name: Range<Int>, _ value: JSONSlice) -> Void
    ) -> Bool {
        skipWhitespace()
        guard consume(UInt8(ascii: "{")) else { return false }
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return true }
        while true {
            skipWhitespace()
            guard let name = skipString() else { return false }
            skipWhitespace()
            guard consume(UInt8(ascii: ":")), let value = skipValue() else { return false }
            body((name.start + 1)..<(name.end - 1), value)
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            return consume(UInt8(ascii: "}"))
        }
    }

    /// Steps over one value.
    package mutating func skipValue() -> JSONSlice? {
        skipWhitespace()
        guard position < end else { return nil }
        let start = position
        let first = bytes[start]
        switch first {
        case UInt8(ascii: "\""):
            return skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard skipNested() else { return nil }
        default:
            while position < end, Self.isScalar(bytes[position]) { position += 1 }
            guard position > start else { return nil }
        }
        return JSONSlice(start: start, end: position, first: first)
    }

    private static func isScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"),
            UInt8(ascii: "\""), 0...0x20:
            false
        default: true
        }
    }

    private mutating func skipNested() -> Bool {
        var open = 0
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                open -= 1
                position += 1
                if open == 0 { return true }
            case UInt8(ascii: "\""):
                guard skipString() != nil else { return false }
            default:
                position += 1
            }
        }
        return false
    }

    /// Steps over a string, whose opening quote is next.
    package mutating func skipString() -> JSONSlice? {
        guard position < end, bytes[position] == UInt8(ascii: "\"") else { return nil }
        let start = position
        var from = start + 1
        while let quote = indexOfQuote(from: from) {
            var backslashes = 0
            while bytes[quote - 1 - backslashes] == UInt8(ascii: "\\") { backslashes += 1 }
            if backslashes.isMultiple(of: 2) {
                position = quote + 1
                return JSONSlice(start: start, end: position, first: UInt8(ascii: "\""))
            }
            from = quote + 1
        }
        return nil
    }

    private func indexOfQuote(from: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { buffer -> Int? in
            guard from < end, let base = buffer.baseAddress else { return nil }
            guard let found = unsafe memchr(base + from, Int32(UInt8(ascii: "\"")), end - from)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    // MARK: Trees

    /// Parses the next value into a tree; nil, with `position` at the fault, where it isn't JSON.
    package mutating func parseValue() -> JSONValue? {
        skipWhitespace()
        guard position < end else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            guard let slice = skipString() else { return nil }
            return string(slice).map(JSONValue.string)
        case UInt8(ascii: "{"): return parseNested { $0.parseObject() }
        case UInt8(ascii: "["): return parseNested { $0.parseArray() }
        case UInt8(ascii: "t"): return literal("true", .bool(true))
        case UInt8(ascii: "f"): return literal("false", .bool(false))
        case UInt8(ascii: "n"): return literal("null", .null)
        default: return parseNumber()
        }
    }

    private mutating func parseNested(
        _ parse: (inout JSONScanner) -> JSONValue?
    ) -> JSONValue? {
        guard depth < Self.maximumDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        return parse(&self)
    }

    private mutating func parseObject() -> JSONValue? {
        guard consume(UInt8(ascii: "{")) else { return nil }
        var members: [String: JSONValue] = [:]
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipWhitespace()
            guard let slice = skipString(), let name = string(slice) else { return nil }
            skipWhitespace()
            guard consume(UInt8(ascii: ":")), let value = parseValue() else { return nil }
            members[name] = value
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            return consume(UInt8(ascii: "}")) ? .object(members) : nil
        }
    }

    private mutating func parseArray() -> JSONValue? {
        guard consume(UInt8(ascii: "[")) else { return nil }
        var elements: [JSONValue] = []
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            guard let value = parseValue() else { return nil }
            elements.append(value)
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            return consume(UInt8(ascii: "]")) ? .array(elements) : nil
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        guard end - position >= word.utf8CodeUnitCount else { return nil }
        guard matches(position..<(position + word.utf8CodeUnitCount), word) else { return nil }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func parseNumber() -> JSONValue? {
        let start = position
        guard let slice = skipValue(), let value = number(slice) else {
            position = start
            return nil
        }
        return value
    }
}
