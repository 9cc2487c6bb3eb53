import Foundation
import Synchronization
import Testing

@testable import RealtimeVoice
@testable import RealtimeVoiceServer

/// Sessions over real sockets leave nothing behind.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LiveLeakTests {
    private final class Token: Sendable {
        func touch() {}
    }

    private struct Watched: Sendable {
        let name: String
        weak let object: (any AnyObject & Sendable)?
    }

    /// Remembers its channels weakly.
    private final class WatchingTransport: RealtimeTransport {
        private let base = DefaultTransport.make()
        private let opened = Mutex<[Watched]>([])

        var channels: [Watched] { opened.withLock { $0 } }

        func open(
            _ request: RealtimeConnectRequest,
            onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
        ) -> any RealtimeTransportChannel {
            let channel = base.open(request, onEvent: onEvent)
            opened.withLock { $0.append(Watched(name: "channel", object: channel)) }
            return channel
        }
    }

    private func eventually(_ condition: () -> Bool) async -> Bool {
        let start = ContinuousClock.now
        while !condition() {
            guard start.duration(to: .now) < .seconds(60) else { return false }
            // A reference that goes, or a file that closes, tells nobody; a spin would starve the
            // rest.
            try? await Task.sleep(for: .milliseconds(2))
        }
        return true
    }

    private func makeSession(
        _ server: LocalVoiceServer, _ transport: any RealtimeTransport
    ) -> (session: RealtimeSession, watched: [Watched]) {
        let (onToolCall, onEvent, onInterruption) = (Token(), Token(), Token())
        let session = RealtimeSession(
            model: OpenAIRealtimeModel("gpt-realtime", apiKey: "key", baseURL: server.baseURL),
            options: RealtimeConnectionOptions(transport: transport)
        ) { _ in
            onToolCall.touch()
            return nil
        }
        session.onEvent = { _ in onEvent.touch() }
        session.onInterruption = { _ in onInterruption.touch() }
        return (
            session,
            [
                Watched(name: "session", object: session),
                Watched(name: "onToolCall", object: onToolCall),
                Watched(name: "onEvent", object: onEvent),
                Watched(name: "onInterruption", object: onInterruption),
            ]
        )
    }

    @Test(arguments: [false, true])
    func nothingStaysOfASessionOverASocket(disconnects: Bool) async throws {
        try await withServer { server in
            @MainActor func live() async throws -> [Watched] {
                let transport = WatchingTransport()
                var (session, watched) = makeSession(server, transport)
                session.connectWithAPIKey()
                session.sendText("Count to three.")
                let output = session.audioOutput
                let consumer = Task { for await _ in output { return } }
                #expect(await eventually { session.status == .connected })
                await consumer.value
                watched.append(Watched(name: "connection", object: session.link.connection))
                if disconnects { session.disconnect() }
                return watched + transport.channels
            }
            let watched = try await live()
            let isGone = await eventually { watched.allSatisfy { $0.object == nil } }
            #expect(isGone, "still there: \(watched.filter { $0.object != nil }.map(\.name))")
            // The server lets go of it too.
            #expect(await eventually { server.sessionCount == 0 })
        }
    }

    #if os(Linux)
        private func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }

        private func residentKilobytes() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }

        private func cycle(_ count: Int, _ server: LocalVoiceServer) async {
            for _ in 0..<count {
                let (session, _) = makeSession(server, DefaultTransport.make())
                session.connectWithAPIKey()
                #expect(await eventually { session.status == .connected })
                session.disconnect()
            }
        }

        @Test func twoHundredCyclesKeepDescriptorsAndMemoryFlat() async throws {
            try await withServer { server in
                await cycle(20, server)
                let before = try descriptors()
                // Other tests take and give memory meanwhile: what leaks shows in every round.
                let (rounds, each, limit) = (4, 50, 2_048)
                var growths: [Int] = []
                while growths.count < rounds || (growths.min() ?? 0) > limit && growths.count < 12 {
                    let start = try residentKilobytes()
                    await cycle(each, server)
                    growths.append(try residentKilobytes() - start)
                }
                #expect(growths.contains { $0 <= limit }, "grew by \(growths) KB")
                #expect(await eventually { server.sessionCount == 0 })
                // Each connection has four, here and at the server; others have theirs.
                #expect(
                    await eventually {
                        ((try? descriptors()) ?? .max) < before + rounds * each / 2
                    })
            }
        }
    #endif
}
