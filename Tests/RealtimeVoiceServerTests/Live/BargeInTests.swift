import Foundation
import RealtimeVoice
import Synchronization
import Testing

@testable import RealtimeVoiceServer

/// Answers that are interrupted while a player plays them in real time, over real sockets with
/// real speech: what is told to the server, shown and played must be what a listener heard.
@Suite(
    .enabled(if: InstalledEngines.best != nil, "no speech engine is installed"),
    .timeLimit(.minutes(5)))
struct BargeInTests {
    /// How the user interrupts, and when.
    struct Scene: Sendable, CustomTestStringConvertible {
        enum Means: Sendable { case speech, text }
        enum Moment: String, Sendable, CaseIterable {
            case firstThird, middleThird, lastThird
            /// All of it came, `response.done` too, and the player is still at it.
            case tail
        }

        var moment: Moment
        var means: Means
        /// What the player claims beyond what it played.
        var excess = 0

        var testDescription: String {
            "\(means) in the \(moment)" + (excess > 0 ? ", claimed too much" : "")
        }

        /// The share of the answer that is played before.
        var share: Double {
            switch moment {
            case .firstThird: 0.18
            case .middleThird: 0.5
            case .lastThird: 0.8
            case .tail: 0.6
            }
        }
    }

    static let scenes: [Scene] =
        Scene.Moment.allCases.flatMap {
            [Scene(moment: $0, means: .speech), Scene(moment: $0, means: .text)]
        } + [Scene(moment: .middleThird, means: .speech, excess: 3_600_000)]

    /// With words of more than 400 ms among the short ones.
    private static let story =
        "Once upon a time, there was a small lighthouse at the end of a long road, and its "
        + "extraordinarily responsible keeper lit the lamp every single evening."

    /// The whole story as the server tells it: when which word is spoken.
    private static let reference = Task {
        let log = LiveLog()
        return try await converse(pace: .immediate, log: log) { connection, _ in
            try connection.sendText("Say \(story)")
            _ = await log.reaches { answers, _ in answers.last?.isDone == true }
            return try #require(log.answers.last)
        }
    }

    /// What the user says to interrupt, without the silence behind it.
    private static let utterance = Task {
        let engines = try #require(InstalledEngines.best)
        let speech = try await engines.synthesizer.synthesize(
            "Please count to three.", voice: "rms", speed: 1)
        return OutputConverter.bytes(speech.samples, sampleRate: speech.sampleRate, as: .pcm24kHz)
    }

    @Test(arguments: scenes)
    func whatAListenerHeardIsToldShownAndPlayed(scene: Scene) async throws {
        let reference = try await Self.reference.value
        let speech = try await Self.utterance.value
        let log = LiveLog()
        let player = LivePlayer()
        let responder = PatientResponder()
        let reported = Mutex<[Int]>([])
        let truncates = Mutex<[JSONValue]>([])
        let messages = try await Self.converse(
            pace: scene.moment == .tail ? .immediate : .speaking, log: log, player: player,
            responder: responder,
            onClientEvent: { event in
                guard event["type"] == "conversation.item.truncate" else { return }
                truncates.withLock { $0.append(event) }
            },
            onInterruption: { connection in
                let played = player.stop()
                reported.withLock { $0.append(played) }
                try? connection.playbackInterrupted(playedMilliseconds: played + scene.excess)
                responder.proceed()
            },
            body: { connection, _ in
                try connection.sendText("Say \(Self.story)")
                if scene.moment == .tail {
                    #expect(await log.reaches { answers, _ in answers.first?.isDone == true })
                }
                try await player.hasPlayed(
                    milliseconds: Int(Double(reference.milliseconds) * scene.share))
                switch scene.means {
                case .text: try connection.sendText("Say the second answer.")
                case .speech: try Self.send(speech, on: connection)
                }
                let claimsAll = scene.excess > 0
                #expect(
                    await log.reaches { answers, truncated in
                        claimsAll ? answers.first?.isDone == true : !truncated.isEmpty
                    })
                if scene.means == .speech {
                    try Self.send([UInt8](repeating: 0, count: 48_000), on: connection)
                }
                #expect(await log.reaches { answers, _ in answers.count > 1 && answers[1].isDone })
                let next = try #require(log.answers.dropFirst().first)
                await player.hasReceived(bytes: next.bytes, of: next.item)
                return connection.messages
            })

        let old = log.answers[0]
        let played = try #require(reported.withLock { $0.count == 1 ? $0.first : nil })
        let received = try #require(old.bytesAtInterruption)
        let heard = min(played + scene.excess, received / 48)
        #expect(old.status == (scene.moment == .tail ? .completed : .cancelled))
        #expect(old.words.map(\.start) == reference.words.prefix(old.words.count).map(\.start))

        let message = try #require(messages.first { $0.role == .assistant })
        let part = try #require(message.parts.first?.text)

        // The server was told of the item, and exactly of what was heard.
        let truncate = truncates.withLock { $0 }
        // Who claims to have heard all of what the server had ended by then needs no truncation.
        if scene.excess == 0 || !truncate.isEmpty {
            #expect(truncate.map { $0["item_id"]?.stringValue } == [old.item])
            #expect(truncate.map { $0["audio_end_ms"]?.intValue } == [heard])
            expectEnd(of: part.text, near: heard, in: reference)
        }
        #expect(log.failures.isEmpty)

        // Nothing of the old answer came out any more.
        #expect(player.receivedBytes(of: old.item) <= received)
        #expect(!player.itemsAfterStop.contains(old.item))

        // The transcript ends where the listener's ear did, and the rest is marked.
        #expect(message.isInterrupted)
        #expect(part.state == .done)
        #expect(part.text + (part.unheardText ?? "") == old.text)
        if scene.excess == 0 { #expect(part.unheardText?.isEmpty == false) }

        // The next turn works.
        let next = log.answers[1]
        #expect(next.status == .completed)
        #expect(player.receivedBytes(of: next.item) == next.bytes)
        #expect(next.bytes > 0)
        #expect(player.firstPiece(of: next.item)?.followsInterruption == true)
        let answer = try #require(messages.last { $0.role == .assistant })
        #expect(answer.text == next.text)
        #expect(!answer.isInterrupted)
    }

    /// The text ends within 200 ms of where the player was, or half a long word more.
    private func expectEnd(of text: String, near heard: Int, in reference: LiveLog.Answer) {
        let starts = reference.words.map(\.start) + [reference.milliseconds]
        let count = text.split(separator: " ").count
        let end = starts[count]
        let word = max(0, (starts.lastIndex { $0 <= heard } ?? 0))
        let length = word + 1 < starts.count ? starts[word + 1] - starts[word] : 0
        let tolerance = 200 + (length > 400 ? length / 2 : 0)
        #expect(abs(end - heard) <= tolerance, "\(text) ends at \(end) ms, heard \(heard) ms")
    }

    private static func send(_ audio: [UInt8], on connection: RealtimeConnection) throws {
        for start in stride(from: 0, to: audio.count, by: 4_800) {
            try connection.sendAudio(Data(audio[start..<min(start + 4_800, audio.count)]))
        }
    }

    /// Holds a conversation with a server of its own.
    private static func converse<Result: Sendable>(
        pace: SpeechPace, log: LiveLog, player: LivePlayer = LivePlayer(),
        responder: any Responder = BuiltInResponder(),
        onClientEvent: @escaping @Sendable (JSONValue) -> Void = { _ in },
        onInterruption: @escaping @Sendable (RealtimeConnection) -> Void = { _ in },
        body: (RealtimeConnection, LocalVoiceServer) async throws -> Result
    ) async throws -> Result {
        let server = LocalVoiceServer(
            .init(
                engines: try #require(InstalledEngines.best), responder: responder, pace: pace,
                onClientEvent: { onClientEvent($1) }))
        try await server.start()
        do {
            let result = try await withRealtimeConnection(
                to: OpenAIRealtimeModel("gpt-realtime", apiKey: "key", baseURL: server.baseURL),
                config: RealtimeSessionConfig(
                    inputAudioTranscription: .init(), turnDetection: .init(type: .serverVAD))
            ) { connection in
                let (updates, output) = (connection.updates, connection.audioOutput)
                async let listening: Void = log.follow(updates) { _ in
                    onInterruption(connection)
                }
                async let playing: Void = player.consume(output)
                // What never comes must fail a test, not hang it.
                let watchdog = Task {
                    guard (try? await Task.sleep(for: .seconds(60))) != nil else { return }
                    connection.disconnect()
                }
                defer { watchdog.cancel() }
                let result: Result
                do {
                    result = try await body(connection, server)
                } catch {
                    connection.disconnect()
                    throw error
                }
                connection.disconnect()
                _ = await (listening, playing)
                return result
            }
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}
