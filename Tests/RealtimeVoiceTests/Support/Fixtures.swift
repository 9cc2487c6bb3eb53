import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// The recorded sessions of the real services, which are kept beside the project.
enum Fixtures {
    /// Named by the environment, or beside the project; a worktree lies one folder deeper.
    static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["REALTIME_FIXTURES"] {
            return URL(filePath: path)
        }
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return ["../shared/fixtures", "../../shared/fixtures"]
            .map { root.appending(path: $0).standardized }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    static let absence: Comment = "no recordings: set REALTIME_FIXTURES or have ../shared/fixtures"

    static let all: [Fixture] = {
        guard let folder,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().map {
            Fixture(name: String($0.dropLast(6)), folder: folder)
        }
    }()

    /// The recordings of sockets, in OpenAI's vocabulary.
    static let openAIFamily = all.filter {
        !$0.name.hasPrefix("google") && !$0.name.contains("-http-")
            && !$0.name.contains("translation")
    }

    static let http = all.filter { $0.name.contains("-http-") }
    static let sockets = all.filter { !$0.name.contains("-http-") }
}

/// One recorded session with what an independent reader made of it.
struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let folder: URL

    var testDescription: String { name }

    func recording() throws -> Recording {
        try Recording(Data(contentsOf: folder.appending(path: name + ".jsonl")))
    }

    func expected() throws -> JSONValue {
        try JSONValue(
            parsing: Array(Data(contentsOf: folder.appending(path: name + ".expected.json"))))
    }
}
