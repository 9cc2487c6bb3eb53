import Foundation
import RealtimeVoice

/// Runs every case of a fuzzing server, echoing what comes.
struct EchoClient {
    static let agent = "RealtimeVoice"

    var server: URL

    private struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    func run() async throws {
        let text = try await start()
        guard let count = Int(text) else { throw Failed(description: "no case count: \(text)") }
        for number in 1...max(1, count) {
            _ = try await echo("/runCase?case=\(number)&agent=\(Self.agent)")
        }
        _ = try await echo("/updateReports?agent=\(Self.agent)")
        print("ran \(count) cases")
    }

    /// Asks for the number of cases until the server is there.
    private func start() async throws -> String {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            do {
                return try await echo("/getCaseCount").first ?? ""
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Sends everything back until the server closes; returns the texts received.
    private func echo(_ path: String) async throws -> [String] {
        guard let url = URL(string: "\(server.absoluteString)\(path)") else {
            throw Failed(description: "the server's URL can't be used")
        }
        let request = RealtimeConnectRequest(url: url, maximumMessageBytes: 64 << 20)
        let (events, continuation) = AsyncStream.makeStream(of: RealtimeTransportEvent.self)
        let channel = DefaultTransport.make().open(request) { continuation.yield($0) }
        var texts: [String] = []
        for await event in events {
            switch event {
            case .received(let frame):
                if texts.isEmpty, frame.bytes.count < 100 {
                    texts.append(String(decoding: frame.bytes, as: UTF8.self))
                }
                // The server may have broken the connection meanwhile, as many cases do.
                try? channel.send(frame)
            case .failed(let error):
                throw error
            case .closed:
                return texts
            case .opened, .pong, .drained:
                break
            }
        }
        return texts
    }
}
