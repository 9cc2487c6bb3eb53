import Foundation

/// The server's side of the upgrade: checks the request's headers and makes the response's.
package struct WebSocketServerHandshake: Sendable, Hashable {
    /// The HTTP answer to a request that is no proper upgrade.
    package struct Refusal: Error, Sendable, Hashable {
        /// 400, 405 or 426.
        package var status: Int
        /// One sentence for the body.
        package var message: String

        /// Headers that the refusal must carry.
        package var headers: [(name: String, value: String)] {
            status == 426
                ? [("Upgrade", "websocket"), ("Connection", "Upgrade"), version]
                : status == 405 ? [("Allow", "GET")] : [version]
        }

        private var version: (name: String, value: String) { ("Sec-WebSocket-Version", "13") }
    }

    /// The subprotocols that the client offers, in its order.
    package let offeredSubprotocols: [String]
    /// The value for `Sec-WebSocket-Accept`.
    package let acceptKey: String

    /// Whether a request asks for a WebSocket at all.
    package static func isUpgrade(_ headers: [(name: String, value: String)]) -> Bool {
        WebSocketHTTPHead.list("Upgrade", in: headers).contains { $0.lowercased() == "websocket" }
    }

    /// Checks an upgrade request.
    package init(
        method: String,
        headers: [(name: String, value: String)]
    ) throws(Refusal) {
        guard method == "GET" else {
            throw Refusal(status: 405, message: "A WebSocket upgrade is a GET request.")
        }
        let connection = WebSocketHTTPHead.list("Connection", in: headers)
        guard Self.isUpgrade(headers), connection.contains(where: { $0.lowercased() == "upgrade" })
        else { throw Refusal(status: 426, message: "This address speaks WebSocket.") }
        guard WebSocketHTTPHead.values("Sec-WebSocket-Version", in: headers) == ["13"] else {
            throw Refusal(status: 426, message: "Only WebSocket version 13 is supported.")
        }
        let keys = WebSocketHTTPHead.values("Sec-WebSocket-Key", in: headers)
        guard keys.count == 1, Data(base64Encoded: keys[0])?.count == 16 else {
            throw Refusal(status: 400, message: "The Sec-WebSocket-Key is not valid.")
        }
        let offered = WebSocketHTTPHead.list("Sec-WebSocket-Protocol", in: headers)
        guard offered.allSatisfy({ WebSocketHTTPHead.isToken($0.utf8) }) else {
            throw Refusal(status: 400, message: "A subprotocol name is not valid.")
        }
        offeredSubprotocols = offered
        acceptKey = WebSocketAcceptKey.make(key: keys[0])
    }

    /// The headers of the 101 response, without `Connection: Upgrade`, which HTTP servers add.
    ///
    /// The subprotocol is one of those offered, or nil for none.
    package func responseHeaders(subprotocol: String?) -> [(name: String, value: String)] {
        assert(subprotocol.map(offeredSubprotocols.contains) ?? true)
        var headers = [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", acceptKey)]
        if let subprotocol {
            headers.append(("Sec-WebSocket-Protocol", subprotocol))
        }
        return headers.map { (name: $0.0, value: $0.1) }
    }

    /// The whole 101 response, for a server that has only the socket.
    package func responseBytes(subprotocol: String?) -> [UInt8] {
        var text = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
        for header in responseHeaders(subprotocol: subprotocol) {
            text += "\(header.name): \(header.value)\r\n"
        }
        return Array("\(text)\r\n".utf8)
    }
}
