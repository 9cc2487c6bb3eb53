import Foundation
import RealtimeVoice
import Testing

/// What holds for the transport over URLSession wherever it runs, also where Foundation has no
/// WebSockets, as on most of Linux.
@Suite(.timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    @Test func aRefusedConnectionFailsOnce() async throws {
        let url = try #require(URL(string: "ws://127.0.0.1:1/?key=secret"))
        let link = Link.open(RealtimeConnectRequest(url: url), URLSessionTransport())
        let events = await link.rest()
        #expect(events.map(\.failure?.code) == [.connectFailed])
        #expect(events.allSatisfy { !"\($0)".contains("secret") })
    }

    @Test func nothingKeepsAnEndedConnection() async throws {
        let url = try #require(URL(string: "ws://127.0.0.1:1/"))
        weak var channel: (any RealtimeTransportChannel)?
        do {
            let link = Link.open(RealtimeConnectRequest(url: url), URLSessionTransport())
            channel = link.channel
            _ = await link.rest()
        }
        while channel != nil { await Task.yield() }
    }

    @Test func whatItCannotDoIsRefused() async throws {
        let url = try #require(URL(string: "ws://127.0.0.1:1/"))
        let request = RealtimeConnectRequest(url: url, proxy: "http://127.0.0.1:1")
        let link = Link.open(request, URLSessionTransport())
        #expect(await link.rest().map(\.failure?.code) == [.unsupported])
    }

    @Test func cancelEndsAllEvents() async throws {
        let url = try #require(URL(string: "ws://127.0.0.1:1/"))
        let link = Link.open(RealtimeConnectRequest(url: url), URLSessionTransport())
        link.channel.cancel()
        link.channel.close(code: 1000, reason: "")
        #expect(throws: RealtimeError.self) { try link.channel.send(RealtimeFrame("a")) }
    }
}
