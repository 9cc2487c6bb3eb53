import Foundation
import RealtimeVoice
import Testing

/// What a client makes of an upgrade response: the progress and what it left of the input.
private struct Answer: Equatable {
    var subprotocol: String?
    var error: RealtimeError?
    var rest = ""
}

private let nonce = Array("the sample nonce".utf8)
private let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

private func answer(_ response: String, end: WebSocketClientHandshake.End? = nil) throws -> Answer {
    var answers: [Answer] = []
    for size in [response.utf8.count, 1] {
        let url = try #require(URL(string: "ws://localhost"))
        let request = RealtimeConnectRequest(url: url, subprotocols: ["realtime", "other"])
        var handshake = try WebSocketClientHandshake(request, nonce: nonce)
        answers.append(answer(Array(response.utf8), size, &handshake, end))
    }
    #expect(answers[0].subprotocol == answers[1].subprotocol)
    #expect(answers[0].error == answers[1].error)
    return answers[0]
}

private func answer(
    _ response: [UInt8],
    _ size: Int,
    _ handshake: inout WebSocketClientHandshake,
    _ end: WebSocketClientHandshake.End?
) -> Answer {
    do throws(RealtimeError) {
        for start in stride(from: 0, to: response.count, by: size) {
            let piece = Array(response[start..<min(start + size, response.count)])
            let result: Result<Answer?, RealtimeError> = unsafe piece.withUnsafeBytes { bytes in
                var rest = unsafe bytes
                do throws(RealtimeError) {
                    guard case .open(let name) = try unsafe handshake.receive(&rest) else {
                        return .success(nil)
                    }
                    let left = unsafe String(decoding: rest, as: UTF8.self)
                    return .success(Answer(subprotocol: name, rest: left))
                } catch {
                    return .failure(error)
                }
            }
            if let answer = try result.get() { return answer }
        }
        guard let end else { return Answer(rest: "incomplete") }
        return Answer(error: handshake.end(end))
    } catch {
        return Answer(error: error)
    }
}

private func switching(_ lines: String...) -> String {
    (["HTTP/1.1 101 Switching Protocols"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
}

private func failure(_ reason: String) -> RealtimeError {
    RealtimeError(.handshakeFailed, "The server's answer to the upgrade is not valid: \(reason).")
}

private func refusal(_ status: Int, _ body: String, isRetryable: Bool = false) -> RealtimeError {
    RealtimeError(
        .httpStatus,
        status == 302
            ? "The server redirects the WebSocket upgrade, which is not followed."
            : "The server refused the WebSocket upgrade.",
        isRetryable: isRetryable,
        httpStatus: status,
        httpBody: body
    )
}

struct WebSocketClientHandshakeTests {
    private static let upgrade = "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade"
    private static let key = "Sec-WebSocket-Accept: \(accept)"

    @Test func writesTheRequest() throws {
        let url = try #require(URL(string: "wss://[::1]:8443/v1/a%20b?model=x%2Fy"))
        let request = RealtimeConnectRequest(
            url: url,
            headers: [("Authorization", "Bearer k"), ("X-Empty", "")],
            subprotocols: ["realtime", "openai-insecure-api-key.abc"]
        )
        let handshake = try WebSocketClientHandshake(request, nonce: nonce)
        #expect(
            String(decoding: handshake.requestBytes, as: UTF8.self) == """
                GET /v1/a%20b?model=x%2Fy HTTP/1.1\r
                Host: [::1]:8443\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.abc\r
                Authorization: Bearer k\r
                X-Empty: \r
                \r

                """
        )
    }

    @Test(arguments: [
        ("ws://a", "a", "/"), ("ws://a:80/x", "a", "/x"), ("wss://a:443", "a", "/"),
        ("wss://a:80?b=c", "a:80", "/?b=c"), ("WS://A.b:9/#frag", "A.b:9", "/"),
    ])
    func takesAddressesApart(text: String, host: String, target: String) throws {
        let address = try WebSocketAddress(try #require(URL(string: text)))
        #expect(address.hostHeader == host)
        #expect(address.target == target)
    }

    @Test(
        arguments: [
            ("http://a", [], []), ("ws://u:p@a", [], []), ("ws://a", ["a b"], []),
            ("ws://a", ["a", "a"], []), ("ws://a", [""], []), ("ws://a", [], ["X: a\r\nY: b"]),
            ("ws://a", [], ["Sec-WebSocket-Key: x"]), ("ws://a", [], ["Bad Name: x"]),
        ] as [(String, [String], [String])]
    )
    func refusesWhatCannotBeSent(url: String, subprotocols: [String], headers: [String]) throws {
        let request = RealtimeConnectRequest(
            url: try #require(URL(string: url)),
            headers: headers.map { line in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                return (parts[0], parts[1])
            },
            subprotocols: subprotocols
        )
        let error = #expect(throws: RealtimeError.self) {
            _ = try WebSocketClientHandshake(request, nonce: nonce)
        }
        #expect(error?.code == .invalidInput)
    }

    @Test func acceptsAProperSwitchAndLeavesTheFrames() throws {
        let plain = switching(Self.upgrade, Self.key)
        #expect(try answer(plain + "frames") == Answer(rest: "frames"))
        let chosen = switching(Self.upgrade, Self.key, "sec-websocket-protocol:  realtime ")
        #expect(try answer(chosen) == Answer(subprotocol: "realtime"))
        #expect(try answer("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + plain) == Answer())
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH", "the answer is not HTTP/1.1"),
        ("HTTP/1.0 101 x\r\n\r\n", "the answer is not HTTP/1.1"),
        ("HTTP/1.1 1x1 x\r\n\r\n", "the status line is malformed"),
        ("HTTP/1.1 101 x\nA: b\r\n\r\n", "a line does not end in CR LF"),
        (switching(upgrade, "A: b\r\n c"), "a malformed header line"),
        (switching("Bad Name: b"), "a malformed header line"),
        (switching(upgrade, "Sec-WebSocket-Accept: AAAA"), "the accept key is wrong"),
        (switching(upgrade), "the accept key is wrong"),
        (switching(upgrade, key, key), "the accept key is wrong"),
        (switching("Upgrade: websocket", key), "the Connection header is wrong"),
        (switching("Upgrade: h2c\r\nConnection: Upgrade", key), "the Upgrade header is wrong"),
        (
            switching(upgrade, key, "Sec-WebSocket-Protocol: soap"),
            "a subprotocol was chosen that was not offered"
        ),
        (
            switching(upgrade, key, "Sec-WebSocket-Extensions: permessage-deflate"),
            "an extension was chosen that was not offered"
        ),
    ])
    func refusesABrokenAnswer(response: String, reason: String) throws {
        #expect(try answer(response) == Answer(error: failure(reason)))
    }

    @Test(arguments: [
        ("HTTP/1.1 401 No\r\nContent-Length: 4\r\n\r\nnopeX", refusal(401, "nope")),
        (
            "HTTP/1.1 429 No\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            refusal(429, "abcde", isRetryable: true)
        ),
        ("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", refusal(500, "", isRetryable: true)),
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", refusal(302, "")),
        ("HTTP/1.1 204 No\r\n\r\n", refusal(204, "")),
    ])
    func reportsARefusalWithItsBody(response: String, error: RealtimeError) throws {
        #expect(try answer(response) == Answer(error: error))
    }

    @Test func boundsWhatItReads() throws {
        let long = switching("A: " + String(repeating: "b", count: 70_000))
        #expect(try answer(long) == Answer(error: failure("the head is too large")))
        let many = switching(String(repeating: "A: b\r\n", count: 300) + "C: d")
        #expect(try answer(many) == Answer(error: failure("too many headers")))
        let body = String(repeating: "x", count: 20_000)
        #expect(
            try answer("HTTP/1.1 403 No\r\n\r\n" + body)
                == Answer(error: refusal(403, String(body.prefix(16_384))))
        )
    }

    /// Damaged answers must end in the same way whole and byte by byte, which `answer` checks.
    @Test func mutatedAnswersAreReadAlikeInAnyPieces() throws {
        var random = SeededGenerator(seed: 5)
        let sound = [
            switching(Self.upgrade, Self.key, "Sec-WebSocket-Protocol: realtime"),
            "HTTP/1.1 429 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        ]
        for _ in 0..<3_000 {
            var bytes = Array((sound.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = .random(in: 0..<0x80, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(.random(in: 0..<0x80, using: &random), at: index)
                }
            }
            let end: WebSocketClientHandshake.End = .endOfFile
            _ = try answer(String(decoding: bytes, as: UTF8.self), end: end)
        }
    }

    @Test func reportsWhatIsKnownAtTheEnd() throws {
        let cut = "HTTP/1.1 404 No\r\nContent-Length: 100\r\n\r\npart"
        #expect(try answer(cut, end: .endOfFile) == Answer(error: refusal(404, "part")))
        #expect(try answer(cut, end: .timeout) == Answer(error: refusal(404, "part")))
        #expect(try answer("HTTP/1.1 10", end: .timeout).error?.code == .timeout)
        #expect(try answer("HTTP/1.1 10", end: .endOfFile).error?.code == .handshakeFailed)
    }
}

struct WebSocketServerHandshakeTests {
    private static let headers: [(name: String, value: String)] = [
        ("host", "x"), ("upgrade", "websocket"), ("connection", "keep-alive, Upgrade"),
        ("sec-websocket-version", "13"), ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("sec-websocket-protocol", "a, b"), ("sec-websocket-protocol", "c"),
    ]

    @Test func answersAnUpgrade() throws {
        let handshake = try WebSocketServerHandshake(method: "GET", headers: Self.headers)
        #expect(handshake.offeredSubprotocols == ["a", "b", "c"])
        #expect(
            String(decoding: handshake.responseBytes(subprotocol: "b"), as: UTF8.self) == """
                HTTP/1.1 101 Switching Protocols\r
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Accept: \(accept)\r
                Sec-WebSocket-Protocol: b\r
                \r

                """
        )
    }

    @Test(arguments: [
        ("POST", "host", "x", 405), ("GET", "upgrade", "h2c", 426),
        ("GET", "connection", "close", 426), ("GET", "sec-websocket-version", "8", 426),
        ("GET", "sec-websocket-key", "short", 400), ("GET", "sec-websocket-protocol", "a b", 400),
    ])
    func refuses(method: String, name: String, value: String, status: Int) {
        let headers = Self.headers.map { $0.name == name ? (name, value) : $0 }
        let refusal = #expect(throws: WebSocketServerHandshake.Refusal.self) {
            try WebSocketServerHandshake(method: method, headers: headers)
        }
        #expect(refusal?.status == status)
    }
}
