import EchoProvider
import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// A whole conversation over a provider from outside the module, with public API only.
struct EchoProviderTests {
    private let transport = InMemoryTransport()

    private func model() throws -> EchoModel {
        EchoModel("e-1", at: try #require(URL(string: "wss://echo.example/live")), key: "secret")
    }

    /// The server's side: what it says in reply to what it is told.
    private func serve(_ peer: InMemoryConnection) async -> [JSONValue] {
        peer.accept()
        peer.send(RealtimeFrame(#"{"ev":"hello"}"#))
        var heard: [JSONValue] = []
        for await element in peer {
            guard case .message(let frame) = element,
                let message = try? JSONValue(parsing: frame.bytes)
            else { break }
            heard.append(message)
            let turn = heard.count { $0["op"] == "answer" }
            for reply in replies(to: message, turn: turn) { peer.send(RealtimeFrame(reply)) }
        }
        return heard
    }

    private func replies(to message: JSONValue, turn: Int) -> [String] {
        switch (message["op"]?.stringValue, turn) {
        case ("configure", _): [#"{"ev":"ping"}"#, #"{"ev":"ready"}"#]
        case ("answer", 1):
            [
                #"{"ev":"turn"}"#, #"{"ev":"weather","sky":"blue"}"#, "no JSON at all",
                #"{"ev":"call","id":"c1","function":"clock","arguments":{"zone":"UTC"}}"#,
                #"{"ev":"end"}"#,
            ]
        case ("answer", _):
            [
                #"{"ev":"turn"}"#, #"{"ev":"say","text":"It is "}"#,
                #"{"ev":"pcm","data":"AAECAw=="}"#, #"{"ev":"say","text":"noon."}"#,
                #"{"ev":"end"}"#,
            ]
        default: []
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aConversationWithAToolRunsOverIt() async throws {
        let server = Task { [transport] in
            guard let peer = await transport.nextConnection() else { return [JSONValue]() }
            return await serve(peer)
        }
        let clock = RealtimeTool(
            name: "clock", description: "Tells the time.",
            parameters: .object(["zone": .string("The time zone")])
        ) { (arguments: JSONValue) in
            ["time": "noon", "zone": arguments["zone"] ?? .null] as JSONValue
        }
        let messages = try await withRealtimeConnection(
            to: try model(),
            config: RealtimeSessionConfig(
                instructions: "Be brief.", tools: getRealtimeToolDefinitions(tools: [clock])),
            tools: [clock], options: RealtimeConnectionOptions(transport: transport)
        ) { connection in
            let updates = connection.updates
            try connection.sendText("What time is it?")
            let chunk = await connection.audioOutput.makeAsyncIterator().next()
            #expect(chunk?.data == Data([0, 1, 2, 3]))
            #expect(chunk?.format == .pcm16kHz)
            #expect(chunk?.content == RealtimeContentID(responseID: "turn_2", itemID: "item_2"))
            for await update in updates {
                if case .event(.responseDone(let response, _)) = update,
                    response.id == "turn_2"
                {
                    break
                }
            }
            #expect(throws: RealtimeError.self) { try connection.clearAudioBuffer() }
            #expect(connection.diagnostics.undecodableFrames == 1)
            return connection.messages
        }
        #expect(messages.map(\.role).first == .user)
        #expect(messages.first?.text == "What time is it?")
        #expect(messages.last?.role == .assistant)
        #expect(messages.last?.text == "It is noon.")
        let heard = await server.value
        #expect(
            heard == [
                [
                    "op": "configure",
                    "session": ["model": "e-1", "prompt": "Be brief.", "functions": ["clock"]],
                ],
                ["op": "pong"], ["op": "text", "text": "What time is it?"], ["op": "answer"],
                ["op": "result", "id": "c1", "result": ["time": "noon", "zone": "UTC"]],
                ["op": "answer"],
            ])
    }
}
