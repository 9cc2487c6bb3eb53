import Foundation
import Observation
import RealtimeVoice
import RealtimeVoiceTesting
import Synchronization
import Testing

@MainActor
struct RealtimeSessionTests {
    private let provider = ScriptedProvider()

    /// Waits for something that the session will come to, by looking whenever it changed.
    private func until(_ condition: () -> Bool) async {
        while !condition() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = condition()
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }

    private func speech(_ response: String, _ item: String, milliseconds: Int) -> JSONValue {
        [
            "type": "response.output_audio.delta", "response_id": .string(response),
            "item_id": .string(item), "content_index": 0,
            "delta": .string(Data(count: milliseconds * 48).base64EncodedString()),
        ]
    }

    @Test func theConfigurationGoesFirstAndTextWaitsItsTurn() async throws {
        let session = RealtimeSession(
            model: provider.model,
            sessionConfig: RealtimeSessionConfig(instructions: "Be brief."),
            options: provider.options(clock: ManualClock()))
        session.connect(secret: provider.secret)
        session.sendText("Hello!")
        session.sendAudio(Data(count: 4))
        let update = try await provider.configure()
        #expect(update["session"]?["instructions"] == "Be brief.")
        let item = try await provider.next()
        #expect(item["item"]?["content"]?[0] == ["type": "input_text", "text": "Hello!"])
        #expect(try await provider.next()["type"] == "response.create")
        #expect(
            try await provider.next() == ["type": "input_audio_buffer.append", "audio": "AAAAAA=="])
        await until { session.status == .connected && !session.messages.isEmpty }
        #expect(session.messages.map(\.text) == ["Hello!"])
        session.disconnect()
        #expect(session.status == .disconnected)
    }

    @Test func speechComesOutAndEndsWithTheSession() async throws {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        session.connect(secret: provider.secret)
        let chunks = Task { () -> [Int] in
            var lengths: [Int] = []
            for await chunk in session.audioOutput {
                lengths.append(chunk.milliseconds)
                if lengths.count == 2 { session.disconnect() }
            }
            return lengths
        }
        try await provider.configure()
        provider.send([
            ["type": "response.created", "response": ["id": "r"]],
            speech("r", "i", milliseconds: 100), speech("r", "i", milliseconds: 40),
        ])
        #expect(await chunks.value == [100, 40])
    }

    @Test func anInterruptionFlushesTellsAndTruncates() async throws {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        var interruptions: [RealtimeInterruption] = []
        session.onInterruption = { interruption in
            interruptions.append(interruption)
            session.playbackInterrupted(playedMilliseconds: 250)
        }
        session.connect(secret: provider.secret)
        try await provider.configure()
        provider.send([
            ["type": "response.created", "response": ["id": "r"]],
            speech("r", "i", milliseconds: 1_000),
            ["type": "input_audio_buffer.speech_started", "item_id": "u"],
            speech("r", "i", milliseconds: 500),
        ])
        let truncate = try await provider.next("conversation.item.truncate")
        #expect(truncate["item_id"] == "i")
        #expect(truncate["audio_end_ms"] == 250)
        #expect(interruptions == [RealtimeInterruption(cause: .speech, itemIDs: ["i"])])
        // The next answer is all that comes out.
        provider.send([
            ["type": "response.created", "response": ["id": "next"]],
            speech("next", "j", milliseconds: 60),
        ])
        for await chunk in session.audioOutput {
            #expect(chunk.itemID == "j")
            #expect(chunk.followsInterruption)
            break
        }
        session.disconnect()
    }

    @Test func toolsRunAndAreFollowedUpOnce() async throws {
        struct City: Decodable { var city: String }
        let weather = RealtimeTool(
            name: "getWeather", parameters: .object(["city": .string()])
        ) { (input: City) in "Sunny in \(input.city)." }
        let session = RealtimeSession(
            model: provider.model, tools: [weather], options: provider.options(clock: ManualClock())
        )
        session.connect(secret: provider.secret)
        let update = try await provider.configure()
        #expect(update["session"]?["tools"]?[0]?["name"] == "getWeather")
        provider.send([
            ["type": "response.created", "response": ["id": "r"]],
            [
                "type": "response.function_call_arguments.done", "response_id": "r",
                "item_id": "f", "call_id": "c", "name": "getWeather",
                "arguments": #"{"city":"Paris"}"#,
            ],
        ])
        let output = try await provider.next()
        #expect(
            output["item"]
                == [
                    "type": "function_call_output", "call_id": "c",
                    "output": "Sunny in Paris.",
                ])
        provider.send(["type": "response.done", "response": ["id": "r", "status": "completed"]])
        #expect(try await provider.next()["type"] == "response.create")
        await until { session.messages.first?.parts.first?.tool?.state == .outputAvailable }
        session.disconnect()
    }

    @Test func aRefusedUpgradeIsTold() async throws {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        var errors: [RealtimeError] = []
        session.onError = { errors.append($0) }
        session.connect(secret: provider.secret)
        let refusal = RealtimeError(.httpStatus, "no", httpStatus: 401, httpBody: "{}")
        await provider.transport.nextConnection()?.refuse(refusal)
        await until { session.status == .failed(refusal) }
        #expect(errors == [refusal])
    }

    @Test func aServersCloseIsADropWithItsReason() async throws {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        session.connect(secret: provider.secret)
        try await provider.configure()
        await until { session.status == .connected }
        provider.current?.close(code: 1001, reason: "60 minutes")
        await until { session.status != .connected }
        guard case .failed(let error) = session.status else {
            Issue.record("\(session.status)")
            return
        }
        #expect(error.closeCode == 1001)
        #expect(error.closeReason == "60 minutes")
        #expect(error.isRetryable)
    }

    @Test func aSecondConnectClosesTheFirstAndKeepsTheConversation() async throws {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        session.connect(secret: provider.secret)
        session.sendText("one")
        try await provider.configure()
        let first = try #require(provider.current)
        session.connect(secret: provider.secret)
        session.sendText("two")
        try await provider.configure()
        #expect(first !== provider.current)
        var last: InMemoryConnection.Element?
        while let element = await first.next() { last = element }
        #expect(last == .close(code: 1000, reason: ""))
        await until { session.messages.count == 2 }
        #expect(session.messages.map(\.text) == ["one", "two"])
        session.disconnect()
        session.disconnect()
    }

    @Test func callsWithoutAConnectionAreReported() {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        var codes: [RealtimeError.Code] = []
        session.onError = { codes.append($0.code) }
        session.sendText("nobody hears this")
        session.sendAudio(Data(count: 2))
        #expect(codes == [.notConnected])
    }

    @Test func audioFlowsBothWaysWhileTheMainThreadIsBlocked() async throws {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(clock: ManualClock()))
        session.connect(secret: provider.secret)
        try await provider.configure()
        await until { session.status == .connected }
        let provider = provider
        let delta = speech("r", "i", milliseconds: 20)
        let done = DispatchSemaphore(value: 0)
        // Fifty frames each way, driven off the main actor, must pass while it stands still.
        let output = session.audioOutput
        let microphone = Task.detached {
            provider.send(["type": "response.created", "response": ["id": "r"]])
            var heard = 0
            var speaker = output.makeAsyncIterator()
            for _ in 0..<50 {
                session.sendAudio(Data(count: 960))
                _ = try? await provider.next("input_audio_buffer.append")
                provider.send(delta)
                if await speaker.next() != nil { heard += 1 }
            }
            done.signal()
            return heard
        }
        let wasDone = blockMainThread(until: done)
        #expect(wasDone)
        #expect(await microphone.value == 50)
        session.disconnect()
    }

    /// Stands still on the main thread until the work is done, or far too long.
    private nonisolated func blockMainThread(until done: DispatchSemaphore) -> Bool {
        done.wait(timeout: .now() + 60) == .success
    }
}
