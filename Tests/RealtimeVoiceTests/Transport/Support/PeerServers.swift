import Foundation
import RealtimeVoice

/// The Python process with the servers of `Tests/Interop/peer.py`, one for the whole test run.
struct PeerServers: Sendable {
    private struct Announcement: Decodable {
        var ports: [String: Int]
        var folder: String
    }

    struct Unavailable: Error {}

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let environmentPython = root.appending(path: ".cache/python/bin/python").path

    /// Whether the peers that need no package can run.
    static let canRun = python != nil && find("openssl") != nil
    /// Whether the peers of the `websockets` package can run.
    static let hasLibrary = FileManager.default.isExecutableFile(atPath: environmentPython)
    static let libraryAdvice: String =
        "the Python package websockets is missing: run Tests/Interop/setup-python.sh"

    private static let python: String? =
        FileManager.default.isExecutableFile(atPath: environmentPython)
        ? environmentPython : find("python3")

    private static let running = Task { try await launch() }
    /// The servers end when this closes, with the process.
    private static let standardInput = Pipe()

    private var ports: [String: Int]
    /// The folder with the certificates.
    var folder: String

    /// The servers, started by the first who asks.
    static var shared: PeerServers {
        get async throws { try await running.value }
    }

    private static func find(_ program: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func launch() async throws -> PeerServers {
        guard let python else { throw Unavailable() }
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [root.appending(path: "Tests/Interop/peer.py").path]
        process.standardInput = standardInput
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line: Data = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line = Data()
                while !line.contains(0x0A) {
                    let piece = output.fileHandleForReading.availableData
                    guard !piece.isEmpty else { break }
                    line += piece
                }
                continuation.resume(returning: line)
            }
        }
        let announcement = try JSONDecoder().decode(Announcement.self, from: line)
        return PeerServers(ports: announcement.ports, folder: announcement.folder)
    }

    func port(_ name: String) throws -> Int {
        guard let port = ports[name] else { throw Unavailable() }
        return port
    }

    func url(
        _ path: String,
        on name: String = "raw",
        scheme: String = "ws",
        host: String = "127.0.0.1"
    ) throws -> URL {
        guard let url = URL(string: "\(scheme)://\(host):\(try port(name))\(path)") else {
            throw Unavailable()
        }
        return url
    }

    var authority: String { "\(folder)/ca.pem" }

    /// What a run's server noted about its client: a close code with its reason, or `gone`.
    func seen(_ id: String) async throws -> String {
        let link = Link.open(RealtimeConnectRequest(url: try url("/seen?id=\(id)")))
        _ = await link.next()
        guard case .received(let frame) = await link.next() else { throw Unavailable() }
        return String(decoding: frame.bytes, as: UTF8.self)
    }

    /// Waits until a run's client has connected.
    func arrived(_ id: String) async throws {
        let link = Link.open(RealtimeConnectRequest(url: try url("/arrived?id=\(id)")))
        _ = await link.rest()
    }

    /// Lets a run's server go on.
    func release(_ id: String) async throws {
        let link = Link.open(RealtimeConnectRequest(url: try url("/release?id=\(id)")))
        _ = await link.rest()
    }
}
