import Foundation
import RealtimeVoice
import Testing

/// How connections open, or fail to, over real sockets.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: PeerServers.canRun, "python3 and openssl are needed for the peers")
)
struct TransportHandshakeTests {
    private func open(
        _ path: String,
        on name: String = "raw",
        scheme: String = "ws",
        host: String = "127.0.0.1",
        change: (inout RealtimeConnectRequest) -> Void = { _ in }
    ) async throws -> Link {
        let url = try await PeerServers.shared.url(path, on: name, scheme: scheme, host: host)
        var request = RealtimeConnectRequest(url: url)
        change(&request)
        return Link.open(request)
    }

    private func failure(_ link: Link) async throws -> RealtimeError {
        let events = await link.rest()
        #expect(events.count == 1)
        return try #require(events.first?.failure)
    }

    @Test func bytesMayTrickle() async throws {
        let link = try await open("/trickle")
        #expect(
            await link.rest() == [
                .opened(subprotocol: nil), .text("h\u{E9}llo"), .pong, .text("ab"), .closed(1000),
            ]
        )
    }

    @Test func framesMayComeWithTheSwitch() async throws {
        let link = try await open("/early")
        #expect(
            await link.rest() == [
                .opened(subprotocol: nil), .text("one"),
                .received(RealtimeFrame(kind: .binary, bytes: Array("two".utf8))),
                .closed(1000, "bye"),
            ]
        )
    }

    @Test func theRequestCarriesHeadersSubprotocolsAndTheWholeTarget() async throws {
        let query = String(repeating: "x", count: 3_000)
        let subprotocols = ["realtime", "secret." + String(repeating: "k", count: 320)]
        let link = try await open("/request?q=\(query)") { request in
            request.headers = [("Authorization", "Bearer k"), ("X-Other", "a, b")]
            request.subprotocols = subprotocols
        }
        #expect(await link.next() == .opened(subprotocol: nil))
        guard case .received(let frame) = await link.next() else {
            Issue.record("no request")
            return
        }
        let head = String(decoding: frame.bytes, as: UTF8.self)
        #expect(head.hasPrefix("GET /request?q=\(query) HTTP/1.1\r\n"))
        #expect(head.contains("\r\nAuthorization: Bearer k\r\nX-Other: a, b\r\n"))
        let offer = subprotocols.joined(separator: ", ")
        #expect(head.contains("\r\nSec-WebSocket-Protocol: \(offer)\r\n"))
    }

    @Test(arguments: ["/wrong-accept", "/unoffered", "/garbage", "/hangup"])
    func aWrongAnswerFails(path: String) async throws {
        let link = try await open(path) { $0.subprotocols = ["realtime"] }
        #expect(try await failure(link).code == .handshakeFailed)
    }

    @Test(arguments: [301, 302, 401, 403, 404, 429, 500, 503])
    func aRefusalHasStatusAndBody(status: Int) async throws {
        let error = try await failure(try await open("/status?code=\(status)&key=secret"))
        let expected = RealtimeError(
            .httpStatus,
            status < 400
                ? "The server redirects the WebSocket upgrade, which is not followed."
                : "The server refused the WebSocket upgrade.",
            isRetryable: [429, 500, 503].contains(status),
            httpStatus: status,
            httpBody: #"{"error":{"message":"no"}}"#
        )
        #expect(error == expected)
    }

    @Test(arguments: [("raw", "ws"), ("stuck", "wss")])
    func aSilentServerTimesOut(name: String, scheme: String) async throws {
        let link = try await open("/silent", on: name, scheme: scheme) { request in
            request.timeout = .milliseconds(200)
        }
        let error = try await failure(link)
        #expect(error.code == .timeout)
        #expect(error.isRetryable)
    }

    @Test func aRefusedConnectionFails() async throws {
        let error = try await failure(try await open("/", on: "refused"))
        #expect(error.code == .connectFailed)
        #expect(error.isRetryable)
    }

    @Test func anUnknownHostFails() async throws {
        let link = try await open("/", host: "no-such-host.invalid")
        #expect(try await failure(link).code == .connectFailed)
    }

    @Test(arguments: ["http://127.0.0.1/", "ws://user:pw@127.0.0.1/"])
    func anAddressThatCannotBeUsedFails(address: String) async throws {
        let url = try #require(URL(string: address))
        let link = Link.open(RealtimeConnectRequest(url: url))
        #expect(try await failure(link).code == .invalidInput)
    }

    @Test(arguments: ["[::1]", "localhost"])
    func otherNamesOfThisHostWork(host: String) async throws {
        let link = try await open("/early", host: host)
        #expect(await link.rest().count == 4)
    }

    // MARK: TLS

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]"])
    func theGivenAuthorityIsTrusted(host: String) async throws {
        let authority = try await PeerServers.shared.authority
        let link = try await open("/early", on: "good", scheme: "wss", host: host) { request in
            request.certificateAuthorityFile = authority
        }
        #expect(
            await link.rest().map(\.close).last
                == RealtimeClose(code: 1000, reason: "bye", isClean: true)
        )
    }

    @Test(arguments: ["wrong", "expired", "self"])
    func aBadCertificateFails(name: String) async throws {
        let authority = try await PeerServers.shared.authority
        let link = try await open("/early", on: name, scheme: "wss") { request in
            request.certificateAuthorityFile = authority
        }
        let error = try await failure(link)
        #expect(error.code == .tlsFailed)
        #expect(!error.isRetryable)
    }

    @Test func theSystemDoesNotTrustOurAuthority() async throws {
        let link = try await open("/early", on: "good", scheme: "wss")
        #expect(try await failure(link).code == .tlsFailed)
    }

    @Test func aMissingAuthorityFileFails() async throws {
        let link = try await open("/early", on: "good", scheme: "wss") { request in
            request.certificateAuthorityFile = "/nowhere/ca.pem"
        }
        #expect(try await failure(link).code == .tlsFailed)
    }

    @Test func aServerWithoutTLSFails() async throws {
        let link = try await open("/early", scheme: "wss")
        #expect(try await failure(link).code == .tlsFailed)
    }

    // MARK: Proxy

    @Test(arguments: [("proxy", ""), ("proxyLogin", "user:pa%20ss@")])
    func aProxyIsUsed(name: String, login: String) async throws {
        let port = try await PeerServers.shared.port(name)
        let url = try #require(URL(string: "ws://far.invalid/early"))
        let request = RealtimeConnectRequest(
            url: url,
            proxy: "http://\(login)127.0.0.1:\(port)"
        )
        #expect(await Link.open(request).rest().count == 4)
    }

    @Test func tlsGoesThroughAProxy() async throws {
        let servers = try await PeerServers.shared
        let port = try servers.port("proxyLogin")
        let request = RealtimeConnectRequest(
            url: try servers.url("/early", on: "good", scheme: "wss", host: "localhost"),
            certificateAuthorityFile: servers.authority,
            proxy: "http://user:pa%20ss@127.0.0.1:\(port)"
        )
        #expect(await Link.open(request).rest().count == 4)
    }

    @Test(arguments: ["", "user:wrong@"])
    func aProxyMayWantAnotherLogin(login: String) async throws {
        let port = try await PeerServers.shared.port("proxyLogin")
        let url = try #require(URL(string: "ws://far.invalid/early"))
        let request = RealtimeConnectRequest(
            url: url,
            proxy: "http://\(login)127.0.0.1:\(port)"
        )
        let error = try await failure(Link.open(request))
        #expect(error.code == .connectFailed)
        #expect(error.httpStatus == 407)
        #expect(!error.isRetryable)
    }
}
