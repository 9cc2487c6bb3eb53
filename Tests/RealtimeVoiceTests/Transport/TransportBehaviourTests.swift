import Foundation
import RealtimeVoice
import Testing

/// What every transport does alike, over sockets and in memory.
@Suite(.timeLimit(.minutes(1)))
struct TransportBehaviourTests {
    /// Skipped, with the reason, where only the in-memory transport can be tested.
    @Test(.enabled(if: PeerServers.hasLibrary, "\(PeerServers.libraryAdvice)"))
    func socketsAreAmongTheTransports() {
        #expect(TransportUnderTest.all.count == 2)
    }

    @Test(arguments: TransportUnderTest.all)
    func echoesTextAndBinary(transport: TransportUnderTest) async throws {
        let link = try await transport.open("/echo", ["realtime", "other"])
        #expect(await link.next() == .opened(subprotocol: "realtime"))
        let frames = [
            RealtimeFrame("Gr\u{FC}\u{DF}e \u{1F600}"), RealtimeFrame(""),
            RealtimeFrame(kind: .binary, bytes: [0, 0xFF, 0x80]),
            RealtimeFrame(kind: .binary, bytes: []),
        ]
        for frame in frames {
            try link.channel.send(frame)
            #expect(await link.next() == .received(frame))
        }
        link.channel.close(code: 1000, reason: "")
        #expect(await link.rest() == [.closed(1000)])
    }

    @Test(arguments: TransportUnderTest.all)
    func aPingIsAnswered(transport: TransportUnderTest) async throws {
        let link = try await transport.open("/echo", [])
        #expect(await link.next() == .opened(subprotocol: nil))
        link.channel.ping()
        #expect(await link.next() == .pong)
        link.channel.cancel()
    }

    @Test(arguments: TransportUnderTest.all)
    func ourCloseIsReportedAsOurs(transport: TransportUnderTest) async throws {
        let link = try await transport.open("/echo", [])
        #expect(await link.next() == .opened(subprotocol: nil))
        try link.channel.send(RealtimeFrame("before"))
        link.channel.close(code: 4001, reason: "gr\u{FC}n")
        link.channel.close(code: 4002, reason: "twice")
        let error = #expect(throws: RealtimeError.self) {
            try link.channel.send(RealtimeFrame("after"))
        }
        #expect(error?.code == .notConnected)
        let rest = await link.rest()
        #expect(rest.last == .closed(4001, "gr\u{FC}n"))
        #expect(rest.dropLast().allSatisfy { $0 == .text("before") })
    }

    @Test(arguments: TransportUnderTest.all, [1000, 1001, 1012, 1013, 1014, 3000, 4001, 4999])
    func theirCloseIsReportedAsTheirs(transport: TransportUnderTest, code: Int) async throws {
        let link = try await transport.open("/close?code=\(code)&reason=gr%C3%BCn", [])
        #expect(await link.rest() == [.opened(subprotocol: nil), .closed(code, "gr\u{FC}n")])
        #expect(throws: RealtimeError.self) { try link.channel.send(RealtimeFrame("after")) }
    }

    @Test(arguments: TransportUnderTest.all)
    func anEndWithoutCloseIs1006(transport: TransportUnderTest) async throws {
        let link = try await transport.open("/fin", [])
        #expect(
            await link.rest()
                == [.opened(subprotocol: nil), .text("last"), .closed(1006, isClean: false)]
        )
    }

    @Test(arguments: TransportUnderTest.all)
    func aRefusalIsReported(transport: TransportUnderTest) async throws {
        let link = try await transport.open("/status?code=403", [])
        let error = RealtimeError(
            .httpStatus,
            "The server refused the WebSocket upgrade.",
            httpStatus: 403,
            httpBody: #"{"error":{"message":"no"}}"#
        )
        #expect(await link.rest() == [.failed(error)])
    }

    @Test(arguments: TransportUnderTest.all)
    func beforeTheOpeningNothingIsSent(transport: TransportUnderTest) async throws {
        let link = try await transport.open("/silent", [])
        let error = #expect(throws: RealtimeError.self) {
            try link.channel.send(RealtimeFrame("early"))
        }
        #expect(error?.code == .notConnected)
        link.channel.ping()
        #expect(link.channel.queuedBytes == 0)
        link.channel.close(code: 1000, reason: "")
        #expect(await link.rest().map(\.failure?.code) == [.cancelled])
    }

    @Test(arguments: TransportUnderTest.all)
    func cancelEndsAllEvents(transport: TransportUnderTest) async throws {
        let link = try await transport.open("/echo", [])
        #expect(await link.next() == .opened(subprotocol: nil))
        link.channel.cancel()
        link.channel.cancel()
        link.channel.close(code: 1000, reason: "")
        link.channel.ping()
        #expect(throws: RealtimeError.self) { try link.channel.send(RealtimeFrame("after")) }
        #expect(link.told == [.opened(subprotocol: nil)])
    }
}
