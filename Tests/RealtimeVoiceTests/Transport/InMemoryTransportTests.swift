import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// What the server half of the in-memory transport can play.
@Suite(.timeLimit(.minutes(1)))
struct InMemoryTransportTests {
    private func connect(
        _ transport: InMemoryTransport = InMemoryTransport()
    ) async throws -> (Link, InMemoryConnection) {
        let url = try #require(URL(string: "ws://memory/"))
        let request = RealtimeConnectRequest(
            url: url,
            subprotocols: ["realtime"],
            maximumMessageBytes: 100,
            highWaterMark: 5
        )
        let link = Link.open(request, transport)
        let connection = try #require(await transport.nextConnection())
        return (link, connection)
    }

    @Test func theServerReadsWhatTheClientDid() async throws {
        let (link, server) = try await connect()
        #expect(server.request.subprotocols == ["realtime"])
        server.accept(subprotocol: "realtime")
        #expect(await link.next() == .opened(subprotocol: "realtime"))
        try link.channel.send(RealtimeFrame("a"))
        link.channel.ping()
        link.channel.close(code: 4001, reason: "r")
        var actions: [InMemoryConnection.Element] = []
        for await action in server { actions.append(action) }
        #expect(actions == [.message(RealtimeFrame("a")), .ping, .close(code: 4001, reason: "r")])
        #expect(await link.rest() == [.pong, .closed(4001, "r")])
    }

    @Test func anUnofferedSubprotocolFails() async throws {
        let (link, server) = try await connect()
        server.accept(subprotocol: "soap")
        #expect(await link.rest().map(\.failure?.code) == [.handshakeFailed])
    }

    @Test func aMessageOverTheLimitIs1009() async throws {
        let (link, server) = try await connect()
        server.accept()
        server.send(RealtimeFrame(kind: .binary, bytes: [UInt8](repeating: 0, count: 101)))
        #expect(
            await link.rest()
                == [.opened(subprotocol: nil), .closed(1009, "message too large", isClean: false)]
        )
    }

    @Test func aStalledServerLetsTheQueueGrow() async throws {
        let transport = InMemoryTransport(maximumQueuedBytes: 10)
        let (link, server) = try await connect(transport)
        server.accept()
        #expect(await link.next() == .opened(subprotocol: nil))
        server.stall()
        let frame = RealtimeFrame("1234")
        try link.channel.send(frame)
        try link.channel.send(frame)
        #expect(link.channel.queuedBytes == 8)
        let error = #expect(throws: RealtimeError.self) { try link.channel.send(frame) }
        #expect(error?.code == .queueFull)
        link.channel.close(code: 1000, reason: "")
        #expect(link.told == [.opened(subprotocol: nil)])
        server.resume()
        #expect(await server.next() == .message(frame))
        #expect(await server.next() == .message(frame))
        #expect(await server.next() == .close(code: 1000, reason: ""))
        #expect(await link.rest() == [.closed(1000)])
    }

    @Test func resumingTellsDrained() async throws {
        let transport = InMemoryTransport(maximumQueuedBytes: 10)
        let (link, server) = try await connect(transport)
        server.accept()
        server.stall()
        #expect(await link.next() == .opened(subprotocol: nil))
        try link.channel.send(RealtimeFrame("123456"))
        server.resume()
        #expect(await link.next() == .drained)
        #expect(link.channel.queuedBytes == 0)
    }

    @Test func theServerSeesACancel() async throws {
        let (link, server) = try await connect()
        server.accept()
        #expect(await link.next() == .opened(subprotocol: nil))
        link.channel.cancel()
        #expect(await server.next() == .cancel)
        #expect(await server.next() == nil)
        server.send(RealtimeFrame("late"))
        server.close()
        server.drop()
        #expect(link.told == [.opened(subprotocol: nil)])
    }

    @Test func connectionsComeInTheirOrder() async throws {
        let transport = InMemoryTransport()
        for path in ["a", "b", "c"] {
            let url = try #require(URL(string: "ws://memory/\(path)"))
            _ = Link.open(RealtimeConnectRequest(url: url), transport)
        }
        var paths: [String] = []
        for await connection in transport.connections {
            paths.append(connection.request.url.lastPathComponent)
            if paths.count == 3 { break }
        }
        #expect(paths == ["a", "b", "c"])
    }
}
