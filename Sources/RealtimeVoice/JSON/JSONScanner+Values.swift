package import Foundation

extension JSONScanner {
    /// Whether the bytes of a range are these.
    @inline(__always)
    package func matches(_ range: Range<Int>, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard range.count == count else { return false }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return count == 0 }
            return unsafe memcmp(base + range.lowerBound, text.utf8Start, count) == 0
        }
    }

    /// Whether the bytes of a range are these.
    @inline(__always)
    package func matches(_ range: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == text.count, let other = text.baseAddress else {
            return range.isEmpty && text.isEmpty
        }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe memcmp(base + range.lowerBound, other, text.count) == 0
        }
    }

    /// The text of a string, with its escapes resolved; nil where an escape is malformed.
    package func string(_ slice: JSONSlice) -> String? {
        guard slice.isString else { return nil }
        let inner = (slice.start + 1)..<(slice.end - 1)
        var simple = true
        for index in inner {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\") {
                simple = false
                break
            }
            if byte < 0x20 { return nil }
        }
        if simple { return String(decoding: bytes[inner], as: UTF8.self) }
        return unescaped(inner).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number as an integer; nil for anything else.
    package func int(_ slice: JSONSlice) -> Int? {
        number(slice)?.intValue
    }

    /// A number; nil for anything else.
    package func number(_ slice: JSONSlice) -> JSONValue? {
        var index = slice.start
        var negative = false
        if bytes[index] == UInt8(ascii: "-") {
            negative = true
            index += 1
        }
        guard index < slice.end, Self.isDigit(bytes[index]) else { return nil }
        if bytes[index] == UInt8(ascii: "0"), index + 1 < slice.end,
            Self.isDigit(bytes[index + 1])
        {
            return nil
        }
        var value = 0
        var overflow = false
        while index < slice.end, Self.isDigit(bytes[index]) {
            let digit = Int(bytes[index] - UInt8(ascii: "0"))
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.subtractingReportingOverflow(digit)
            overflow = overflow || first || second
            value = sum
            index += 1
        }
        if index == slice.end, !overflow, negative || value != .min {
            return .int(negative ? value : -value)
        }
        guard Self.isFraction(bytes[index..<slice.end]) else { return nil }
        guard let double = Double(String(decoding: bytes[slice.start..<slice.end], as: UTF8.self))
        else { return nil }
        let limit = Double.greatestFiniteMagnitude
        return .double(min(max(double, -limit), limit))
    }

    /// The tree of a value; nil where it isn't JSON.
    package func value(_ slice: JSONSlice) -> JSONValue? {
        var scanner = JSONScanner(bytes, slice)
        guard let value = scanner.parseValue(), scanner.isAtEnd() else { return nil }
        return value
    }

    /// The bytes of a base64 string, decoded straight out of the frame.
    package func base64(_ slice: JSONSlice) -> Data? {
        guard slice.isString else { return nil }
        let inner = (slice.start + 1)..<(slice.end - 1)
        let direct = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Base64.decode(UnsafeRawBufferPointer(rebasing: buffer[inner]))
        }
        if let direct { return direct }
        // Some encoders write "/" as "\/"; no base64 character needs an escape otherwise.
        guard let plain = unescaped(inner), plain.count != inner.count else { return nil }
        return unsafe plain.withUnsafeBytes { unsafe Base64.decode($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// Whether the rest of a number, behind its whole part, is a fraction and an exponent.
    private static func isFraction(_ rest: ArraySlice<UInt8>) -> Bool {
        var rest = rest
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard let first = rest.first, isDigit(first) else { return false }
            rest = rest.drop(while: isDigit)
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest.removeFirst()
            }
            guard let first = rest.first, isDigit(first) else { return false }
            rest = rest.drop(while: isDigit)
        }
        return rest.isEmpty
    }

    private func unescaped(_ range: Range<Int>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                if byte < 0x20 { return nil }
                output.append(byte)
                index += 1
                continue
            }
            guard index + 1 < range.upperBound else { return nil }
            index += 2
            switch bytes[index - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                output.append(bytes[index - 1])
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = unicodeEscape(at: &index, limit: range.upperBound) else {
                    return nil
                }
                output += Array(String(Character(scalar)).utf8)
            default: return nil
            }
        }
        return output
    }

    /// Reads the digits of a `\u` escape, and of a second one that completes a surrogate pair.
    private func unicodeEscape(at index: inout Int, limit: Int) -> Unicode.Scalar? {
        guard let unit = hexUnit(at: index, limit: limit) else { return nil }
        index += 4
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, index + 6 <= limit, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u"), let low = hexUnit(at: index + 2, limit: limit),
            (0xDC00...0xDFFF).contains(low)
        else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private func hexUnit(at index: Int, limit: Int) -> UInt32? {
        guard index + 4 <= limit else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[index..<(index + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
