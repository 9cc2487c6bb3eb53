import RealtimeVoice
import Testing

@testable import RealtimeVoiceServer

struct RoutesTests {
    private static let upgradeHeaders: [(name: String, value: String)] = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]

    private func upgrade(
        _ extra: [(name: String, value: String)],
        query: [String: String] = ["model": "gpt-realtime"]
    ) -> HTTPRequest {
        HTTPRequest(
            method: "GET", path: "/v1/realtime", query: query,
            headers: Self.upgradeHeaders + extra)
    }

    private func mint(_ body: String, key: String? = "k") -> HTTPRequest {
        HTTPRequest(
            method: "POST", path: "/v1/realtime/client_secrets",
            headers: key.map { [("Authorization", "Bearer \($0)")] } ?? [],
            body: Array(body.utf8))
    }

    private func response(_ reply: Routes.Reply) -> HTTPResponse? {
        if case .respond(let response) = reply { response } else { nil }
    }

    private func status(_ reply: Routes.Reply) -> Int {
        response(reply)?.status ?? 101
    }

    @Test(arguments: [
        ("GET", "/healthz", 200), ("GET", "/nothing", 404), ("POST", "/healthz", 405),
        ("GET", "/v1/realtime/client_secrets", 405), ("GET", "/v1/realtime", 426),
    ])
    func plainRequests(method: String, path: String, expected: Int) {
        var routes = Routes(apiKey: nil, seed: 1)
        let reply = response(routes.reply(to: HTTPRequest(method: method, path: path), now: 0))
        #expect(reply?.status == expected)
        #expect((reply?.body["error"]?["message"] == nil) == (expected == 200))
    }

    @Test func anUpgradeNeedsAKey() {
        var routes = Routes(apiKey: nil, seed: 1)
        let any = ("Authorization", "Bearer anything")
        #expect(status(routes.reply(to: upgrade([]), now: 0)) == 401)
        #expect(status(routes.reply(to: upgrade([any]), now: 0)) == 101)
        #expect(status(routes.reply(to: upgrade([any], query: [:]), now: 0)) == 400)
        var strict = Routes(apiKey: "right", seed: 1)
        let refusal = response(strict.reply(to: upgrade([any]), now: 0))
        #expect(refusal?.status == 401)
        #expect(refusal?.body["error"]?["code"] == "invalid_api_key")
        #expect(
            status(strict.reply(to: upgrade([("authorization", "bearer right")]), now: 0)) == 101)
    }

    @Test(arguments: [
        ("http://localhost:5173", 101), ("http://127.0.0.1", 101), ("http://[::1]:80", 101),
        ("https://evil.example", 403), ("http://localhost.evil.example", 403), ("null", 403),
    ])
    func pagesFromElsewhereAreRefused(origin: String, expected: Int) {
        var routes = Routes(apiKey: nil, seed: 1)
        let headers = [("Authorization", "Bearer anything"), ("Origin", origin)]
        #expect(status(routes.reply(to: upgrade(headers), now: 0)) == expected)
    }

    @Test func theSubprotocolMayCarryTheKey() {
        var routes = Routes(apiKey: "right", seed: 1)
        let offer = ("Sec-WebSocket-Protocol", "realtime, openai-insecure-api-key.right, x.1")
        guard case .upgrade(let headers, _) = routes.reply(to: upgrade([offer]), now: 0) else {
            Issue.record("no upgrade")
            return
        }
        #expect(headers.first { $0.name == "Sec-WebSocket-Protocol" }?.value == "realtime")
        let both = [offer, ("Authorization", "Bearer right")]
        #expect(status(routes.reply(to: upgrade(both), now: 0)) == 400)
    }

    @Test func aSecretOpensSessionsWithItsConfigurationUntilItExpires() throws {
        var routes = Routes(apiKey: "right", seed: 1)
        let body = """
            {"expires_after":{"anchor":"created_at","seconds":60},
             "session":{"type":"realtime","model":"gpt-realtime-2.1","instructions":"Be brief.",
             "audio":{"output":{"voice":"marin"}}}}
            """
        let reply = response(routes.reply(to: mint(body, key: "right"), now: 1_000))
        #expect(reply?.status == 200)
        #expect(reply?.body["expires_at"] == 1_060)
        #expect(reply?.body["session"]?["expires_at"] == 0)
        #expect(reply?.body["session"]?["model"] == "gpt-realtime-2.1")
        #expect(reply?.body["session"]?["id"]?.stringValue?.hasPrefix("sess_") == true)
        let secret = try #require(reply?.body["value"]?.stringValue)
        #expect(secret.hasPrefix("ek_"))
        let request = upgrade([("Authorization", "Bearer \(secret)")])
        guard case .upgrade(_, let settings) = routes.reply(to: request, now: 1_059) else {
            Issue.record("no upgrade")
            return
        }
        #expect(settings.instructions == "Be brief.")
        #expect(settings.value["audio"]?["output"]?["voice"] == "marin")
        #expect(status(routes.reply(to: request, now: 1_060)) == 401)
        #expect(status(routes.reply(to: mint("{}", key: secret), now: 1_000)) == 401)
    }

    @Test(
        arguments: [
            ("", 200, nil), ("{}", 200, nil), ("[]", 400, "invalid_json"),
            ("{", 400, "invalid_json"),
            (#"{"expires_after":{"seconds":60}}"#, 400, "missing_required_parameter"),
            (
                #"{"expires_after":{"anchor":"created_at","seconds":9}}"#, 400, "invalid_value"
            ),
            (
                #"{"expires_after":{"anchor":"created_at","seconds":7201}}"#, 400, "invalid_value"
            ),
            (#"{"session":{}}"#, 400, "missing_required_parameter"),
            (#"{"session":{"type":"realtime","foo":1}}"#, 400, "unknown_parameter"),
            (#"{"foo":1}"#, 400, "unknown_parameter"),
        ] as [(String, Int, String?)])
    func secretRequestsAreChecked(body: String, expected: Int, code: String?) {
        var routes = Routes(apiKey: nil, seed: 1)
        let reply = response(routes.reply(to: mint(body), now: 0))
        #expect(reply?.status == expected)
        #expect(reply?.body["error"]?["code"]?.stringValue == code)
        #expect(status(routes.reply(to: mint(body, key: nil), now: 0)) == 401)
    }
}
