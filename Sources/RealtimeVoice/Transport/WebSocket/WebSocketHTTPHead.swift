/// The first line and the headers of an HTTP/1.1 message, read strictly.
package struct WebSocketHTTPHead: Sendable {
    /// Why bytes are no head; the text names no content of theirs.
    package struct Malformed: Error, Sendable, Hashable {
        package var reason: String
    }

    /// The largest head that is read.
    package static let maximumByteCount = 64 << 10
    private static let maximumHeaderCount = 256

    package var firstLine: String
    package var headers: [(name: String, value: String)]

    /// Reads a head with the empty line that ends it.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Malformed(reason: "the head is not UTF-8")
        }
        var lines = try Self.lines(Array(text.utf8))
        guard !lines.isEmpty else { throw Malformed(reason: "the head is empty") }
        firstLine = String(decoding: lines.removeFirst(), as: UTF8.self)
        guard lines.count <= Self.maximumHeaderCount else {
            throw Malformed(reason: "too many headers")
        }
        headers = []
        for line in lines {
            headers.append(try Self.header(line))
        }
    }

    private static func lines(_ bytes: [UInt8]) throws(Malformed) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard end > rest.startIndex, rest[end - 1] == UInt8(ascii: "\r") else {
                throw Malformed(reason: "a line does not end in CR LF")
            }
            let line = rest[rest.startIndex..<end - 1]
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw Malformed(reason: "a control character in the head")
            }
            if !line.isEmpty { lines.append(line) }
            rest = rest[(end + 1)...]
        }
        return lines
    }

    private static func header(
        _ line: ArraySlice<UInt8>
    ) throws(Malformed) -> (name: String, value: String) {
        // A leading space would be an obsolete continuation line (RFC 9112 section 5.2).
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            isToken(line[..<colon])
        else { throw Malformed(reason: "a malformed header line") }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
        return (name, value.trimmed)
    }

    /// The values of all headers of a name, in order.
    package func values(_ name: String) -> [String] {
        Self.values(name, in: headers)
    }

    static func values(_ name: String, in headers: [(name: String, value: String)]) -> [String] {
        let wanted = name.lowercased()
        return headers.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    /// The members of a header that is a list with commas.
    static func list(_ name: String, in headers: [(name: String, value: String)]) -> [String] {
        values(name, in: headers)
            .flatMap { $0.split(separator: ",") }
            .map { String($0).trimmed }
            .filter { !$0.isEmpty }
    }

    /// Whether these bytes are a token (RFC 9110 section 5.6.2).
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default:
                    "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

extension String {
    /// The text without spaces and tabs around it.
    fileprivate var trimmed: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let rest = utf8.drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(decoding: rest[...last], as: UTF8.self)
    }
}
