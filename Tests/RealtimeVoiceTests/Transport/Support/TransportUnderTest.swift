import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// A transport with a server for the scenarios that every transport must pass.
///
/// The server's paths: `/echo` accepts the first subprotocol and sends everything back,
/// `/close` closes at once, `/status` refuses, `/silent` does not answer, `/fin` drops.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Sends a request for a path to the server.
    var open: @Sendable (String, [String]) async throws -> Link

    static let platform = TransportUnderTest(testDescription: "platform") { path, subprotocols in
        let servers = try await PeerServers.shared
        let isLibrary = path.hasPrefix("/echo") || path.hasPrefix("/close")
        let url = try servers.url(path, on: isLibrary ? "ws" : "raw")
        return Link.open(RealtimeConnectRequest(url: url, subprotocols: subprotocols))
    }

    static let inMemory = TransportUnderTest(testDescription: "in memory") { path, subprotocols in
        let url = try #require(URL(string: "ws://memory\(path)"))
        let transport = InMemoryTransport()
        let request = RealtimeConnectRequest(url: url, subprotocols: subprotocols)
        let link = Link.open(request, transport)
        let connection = try #require(await transport.nextConnection())
        Task { await serve(connection) }
        return link
    }

    static let all =
        PeerServers.canRun && PeerServers.hasLibrary ? [platform, inMemory] : [inMemory]

    private static func serve(_ connection: InMemoryConnection) async {
        let parts = URLComponents(url: connection.request.url, resolvingAgainstBaseURL: false)
        let query = Dictionary(
            (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        let code = query["code"].flatMap { Int($0) } ?? 0
        switch connection.request.url.path {
        case "/echo":
            connection.accept(subprotocol: connection.request.subprotocols.first)
            for await case .message(let frame) in connection { connection.send(frame) }
        case "/close":
            connection.accept()
            connection.close(code: code, reason: query["reason"] ?? "")
        case "/status":
            let message = "The server refused the WebSocket upgrade."
            let body = #"{"error":{"message":"no"}}"#
            connection.refuse(
                RealtimeError(.httpStatus, message, httpStatus: code, httpBody: body)
            )
        case "/fin":
            connection.accept()
            connection.send(RealtimeFrame("last"))
            connection.drop()
        default:
            return
        }
    }
}
