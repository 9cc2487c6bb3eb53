package import Foundation

/// Builds provider addresses from a base URL of any host, port and path.
package enum ProviderEndpoint {
    /// The base URL with more path, its scheme mapped to the one of WebSockets: `http` to
    /// `ws`, `https` to `wss`.
    package static func webSocket(
        base: URL, path: String, query: [(name: String, value: String)] = []
    ) throws(RealtimeError) -> URL {
        try url(
            base: base, path: path, query: query,
            schemes: ["http": "ws", "https": "wss", "ws": "ws", "wss": "wss"])
    }

    /// The base URL with more path, its scheme mapped to the one of plain requests: `ws` to
    /// `http`, `wss` to `https`.
    package static func http(
        base: URL, path: String, query: [(name: String, value: String)] = []
    ) throws(RealtimeError) -> URL {
        try url(
            base: base, path: path, query: query,
            schemes: ["ws": "http", "wss": "https", "http": "http", "https": "https"])
    }

    private static func url(
        base: URL, path: String, query: [(name: String, value: String)],
        schemes: [String: String]
    ) throws(RealtimeError) -> URL {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true),
            parts.host?.isEmpty == false,
            let scheme = parts.scheme.flatMap({ schemes[$0.lowercased()] })
        else { throw invalid }
        parts.scheme = scheme
        var own = parts.percentEncodedPath
        while own.hasSuffix("/") { own.removeLast() }
        parts.percentEncodedPath = path.isEmpty ? own : own + "/" + path
        var items = parts.percentEncodedQuery.map { [$0] } ?? []
        items += query.map { "\(encoded($0.name))=\(encoded($0.value))" }
        parts.percentEncodedQuery = items.isEmpty ? nil : items.joined(separator: "&")
        guard let url = parts.url else { throw invalid }
        return url
    }

    /// A query name or value with all but RFC 3986's unreserved characters escaped, so that
    /// none of `&+=#` can end it.
    package static func encoded(_ text: String) -> String {
        var output = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                output.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                output += "%" + (hex.count == 1 ? "0" + hex : hex)
            }
        }
        return output
    }

    private static let invalid = RealtimeError(
        .invalidInput, "not a base URL with a scheme of http, https, ws or wss and a host")

    /// An address that stands in the source.
    package static func constant(_ text: StaticString) -> URL {
        guard let url = URL(string: "\(text)") else {
            preconditionFailure("\(text) is no URL")
        }
        return url
    }
}
