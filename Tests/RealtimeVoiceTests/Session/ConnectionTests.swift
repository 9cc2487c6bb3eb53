import Foundation
import Observation
import RealtimeVoiceTesting
import Synchronization
import Testing

@testable import RealtimeVoice

/// One connection over a scripted provider: a slow socket, many threads, bounds and timeouts.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    private let provider = ScriptedProvider()
    private let clock = ManualClock()

    private func connect(
        tools: [RealtimeTool] = [], _ change: (inout RealtimeConnectionOptions) -> Void = { _ in }
    ) throws -> RealtimeConnection {
        var options = provider.options(clock: clock)
        change(&options)
        return RealtimeConnection(
            model: provider.model, config: RealtimeSessionConfig(),
            request: try provider.model.connectRequest(secret: provider.secret),
            options: options, tools: tools, onToolCall: nil)
    }

    private func ready(
        tools: [RealtimeTool] = [], _ change: (inout RealtimeConnectionOptions) -> Void = { _ in }
    ) async throws -> RealtimeConnection {
        let connection = try connect(tools: tools, change)
        try await provider.configure()
        try await connection.waitUntilReady()
        return connection
    }

    private func speech(_ milliseconds: Int) -> JSONValue {
        [
            "type": "response.output_audio.delta", "response_id": "r", "item_id": "i",
            "content_index": 0,
            "delta": .string(Data(count: milliseconds * 48).base64EncodedString()),
        ]
    }

    /// Waits for an event of the provider's with this raw type.
    private func event(_ type: String, in updates: RealtimeUpdates) async {
        for await update in updates {
            if case .event(.custom(type, _)) = update { return }
        }
    }

    // MARK: Sending

    @Test func aSlowSocketDropsTheOldestAudioAndKeepsTheOrderOfTheRest() async throws {
        let connection = try await ready { $0.maximumWaitingAudio = .seconds(1) }
        let peer = try #require(provider.current)
        peer.stall()
        // Each piece of audio tells its number in its length; so much more than fits waits.
        let count = 400
        for number in 0..<count {
            try connection.sendAudio(Data(count: 2_400 + number * 2))
            if number.isMultiple(of: 10) { try connection.sendRaw(["number": .int(number)]) }
        }
        let dropped = connection.diagnostics.droppedInputFrames
        #expect(dropped > 0)
        peer.resume()
        var (audio, others, order): ([Int], [Int], [Int]) = ([], [], [])
        while audio.count < count - dropped || others.count < count / 10 {
            let message = try await provider.next()
            if let number = message["number"]?.intValue {
                others.append(number)
                order.append(number * 2 + 1)
            } else {
                let bytes = Data(base64Encoded: message["audio"]?.stringValue ?? "")?.count ?? 0
                audio.append((bytes - 2_400) / 2)
                order.append((bytes - 2_400))
            }
        }
        #expect(others == Array(stride(from: 0, to: count, by: 10)))
        // What the socket had taken, then a gap of the oldest that waited, then the newest.
        let gap = try #require(audio.indices.dropFirst().first { audio[$0] != audio[$0 - 1] + 1 })
        #expect(audio == Array(0..<gap) + Array((gap + dropped)..<count))
        #expect(order == order.sorted())
        #expect(connection.diagnostics.droppedInputFrames == dropped)
        // Once it is free again, nothing is held back.
        try connection.sendAudio(Data(count: 2))
        #expect(
            try await provider.next() == ["type": "input_audio_buffer.append", "audio": "AAA="])
        connection.disconnect()
    }

    @Test func fourThreadsSendEachInItsOrder() async throws {
        let connection = try await ready()
        let (threads, each) = (4, 5_000)
        for thread in 0..<threads {
            Thread {
                for number in 0..<each {
                    try? connection.sendRaw(["thread": .int(thread), "number": .int(number)])
                }
            }.start()
        }
        var next = [Int](repeating: 0, count: threads)
        for _ in 0..<(threads * each) {
            let message = try await provider.next()
            let thread = try #require(message["thread"]?.intValue)
            try #require(message["number"]?.intValue == next[thread])
            next[thread] += 1
        }
        #expect(next == [Int](repeating: each, count: threads))
        connection.disconnect()
    }

    // MARK: Bounds

    @Test func speechThatNobodyTakesFallsOutOldestFirst() async throws {
        let connection = try await ready { $0.maximumQueuedSpeech = .seconds(1) }
        let updates = connection.updates
        provider.send(["type": "response.created", "response": ["id": "r"]])
        provider.send((0..<30).map { _ in speech(100) } + [["type": "the.end"]])
        await event("the.end", in: updates)
        #expect(connection.diagnostics.droppedSpeechBytes == 2_000 * 48)
        var starts: [Int] = []
        for await chunk in connection.audioOutput {
            starts.append(chunk.startMilliseconds)
            if starts.count == 10 { break }
        }
        #expect(starts == Array(stride(from: 2_000, to: 3_000, by: 100)))
        connection.disconnect()
    }

    @Test func updatesThatNobodyTakesFallOutOldestFirst() async throws {
        let connection = try await ready()
        let (forgotten, followed) = (connection.updates, connection.updates)
        let count = 5_000
        provider.send((0..<count).map { ["type": .string("n.\($0)")] } + [["type": "the.end"]])
        await event("the.end", in: followed)
        connection.disconnect()
        var types: [String] = []
        for await update in forgotten {
            if case .event(.custom(let type, _)) = update { types.append(type) }
        }
        #expect(forgotten.queue.dropped >= count + 1 - 4_096)
        #expect(types.count + forgotten.queue.dropped >= count + 1)
        #expect(types.count <= 4_096)
        #expect(types == ((count - types.count + 1)..<count).map { "n.\($0)" } + ["the.end"])
    }

    // MARK: Time

    /// Waits until what is due by now has happened: an alarm may be set a little after that
    /// which it is for.
    private func due(_ condition: () -> Bool) async -> Bool {
        await eventually {
            clock.advance(by: .zero)
            return condition()
        }
    }

    private func failure(of connection: RealtimeConnection) async -> RealtimeError? {
        do throws(RealtimeError) {
            try await connection.waitUntilReady()
            return nil
        } catch {
            return error
        }
    }

    @Test func aSocketThatNeverOpensTimesOut() async throws {
        let connection = try connect { $0.openTimeout = .seconds(15) }
        // The transport's own timeout, and what it gets on top.
        clock.advance(by: .seconds(19))
        #expect(connection.status == .connecting)
        clock.advance(by: .seconds(1))
        #expect(await due { connection.status != .connecting })
        #expect(await failure(of: connection)?.code == .timeout)
    }

    @Test func aProviderThatNeverAnnouncesTheSessionTimesOut() async throws {
        let connection = try connect { $0.setupTimeout = .seconds(30) }
        let updates = connection.updates
        try await provider.accept()
        provider.send(["type": "anything"])
        await event("anything", in: updates)
        clock.advance(by: .seconds(29))
        #expect(connection.status == .connecting)
        clock.advance(by: .seconds(1))
        #expect(await due { connection.status != .connecting })
        #expect(await failure(of: connection)?.code == .timeout)
    }

    @Test func aProviderThatSaysNothingAtAllTimesOut() async throws {
        let connection = try connect { $0.setupTimeout = .seconds(30) }
        try await provider.accept()
        // Whenever the opening is noticed, its timeout begins there and then.
        #expect(
            await eventually {
                clock.advance(by: .seconds(30))
                return connection.status != .connecting
            })
        #expect(await failure(of: connection)?.code == .timeout)
    }

    @Test func aConfigurationThatIsNeverConfirmedTimesOut() async throws {
        let connection = try connect { $0.setupTimeout = .seconds(30) }
        try await provider.accept()
        provider.send(["type": "session.created", "session": ["id": "s"]])
        _ = try await provider.next("session.update")
        clock.advance(by: .seconds(29))
        #expect(connection.status == .connecting)
        clock.advance(by: .seconds(1))
        #expect(await due { connection.status != .connecting })
        #expect(await failure(of: connection)?.code == .timeout)
    }

    @Test func waitingIsCancelledWithItsTask() async throws {
        let connection = try connect()
        let waiting = Task { await failure(of: connection) }
        try await provider.accept()
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        #expect(connection.status == .disconnected)
        #expect(await provider.current?.next() == .close(code: 1000, reason: ""))
    }

    // MARK: Tools

    private static let call: [JSONValue] = [
        ["type": "response.created", "response": ["id": "r"]],
        [
            "type": "response.function_call_arguments.done", "response_id": "r",
            "item_id": "f", "call_id": "c", "name": "wait", "arguments": "{}",
        ],
    ]

    /// A tool that tells when it starts, and when it was cancelled.
    private func waitingTool() -> (RealtimeTool, AsyncStream<String>) {
        struct Nothing: Decodable {}
        let (steps, step) = AsyncStream<String>.makeStream()
        let tool = RealtimeTool(name: "wait", parameters: .object([:])) { (_: Nothing) in
            step.yield("started")
            for await _ in AsyncStream<Void>.makeStream().stream {}
            step.yield(Task.isCancelled ? "cancelled" : "woken")
            return "late"
        }
        return (tool, steps)
    }

    @Test func aToolThatTakesTooLongIsAnsweredForAndCancelled() async throws {
        let (tool, steps) = waitingTool()
        let connection = try await ready(tools: [tool]) { $0.toolTimeout = .seconds(60) }
        var step = steps.makeAsyncIterator()
        provider.send(Self.call)
        #expect(await step.next() == "started")
        clock.advance(by: .seconds(59))
        #expect(connection.messages.first?.parts.first?.tool?.state == .inputAvailable)
        clock.advance(by: .seconds(1))
        #expect(
            await due { connection.messages.first?.parts.first?.tool?.state == .outputError })
        let item = try await provider.next("conversation.item.create")["item"]
        #expect(item?["type"] == "function_call_output")
        #expect(item?["call_id"] == "c")
        #expect(await step.next() == "cancelled")
        // What it returns now comes too late: the follow-up is all that goes out.
        provider.send(["type": "response.done", "response": ["id": "r", "status": "completed"]])
        #expect(try await provider.next()["type"] == "response.create")
        connection.disconnect()
    }

    @Test func aRunningToolIsCancelledByDisconnecting() async throws {
        let (tool, steps) = waitingTool()
        let connection = try await ready(tools: [tool])
        var step = steps.makeAsyncIterator()
        provider.send(Self.call)
        #expect(await step.next() == "started")
        connection.disconnect()
        #expect(await step.next() == "cancelled")
        #expect(connection.messages.first?.parts.first?.tool?.state == .outputError)
        #expect(await provider.current?.next() == .close(code: 1000, reason: ""))
    }
}

/// What a session shows: bounded, and not more often than a screen does.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SessionPublishingTests {
    private let provider = ScriptedProvider()

    private func text(_ delta: String) -> JSONValue {
        [
            "type": "response.output_text.delta", "response_id": "r", "item_id": "i",
            "content_index": 0, "delta": .string(delta),
        ]
    }

    @Test func theEventLogIsBoundedAndKeepsNoAudio() async throws {
        let session = RealtimeSession(
            model: provider.model, options: provider.options(), maximumEvents: 20)
        session.connect(secret: provider.secret)
        try await provider.configure()
        provider.send(["type": "response.created", "response": ["id": "r"]])
        for number in 0..<200 {
            provider.send([
                text("\(number)"),
                [
                    "type": "response.output_audio.delta", "response_id": "r",
                    "item_id": "i", "content_index": 1, "delta": "AAAA",
                ],
            ])
        }
        provider.send(["type": "the.end"])
        func hasEnded() -> Bool {
            if case .custom("the.end", _) = session.events.last { return true }
            return false
        }
        var most = 0
        let isThere = await eventually {
            most = max(most, session.events.count)
            return hasEnded()
        }
        #expect(isThere)
        #expect(most <= 25)
        let deltas = session.events.compactMap { event -> String? in
            guard case .textDelta(_, let delta, _) = event else { return nil }
            return delta
        }
        #expect(deltas == ((200 - deltas.count)..<200).map(String.init))
        #expect(deltas.count == session.events.count - 1)
        session.disconnect()
    }

    @Test func hundredsOfDeltasChangeTheMessagesAFewTimes() async throws {
        let session = RealtimeSession(model: provider.model, options: provider.options())
        session.connect(secret: provider.secret)
        try await provider.configure()
        let counter = Counter(session)
        let start = ContinuousClock.now
        provider.send(["type": "response.created", "response": ["id": "r"]])
        for _ in 0..<500 { provider.send(text("a")) }
        #expect(await eventually { session.messages.last?.text.count == 500 })
        let frames = start.duration(to: .now) / .milliseconds(16)
        #expect(await eventually { counter.changes >= 1 })
        // One for each frame that passed, and those that come with another status.
        #expect(Double(counter.changes) <= frames + 4)
        #expect(counter.changes < 250)
        session.disconnect()
    }

    /// Counts how often a session's messages change.
    @MainActor
    private final class Counter {
        private(set) var changes = 0
        private let session: RealtimeSession

        init(_ session: RealtimeSession) {
            self.session = session
            observe()
        }

        private func observe() {
            withObservationTracking {
                _ = session.messages
            } onChange: {
                Task { @MainActor [weak self] in
                    self?.changes += 1
                    self?.observe()
                }
            }
        }
    }
}
