import Foundation
import RealtimeVoiceTesting
import Testing

@testable import RealtimeVoice

/// However a session ends, nothing of it stays behind.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LeakTests {
    private let provider = ScriptedProvider()

    /// How the life of a session ends, once it is connected.
    enum Ending: Sendable, CaseIterable {
        case disconnect
        /// The app lets go of it without a word.
        case release
        case closedByServer
        case secondConnectThenRelease
    }

    private static let call: [JSONValue] = [
        ["type": "response.created", "response": ["id": "r"]],
        [
            "type": "response.function_call_arguments.done", "response_id": "r",
            "item_id": "f", "call_id": "c", "name": "wait", "arguments": "{}",
        ],
    ]

    /// A session whose closures all capture something, with what must go away with it.
    private func makeSession(
        _ transport: WatchingTransport, toolStarted: @escaping @Sendable () -> Void = {}
    ) -> (session: RealtimeSession, watched: [Watched]) {
        struct Nothing: Decodable {}
        let tokens = ["onToolCall", "tool", "onEvent", "onError", "onInterruption"].map {
            (name: $0, token: Token())
        }
        let (handler, body) = (tokens[0].token, tokens[1].token)
        let (onEvent, onError, onInterruption) = (
            tokens[2].token, tokens[3].token, tokens[4].token
        )
        let tool = RealtimeTool(name: "wait", parameters: .object([:])) { (_: Nothing) in
            toolStarted()
            // Ends when it is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            body.touch()
            return "late"
        }
        let session = RealtimeSession(
            model: provider.model, tools: [tool],
            options: RealtimeConnectionOptions(transport: transport)
        ) { _ in
            handler.touch()
            return nil
        }
        session.onEvent = { _ in onEvent.touch() }
        session.onError = { _ in onError.touch() }
        session.onInterruption = { _ in onInterruption.touch() }
        return (
            session, [Watched("session", session)] + tokens.map { Watched($0.name, $0.token) }
        )
    }

    /// Lives one life of a session; nothing but what is watched leaves this function.
    private func live(
        _ ending: Ending, runsTool: Bool, isHeard: Bool
    ) async throws -> (watched: [Watched], consumers: [Task<Void, Never>]) {
        let transport = WatchingTransport(provider.transport)
        let (started, start) = AsyncStream<Void>.makeStream()
        var (session, watched) = makeSession(transport) { start.yield() }
        session.connect(secret: provider.secret)
        var consumers: [Task<Void, Never>] = []
        if isHeard {
            let output = session.audioOutput
            consumers.append(Task { for await _ in output {} })
            let updates = try #require(session.link.connection).updates
            consumers.append(Task { for await _ in updates {} })
        }
        try await provider.configure()
        #expect(await eventually { session.status == .connected })
        watched.append(Watched("connection", session.link.connection))
        if runsTool {
            provider.send(Self.call)
            for await _ in started { break }
        }
        switch ending {
        case .disconnect: session.disconnect()
        case .release: break
        case .closedByServer:
            provider.current?.close(code: 1001)
            #expect(await eventually { session.status != .connected })
        case .secondConnectThenRelease:
            session.connect(secret: provider.secret)
            try await provider.configure()
            watched.append(Watched("second connection", session.link.connection))
        }
        watched += transport.channels
        return (watched, consumers)
    }

    @Test(arguments: Ending.allCases, [false, true])
    func nothingStays(ending: Ending, runsTool: Bool) async throws {
        let (watched, _) = try await live(ending, runsTool: runsTool, isHeard: false)
        #expect(watched.count >= 8)
        await Watched.expectGone(watched)
    }

    @Test(arguments: Ending.allCases)
    func consumersEndAndHoldNothing(ending: Ending) async throws {
        let (watched, consumers) = try await live(ending, runsTool: true, isHeard: true)
        for consumer in consumers { await consumer.value }
        await Watched.expectGone(watched)
    }

    @Test(arguments: [false, true])
    func nothingStaysOfARefusedConnection(disconnects: Bool) async throws {
        func live() async -> [Watched] {
            let transport = WatchingTransport(provider.transport)
            let (session, watched) = makeSession(transport)
            session.connect(secret: provider.secret)
            let refusal = RealtimeError(.httpStatus, "no", httpStatus: 401)
            await provider.transport.nextConnection()?.refuse(refusal)
            #expect(await eventually { session.status == .failed(refusal) })
            if disconnects { session.disconnect() }
            return watched + [Watched("connection", session.link.connection)]
                + transport.channels
        }
        await Watched.expectGone(await live())
    }

    @Test func aConsumerOfASessionThatNeverConnectsEnds() async {
        func live() -> (Task<Void, Never>, [Watched]) {
            let (session, watched) = makeSession(WatchingTransport(provider.transport))
            let output = session.audioOutput
            return (Task { for await _ in output {} }, watched)
        }
        let (consumer, watched) = live()
        await consumer.value
        await Watched.expectGone(watched)
    }

    @Test func aCancelledConsumerEndsAloneWhereSeveralWait() async throws {
        let (session, _) = makeSession(WatchingTransport(provider.transport))
        let output = session.audioOutput
        let cancelled = Task { for await _ in output {} }
        let other = Task { () -> RealtimeAudioChunk? in
            for await chunk in output { return chunk }
            return nil
        }
        // Time to begin to wait; a task that is late is right all the same.
        for _ in 0..<100 { await Task.yield() }
        cancelled.cancel()
        await cancelled.value
        session.connect(secret: provider.secret)
        try await provider.configure()
        provider.send([
            ["type": "response.created", "response": ["id": "r"]],
            [
                "type": "response.output_audio.delta", "response_id": "r", "item_id": "i",
                "content_index": 0, "delta": "AAAA",
            ],
        ])
        #expect(await other.value != nil)
        session.disconnect()
    }

    @Test func aConnectionWithoutASessionGoesToo() async throws {
        func live() async throws -> [Watched] {
            let transport = WatchingTransport(provider.transport)
            let token = Token()
            let connection = RealtimeConnection(
                model: provider.model, config: RealtimeSessionConfig(),
                request: try provider.model.connectRequest(secret: provider.secret),
                options: RealtimeConnectionOptions(transport: transport), tools: []
            ) { _ in
                token.touch()
                return nil
            }
            try await provider.configure()
            try await connection.waitUntilReady()
            return [Watched("connection", connection), Watched("token", token)]
                + transport.channels
        }
        await Watched.expectGone(try await live())
    }
}
