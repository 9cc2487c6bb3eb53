import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Synchronization
import Testing

@testable import RealtimeVoiceServer

/// A session that asks an app's own server for its secret, over real HTTP.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TokenEndpointTests {
    private let provider = ScriptedProvider()

    /// Answers every request alike while the body runs, and keeps what was asked.
    private func withEndpoint(
        _ reply: HTTPResponse, before: @escaping @Sendable () -> Void = {},
        _ body: (URL, () -> HTTPRequest?) async throws -> Void
    ) async throws {
        let asked = Mutex<HTTPRequest?>(nil)
        let http = try MicroHTTPServer(host: "127.0.0.1", port: 0, identity: nil) { request in
            asked.withLock { $0 = request }
            before()
            return .respond(reply)
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(http.port)/token"))
        let result: Result<Void, any Error>
        do {
            try await body(url) { asked.withLock { $0 } }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await RawClient.onThread { http.stop() }
        try result.get()
    }

    private func session(_ config: RealtimeSessionConfig = RealtimeSessionConfig())
        -> RealtimeSession
    {
        RealtimeSession(
            model: provider.model, sessionConfig: config, options: provider.options())
    }

    private static let secret: JSONValue = [
        "token": "ek_1", "url": "ws://scripted/v1/realtime", "expiresAt": 2_000_000_000,
    ]

    @Test func theSecretOfTheReplyConnects() async throws {
        try await withEndpoint(HTTPResponse(status: 200, body: Self.secret)) { url, asked in
            let session = session(RealtimeSessionConfig(instructions: "Be brief."))
            try await session.connect(tokenEndpoint: url, headers: ["X-Login": "me"])
            let update = try await provider.configure()
            #expect(update["session"]?["instructions"] == "Be brief.")
            #expect(update["session"]?["tools"]?.arrayValue?.isEmpty ?? true)
            let request = try #require(asked())
            #expect(request.method == "POST")
            #expect(request.header("X-Login") == "me")
            let body = try JSONValue(parsing: request.body)
            #expect(body["sessionConfig"]?["instructions"] == "Be brief.")
            #expect(provider.current?.request.url.absoluteString.contains("ek_1") == false)
            session.disconnect()
        }
    }

    @Test func theToolsOfTheReplyJoinTheSession() async throws {
        var reply = Self.secret.objectValue ?? [:]
        reply["tools"] = [
            ["type": "function", "name": "lookUp", "parameters": ["type": "object"]]
        ]
        try await withEndpoint(HTTPResponse(status: 200, body: .object(reply))) { url, _ in
            let own = RealtimeToolDefinition(name: "getTime")
            let session = session(RealtimeSessionConfig(tools: [own]))
            try await session.connect(tokenEndpoint: url)
            let tools = try await provider.configure()["session"]?["tools"]?.arrayValue
            #expect(tools?.map { $0["name"]?.stringValue } == ["getTime", "lookUp"])
            session.disconnect()
        }
    }

    @Test func aRefusalIsThrownAndShownWithItsBody() async throws {
        let refusal = HTTPResponse(status: 403, body: ["error": ["message": "no such user"]])
        try await withEndpoint(refusal) { url, _ in
            let session = session()
            var reported: [RealtimeError] = []
            session.onError = { reported.append($0) }
            let error = await #expect(throws: RealtimeError.self) {
                try await session.connect(tokenEndpoint: url)
            }
            #expect(error?.code == .httpStatus)
            #expect(error?.httpStatus == 403)
            #expect(error?.httpBody?.contains("no such user") == true)
            #expect(error?.message == "no such user")
            #expect(error?.isRetryable == false)
            #expect(reported == [error])
            #expect(session.status == error.map { .failed($0) })
        }
    }

    @Test func aReplyWithoutASecretIsAFailure() async throws {
        try await withEndpoint(HTTPResponse(status: 200, body: ["token": ""])) { url, _ in
            let session = session()
            let error = await #expect(throws: RealtimeError.self) {
                try await session.connect(tokenEndpoint: url)
            }
            #expect(error?.code == .decodingFailed)
        }
    }

    @Test func disconnectingEndsTheFetchAndConnectsNothing() async throws {
        let (arrived, arrive) = AsyncStream<Void>.makeStream()
        let mayAnswer = DispatchSemaphore(value: 0)
        let reply = HTTPResponse(status: 200, body: Self.secret)
        try await withEndpoint(
            reply,
            before: {
                // Holds up the endpoint's own thread.
                arrive.yield()
                mayAnswer.wait()
            },
            { url, _ in
                let session = session()
                let connecting = Task {
                    await #expect(throws: RealtimeError.self) {
                        try await session.connect(tokenEndpoint: url)
                    }
                }
                for await _ in arrived { break }
                #expect(session.status == .connecting)
                session.disconnect()
                #expect(session.status == .disconnected)
                #expect(await connecting.value?.code == .cancelled)
                mayAnswer.signal()
                // A connection of the fetch would be the first; this one is.
                session.connect(secret: provider.secret)
                try await provider.configure()
                #expect(
                    provider.current?.request.subprotocols.contains { $0.contains("ek_1") } == false
                )
                session.disconnect()
            })
    }
}
