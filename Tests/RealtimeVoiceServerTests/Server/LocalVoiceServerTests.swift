import Foundation
import RealtimeVoice
import Testing

@testable import RealtimeVoiceServer

@Suite(.timeLimit(.minutes(5)))
struct LocalVoiceServerTests {
    private static let question: JSONValue = [
        "type": "conversation.item.create",
        "item": [
            "type": "message", "role": "user",
            "content": [["type": "input_text", "text": "Count to three."]],
        ],
    ]

    @Test func aTypedTurnRunsOverTheSocket() async throws {
        try await withServer { server in
            let client = try await RawClient.session(port: server.port)
            try client.send(Self.question)
            try client.send(["type": "response.create"])
            let events = try await client.events(until: "rate_limits.updated")
            #expect(events.first?["type"] == "session.created")
            #expect(
                events.first("response.output_audio_transcript.done")?["transcript"]
                    == "One, two, three.")
            let audio = events.filter { $0["type"] == "response.output_audio.delta" }
                .compactMap { Data(base64Encoded: $0["delta"]?.stringValue ?? "")?.count }
            #expect(audio.reduce(0, +) == 3 * 4_800)
            try client.requestClose()
            #expect(await client.closing() == RealtimeClose(code: 1000, isClean: true))
        }
    }

    @Test func aSpokenTurnRunsOverTheSocket() async throws {
        try await withServer { server in
            let client = try await RawClient.session(port: server.port)
            try client.send([
                "type": "session.update",
                "session": [
                    "type": "realtime",
                    "audio": ["input": ["transcription": ["model": "whisper-1"]]],
                ],
            ])
            let loud = PCM16.data((0..<2_400).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) })
                .base64EncodedString()
            let quiet = PCM16.data([Int16](repeating: 0, count: 2_400)).base64EncodedString()
            for audio in [loud, loud, loud] + [String](repeating: quiet, count: 7) {
                try client.send(["type": "input_audio_buffer.append", "audio": .string(audio)])
            }
            let events = try await client.events(until: "rate_limits.updated")
            let completed = events.first(
                "conversation.item.input_audio_transcription.completed")
            #expect(completed?["transcript"] == "Count to three.")
            #expect(
                events.first("response.output_audio_transcript.done")?["transcript"]
                    == "One, two, three.")
        }
    }

    @Test func manySessionsRunAtATime() async throws {
        try await withServer { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let client = try await RawClient.session(port: server.port)
                        for _ in 0..<3 {
                            try client.send(Self.question)
                            try client.send(["type": "response.create"])
                            let events = try await client.events(until: "response.done")
                            #expect(
                                events.first("response.done")?["response"]?["status"]
                                    == "completed")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func theSubprotocolFormIsAnsweredWithRealtime() async throws {
        try await withServer { server in
            let client = try await RawClient.session(
                port: server.port,
                headers: ["Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.key"])
            #expect(client.response.contains("Sec-WebSocket-Protocol: realtime\r\n"))
            #expect(client.response.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            _ = try await client.events(until: "session.created")
        }
    }

    @Test func theBetaWireIsToldThatItIsGone() async throws {
        try await withServer { server in
            let client = try await RawClient.session(
                port: server.port,
                headers: ["Authorization: Bearer key", "OpenAI-Beta: realtime=v1"])
            let events = try await client.events(until: "error")
            #expect(events.errorCode == "beta_api_shape_disabled")
            #expect(await client.closing()?.code == 4000)
        }
    }

    @Test func refusalsAreHTTPWithTheJSONBody() async throws {
        try await withServer { server in
            let refused = try await RawClient.session(port: server.port, headers: [])
            #expect(refused.response.hasPrefix("HTTP/1.1 401"))
            #expect(refused.response.contains(#""type":"invalid_request_error""#))
            let missing = try await RawClient.open(
                port: server.port,
                request: "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(missing.response.hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test func aSecretIsMintedAndOpensASession() async throws {
        try await withServer { server in
            let body = #"{"session":{"type":"realtime","instructions":"Be brief."}}"#
            let minted = try await RawClient.open(
                port: server.port,
                request: "POST /v1/realtime/client_secrets HTTP/1.1\r\nHost: x\r\n"
                    + "Authorization: Bearer key\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let start = try #require(minted.response.range(of: "\r\n\r\n")?.upperBound)
            let reply = try JSONValue(parsing: String(minted.response[start...]))
            let secret = try #require(reply["value"]?.stringValue)
            let client = try await RawClient.session(
                port: server.port, headers: ["Authorization: Bearer \(secret)"])
            let created = try await client.events(until: "session.created")
            #expect(created.first?["session"]?["instructions"] == "Be brief.")
        }
    }

    @Test func stoppingClosesAllSessionsWith1001() async throws {
        let server = LocalVoiceServer(.init(engines: .fake()))
        try await server.start()
        var clients: [RawClient] = []
        for _ in 0..<5 { clients.append(try await RawClient.session(port: server.port)) }
        for client in clients { _ = try await client.events(until: "session.created") }
        #expect(server.sessionCount == 5)
        await server.stop()
        for client in clients {
            let close = await client.closing()
            #expect(close?.code == 1001)
            #expect(close?.isClean == true)
        }
        #expect(server.sessionCount == 0)
        #expect(server.port == 0)
    }

    @Test func aServerStartsAgainAfterItStopped() async throws {
        let server = LocalVoiceServer(.init(engines: .fake()))
        for _ in 0..<3 {
            try await server.start()
            let client = try await RawClient.session(port: server.port)
            _ = try await client.events(until: "session.created")
            await server.stop()
        }
    }

    @Test func aTakenPortIsToldClearly() async throws {
        try await withServer { server in
            let other = LocalVoiceServer(.init(port: server.port, engines: .fake()))
            await #expect {
                try await other.start()
            } throws: { error in
                (error as? RealtimeError)?.message.contains("is taken") == true
            }
        }
    }

    @Test func aClientThatNeverReadsIsDropped() async throws {
        try await withServer(maximumQueuedBytes: 1 << 20) { server in
            let client = try await RawClient.session(port: server.port, reads: false)
            try client.send([
                "type": "session.update",
                "session": [
                    "type": "realtime",
                    "instructions": .string(String(repeating: "x", count: 100_000)),
                ],
            ])
            // Each update is echoed with its 100 KB: the client's writes fail in the end.
            await #expect(throws: RawClient.ClientError.self) {
                try await RawClient.onThread {
                    while true {
                        try client.send([
                            "type": "session.update", "session": ["type": "realtime"],
                        ])
                    }
                }
            }
        }
    }

    @Test(
        .enabled(if: InstalledEngines.best != nil, "no speech engine is installed"),
        .timeLimit(.minutes(5)))
    func realSpeechIsUnderstoodAndAnswered() async throws {
        let engines = try #require(InstalledEngines.best)
        let speech = try await engines.synthesizer.synthesize(
            "Hello there. Please count to ten.", voice: "rms", speed: 1)
        let pcm = OutputConverter.bytes(
            speech.samples, sampleRate: speech.sampleRate, as: .pcm24kHz)
        try await withServer(engines: engines) { server in
            let client = try await RawClient.session(port: server.port)
            try client.send([
                "type": "session.update",
                "session": [
                    "type": "realtime",
                    "audio": [
                        "input": [
                            "transcription": ["model": "whisper-1"],
                            "turn_detection": [
                                "type": "server_vad", "silence_duration_ms": 900,
                            ],
                        ]
                    ],
                ],
            ])
            let sound = pcm + [UInt8](repeating: 0, count: 48_000 * 3 / 2)
            for start in stride(from: 0, to: sound.count, by: 4_800) {
                let piece = Array(sound[start..<min(start + 4_800, sound.count)])
                try client.send([
                    "type": "input_audio_buffer.append", "audio": .string(base64(piece)),
                ])
            }
            let events = try await client.events(until: "response.done")
            let heard = events.first("conversation.item.input_audio_transcription.completed")
            #expect(
                heardShare(
                    of: "please count to ten", in: heard?["transcript"]?.stringValue ?? "") >= 0.5)
            #expect(events.first("response.output_audio.delta") != nil)
        }
    }
}
