import Foundation

/// The client's side of the upgrade: makes the request and checks the response.
///
/// What the server may do wrong is thrown as `handshakeFailed`; a refusal as `httpStatus` with
/// the status and the beginning of the body.
package struct WebSocketClientHandshake: ~Copyable, Sendable {
    /// Why no more of the response comes.
    package enum End: Sendable, Hashable {
        case endOfFile
        case timeout
    }

    /// How far the handshake is.
    package enum Progress: Sendable, Hashable {
        case incomplete
        case open(subprotocol: String?)
    }

    private enum State: Sendable {
        case readingHead(WebSocketHTTPHeadReader)
        case readingBody(status: Int, WebSocketHTTPBody)
    }

    private static let ownHeaders: Set<String> = [
        "host", "upgrade", "connection", "sec-websocket-key", "sec-websocket-version",
        "sec-websocket-protocol", "sec-websocket-extensions", "content-length",
        "transfer-encoding",
    ]

    /// The upgrade request, whole. Carries secrets: never logged.
    package let requestBytes: [UInt8]
    private let acceptKey: String
    private let subprotocols: [String]
    private var state = State.readingHead(WebSocketHTTPHeadReader())

    /// Makes the request, with 16 random bytes as the nonce.
    ///
    /// - Throws: `invalidInput` where the URL, a header or a subprotocol can't be sent.
    package init(_ request: RealtimeConnectRequest, nonce: [UInt8]) throws(RealtimeError) {
        assert(nonce.count == 16)
        let address = try WebSocketAddress(request.url)
        let key = Data(nonce).base64EncodedString()
        var lines = [
            "GET \(address.target) HTTP/1.1", "Host: \(address.hostHeader)",
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)",
            "Sec-WebSocket-Version: 13",
        ]
        if !request.subprotocols.isEmpty {
            try Self.check(subprotocols: request.subprotocols)
            let offer = request.subprotocols.joined(separator: ", ")
            lines.append("Sec-WebSocket-Protocol: \(offer)")
        }
        for header in request.headers {
            try Self.check(header)
            lines.append("\(header.name): \(header.value)")
        }
        requestBytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        acceptKey = WebSocketAcceptKey.make(key: key)
        subprotocols = request.subprotocols
    }

    private static func check(subprotocols: [String]) throws(RealtimeError) {
        guard subprotocols.allSatisfy({ WebSocketHTTPHead.isToken($0.utf8) }) else {
            throw RealtimeError(.invalidInput, "A subprotocol has a character that can't be sent.")
        }
        guard Set(subprotocols).count == subprotocols.count else {
            throw RealtimeError(.invalidInput, "A subprotocol is offered twice.")
        }
    }

    private static func check(
        _ header: (name: String, value: String)
    ) throws(RealtimeError) {
        guard WebSocketHTTPHead.isToken(header.name.utf8),
            header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { throw RealtimeError(.invalidInput, "A header has a character that can't be sent.") }
        guard !ownHeaders.contains(header.name.lowercased()) else {
            throw RealtimeError(.invalidInput, "The header \(header.name) can't be set.")
        }
    }

    /// Takes bytes of the response from the front of the input; what follows the head stays.
    ///
    /// - Returns: `open`, with the subprotocol if the server chose one, or `incomplete`.
    package mutating func receive(
        _ input: inout UnsafeRawBufferPointer
    ) throws(RealtimeError) -> Progress {
        while true {
            switch state {
            case .readingHead(var reader):
                guard let head = try unsafe readHead(&reader, &input) else {
                    state = .readingHead(reader)
                    return .incomplete
                }
                let status = try Self.status(head.firstLine)
                if status == 101 {
                    return .open(subprotocol: try checkSwitch(head))
                }
                // 100 to 199 announce that the real response follows.
                state =
                    status < 200
                    ? .readingHead(WebSocketHTTPHeadReader())
                    : .readingBody(status: status, try WebSocketHTTPBody(head, status: status))
            case .readingBody(let status, var body):
                let isComplete = unsafe body.receive(&input)
                state = .readingBody(status: status, body)
                guard !isComplete else { throw Self.refusal(status, body.text) }
                return .incomplete
            }
        }
    }

    private func readHead(
        _ reader: inout WebSocketHTTPHeadReader,
        _ input: inout UnsafeRawBufferPointer
    ) throws(RealtimeError) -> WebSocketHTTPHead? {
        do throws(WebSocketHTTPHead.Malformed) {
            return try unsafe reader.next(&input, start: "HTTP/1.1 ")
        } catch {
            throw Self.failure(error.reason)
        }
    }

    /// Ends the handshake without a complete response.
    package func end(_ end: End) -> RealtimeError {
        switch (state, end) {
        case (.readingBody(let status, let body), _):
            Self.refusal(status, body.text)
        case (.readingHead, .timeout):
            RealtimeError(.timeout, "The server did not answer in time.", isRetryable: true)
        case (.readingHead, .endOfFile):
            RealtimeError(
                .handshakeFailed,
                "The server closed the connection before it answered the upgrade.",
                isRetryable: true
            )
        }
    }

    private static func status(_ line: String) throws(RealtimeError) -> Int {
        let digits = line.utf8.dropFirst("HTTP/1.1 ".utf8.count).prefix { $0 != 0x20 }
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let status = Int(String(decoding: digits, as: UTF8.self)), status >= 100
        else { throw failure("the status line is malformed") }
        return status
    }

    private func checkSwitch(_ head: WebSocketHTTPHead) throws(RealtimeError) -> String? {
        let upgrade = head.values("Upgrade").map { $0.lowercased() }
        guard upgrade == ["websocket"] else { throw Self.failure("the Upgrade header is wrong") }
        let connection = WebSocketHTTPHead.list("Connection", in: head.headers)
        guard connection.contains(where: { $0.lowercased() == "upgrade" }) else {
            throw Self.failure("the Connection header is wrong")
        }
        guard head.values("Sec-WebSocket-Accept") == [acceptKey] else {
            throw Self.failure("the accept key is wrong")
        }
        guard head.values("Sec-WebSocket-Extensions").isEmpty else {
            throw Self.failure("an extension was chosen that was not offered")
        }
        let chosen = head.values("Sec-WebSocket-Protocol")
        guard let subprotocol = chosen.first else { return nil }
        guard chosen.count == 1, subprotocols.contains(subprotocol) else {
            throw Self.failure("a subprotocol was chosen that was not offered")
        }
        return subprotocol
    }

    private static func failure(_ reason: String) -> RealtimeError {
        RealtimeError(
            .handshakeFailed,
            "The server's answer to the upgrade is not valid: \(reason)."
        )
    }

    private static func refusal(_ status: Int, _ body: String) -> RealtimeError {
        RealtimeError(
            .httpStatus,
            (300...399).contains(status)
                ? "The server redirects the WebSocket upgrade, which is not followed."
                : "The server refused the WebSocket upgrade.",
            isRetryable: status == 408 || status == 429 || status >= 500,
            httpStatus: status,
            httpBody: body
        )
    }
}
