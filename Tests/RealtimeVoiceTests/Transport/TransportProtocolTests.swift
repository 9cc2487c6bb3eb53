import Foundation
import RealtimeVoice
import Testing

/// What happens to open connections whose peer breaks the rules, or the network, over sockets.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: PeerServers.canRun, "python3 and openssl are needed for the peers")
)
struct TransportProtocolTests {
    /// A kind of broken frame, the close code it deserves, and its bytes in hexadecimal.
    private static let violations: [(String, Int, String)] = [
        ("masked frame", 1002, "818100000000 41"),
        ("reserved bit set", 1002, "c10141"),
        ("reserved opcode", 1002, "8300"),
        ("length out of range", 1002, "827f8000000000000000"),
        ("message too large", 1009, "827f7fffffffffffffff"),
        ("message too large", 1009, "827e0401"),
        ("invalid UTF-8", 1007, "8102c328"),
        ("invalid UTF-8", 1007, "8103eda080"),
        ("invalid close code", 1002, "880203ed"),
        ("continuation of nothing", 1002, "80014100"),
    ]

    @Test(arguments: violations)
    func violationsCloseWithTheirCode(reason: String, code: Int, bytes: String) async throws {
        let servers = try await PeerServers.shared
        let id = UUID().uuidString
        let hex = "810141" + bytes.filter { $0 != " " }
        let url = try servers.url("/raw?id=\(id)&hex=\(hex)")
        let link = Link.open(RealtimeConnectRequest(url: url, maximumMessageBytes: 1_024))
        #expect(
            await link.rest()
                == [.opened(subprotocol: nil), .text("A"), .closed(code, reason, isClean: false)]
        )
        #expect(try await servers.seen(id) == "\(code) \(reason)")
    }

    @Test func theAnswerToACloseReachesThePeer() async throws {
        let servers = try await PeerServers.shared
        let id = UUID().uuidString
        let url = try servers.url("/raw?id=\(id)&hex=88050fa1c3bc21")
        let link = Link.open(RealtimeConnectRequest(url: url))
        #expect(await link.rest() == [.opened(subprotocol: nil), .closed(4001, "\u{FC}!")])
        #expect(try await servers.seen(id) == "4001")
    }

    @Test func anEndWithinAFrameIs1006() async throws {
        let url = try await PeerServers.shared.url("/cut")
        let link = Link.open(RealtimeConnectRequest(url: url))
        #expect(
            await link.rest() == [.opened(subprotocol: nil), .closed(1006, isClean: false)]
        )
    }

    @Test func aResetIs1006() async throws {
        let url = try await PeerServers.shared.url("/rst")
        let link = Link.open(RealtimeConnectRequest(url: url))
        #expect(await link.next() == .opened(subprotocol: nil))
        try link.channel.send(RealtimeFrame("go"))
        #expect(await link.rest() == [.closed(1006, isClean: false)])
    }

    @Test(.enabled(if: PeerServers.hasLibrary, "\(PeerServers.libraryAdvice)"))
    func pingsAreAnsweredWithTheirPayload() async throws {
        let servers = try await PeerServers.shared
        let id = UUID().uuidString
        let url = try servers.url("/ping?id=\(id)&payload=abc", on: "ws")
        let link = Link.open(RealtimeConnectRequest(url: url))
        #expect(await link.next() == .opened(subprotocol: nil))
        #expect(await link.next() == .text("ponged"))
        link.channel.close(code: 4001, reason: "gr\u{FC}n")
        #expect(await link.rest() == [.closed(4001, "gr\u{FC}n")])
        #expect(try await servers.seen(id) == "4001 gr\u{FC}n")
    }

    // MARK: Cancellation

    @Test func cancelAtOnce() async throws {
        let servers = try await PeerServers.shared
        for (name, scheme) in [("raw", "ws"), ("good", "wss"), ("stuck", "wss")] {
            let url = try servers.url("/silent", on: name, scheme: scheme)
            let link = Link.open(RealtimeConnectRequest(url: url))
            link.channel.cancel()
            #expect(link.told == [])
        }
    }

    @Test(arguments: [("stuckCancel", "wss"), ("raw", "ws")])
    func cancelBeforeTheOpening(name: String, scheme: String) async throws {
        let servers = try await PeerServers.shared
        let id = scheme == "wss" ? name : UUID().uuidString
        let url = try servers.url("/silent?id=\(id)", on: name, scheme: scheme)
        let link = Link.open(RealtimeConnectRequest(url: url))
        try await servers.arrived(id)
        link.channel.cancel()
        #expect(try await servers.seen(id) == "gone")
        #expect(link.told == [])
    }

    @Test func cancelWhileClosing() async throws {
        let servers = try await PeerServers.shared
        let id = UUID().uuidString
        let link = Link.open(RealtimeConnectRequest(url: try servers.url("/mute?id=\(id)")))
        #expect(await link.next() == .opened(subprotocol: nil))
        link.channel.close(code: 1000, reason: "")
        link.channel.cancel()
        #expect(try await servers.seen(id) == "gone")
        #expect(link.told == [.opened(subprotocol: nil)])
    }
}
