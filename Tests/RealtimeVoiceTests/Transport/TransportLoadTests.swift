import Foundation
import RealtimeVoice
import Testing

/// Much of everything, over real sockets.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: PeerServers.canRun, "python3 and openssl are needed for the peers")
)
struct TransportLoadTests {
    private func request(
        _ path: String,
        on name: String = "raw",
        scheme: String = "ws"
    ) async throws -> RealtimeConnectRequest {
        let servers = try await PeerServers.shared
        var request = RealtimeConnectRequest(url: try servers.url(path, on: name, scheme: scheme))
        if scheme == "wss" { request.certificateAuthorityFile = servers.authority }
        return request
    }

    @Test(
        .enabled(if: PeerServers.hasLibrary, "\(PeerServers.libraryAdvice)"),
        arguments: [("ws", "ws"), ("wss", "wss")]
    )
    func sixteenMebibytesGoBothWays(name: String, scheme: String) async throws {
        let link = Link.open(try await request("/echo", on: name, scheme: scheme))
        #expect(await link.next() == .opened(subprotocol: nil))
        var random = SeededGenerator(seed: 3)
        let words = (0..<1 << 21).map { _ in random.next() }
        let binary = unsafe words.withUnsafeBytes { unsafe [UInt8]($0) }
        let text = [UInt8](String(repeating: "0123456789\u{20AC}abc", count: 1 << 20).utf8)
        let frames = [
            RealtimeFrame(kind: .binary, bytes: binary),
            RealtimeFrame(kind: .text, bytes: Array(text.prefix(16 << 20))),
        ]
        for frame in frames {
            try link.channel.send(frame)
            // Told first where the socket could not take it all at once.
            var event = await link.next()
            while event == .drained { event = await link.next() }
            #expect(event == .received(frame))
        }
        link.channel.cancel()
    }

    @Test(.enabled(if: PeerServers.hasLibrary, "\(PeerServers.libraryAdvice)"))
    func manyFragmentsWithPingsBetweenAreOneMessage() async throws {
        let link = Link.open(try await request("/fragments?bytes=1000000", on: "ws"))
        #expect(await link.next() == .opened(subprotocol: nil))
        let expected = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let event = await link.next()
        #expect(event == .received(RealtimeFrame(kind: .binary, bytes: expected)))
        link.channel.cancel()
    }

    @Test(arguments: [("raw", "ws"), ("good", "wss")])
    func twentyThousandSendsFromFourThreadsKeepTheirOrder(
        name: String,
        scheme: String
    ) async throws {
        let link = Link.open(try await request("/order?count=20000", on: name, scheme: scheme))
        #expect(await link.next() == .opened(subprotocol: nil))
        try await withThrowingTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<5_000 {
                        try link.channel.send(RealtimeFrame("\(thread) \(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await link.rest().filter { $0 != .drained } == [.text("4 20000"), .closed(1000)])
    }

    @Test(arguments: [("raw", "ws"), ("good", "wss")])
    func aSlowReaderIsToldAndReleased(name: String, scheme: String) async throws {
        let servers = try await PeerServers.shared
        let id = UUID().uuidString
        let path = "/slow?id=\(id)&bytes=\(16 << 20)"
        let link = Link.open(try await request(path, on: name, scheme: scheme))
        #expect(await link.next() == .opened(subprotocol: nil))
        let frame = RealtimeFrame(kind: .binary, bytes: [UInt8](repeating: 1, count: 1 << 20))
        for _ in 0..<16 {
            try link.channel.send(frame)
        }
        #expect(link.channel.queuedBytes > 1 << 20)
        try await servers.release(id)
        // The socket's buffers grow meanwhile, so that the queue may be empty more than once.
        let rest = await link.rest()
        #expect(rest.first == .drained)
        let others = rest.drop { $0 == .drained }
        #expect(Array(others) == [.text("\(16 << 20)"), .closed(1000)])
        #expect(link.channel.queuedBytes == 0)
    }

    @Test func aFullQueueThrowsAndSendsNothing() async throws {
        let servers = try await PeerServers.shared
        let id = UUID().uuidString
        let link = Link.open(try await request("/slow?id=\(id)&bytes=0"))
        #expect(await link.next() == .opened(subprotocol: nil))
        let frame = RealtimeFrame(kind: .binary, bytes: [UInt8](repeating: 1, count: 8 << 20))
        let error = #expect(throws: RealtimeError.self) {
            for _ in 0..<100 {
                try link.channel.send(frame)
            }
        }
        #expect(error?.code == .queueFull)
        #expect(error?.isRetryable == true)
        #expect(link.channel.queuedBytes <= 32 << 20)
        link.channel.cancel()
        try await servers.release(id)
    }

    @Test func aPingOvertakesQueuedMessages() async throws {
        let servers = try await PeerServers.shared
        let id = UUID().uuidString
        let link = Link.open(try await request("/overtake?id=\(id)"))
        #expect(await link.next() == .opened(subprotocol: nil))
        let frame = RealtimeFrame(kind: .binary, bytes: [UInt8](repeating: 1, count: 1 << 20))
        for _ in 0..<20 {
            try link.channel.send(frame)
        }
        link.channel.ping()
        try await servers.release(id)
        // The queue may be empty before the server has read it all.
        var event = await link.next()
        while event == .drained { event = await link.next() }
        guard case .received(let answer) = event else {
            Issue.record("no answer: \(String(describing: event))")
            return
        }
        let before = Int(String(decoding: answer.bytes, as: UTF8.self))
        #expect((before ?? 20) < 20)
        link.channel.cancel()
    }
}
