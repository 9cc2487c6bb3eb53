package import Foundation

/// The parts of a `ws` or `wss` URL that a connection needs.
package struct WebSocketAddress: Sendable, Hashable {
    package var isSecure: Bool
    /// The host as it stands in a URL, an IPv6 literal in brackets.
    package var host: String
    package var port: Int
    /// The path and the query. May carry a secret: never logged.
    package var target: String

    /// Takes a URL apart.
    ///
    /// - Throws: `invalidInput` where the URL is no WebSocket address.
    package init(_ url: URL) throws(RealtimeError) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "ws" || scheme == "wss"
        else { throw RealtimeError(.invalidInput, "The URL must begin with ws:// or wss://.") }
        guard let host = parts.encodedHost, !host.isEmpty else {
            throw RealtimeError(.invalidInput, "The URL has no host.")
        }
        guard parts.user == nil, parts.password == nil else {
            throw RealtimeError(.invalidInput, "The URL must not carry a user name.")
        }
        isSecure = scheme == "wss"
        self.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        port = parts.port ?? (isSecure ? 443 : 80)
        guard (1...65_535).contains(port) else {
            throw RealtimeError(.invalidInput, "The URL's port is out of range.")
        }
        let path = parts.percentEncodedPath
        target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    /// The value of the `Host` header.
    package var hostHeader: String {
        port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
    }
}
