import Foundation
import RealtimeVoice
import Testing

/// Keeps the coverage table of the provider's README true.
struct GoogleCoverageTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/RealtimeVoice/Providers/Google")

    private func read(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    /// The names in the first column of the first table.
    private func documented() throws -> Set<String> {
        let text = try read("README.md")
        let section = try #require(text.components(separatedBy: "## Server messages\n").last)
        let table = try #require(section.components(separatedBy: "### `custom`").first)
        return Set(
            table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
                String($0.dropFirst(3).prefix { $0 != "`" })
            })
    }

    @Test func theTableNamesWhatTheDecoderLooksFor() throws {
        let source = try read("GoogleFrame.swift")
        var handled: Set<String> = []
        for piece in source.components(separatedBy: "matches(name, \"").dropFirst() {
            handled.insert(String(piece.prefix { $0 != "\"" }))
        }
        #expect(handled.count > 25)
        #expect(try documented() == handled)
    }

    /// One message for each name that brings events by itself, and the events.
    private static let samples: [(name: String, frame: String, events: [String])] = [
        ("setupComplete", #"{"setupComplete":{}}"#, ["sessionCreated", "sessionUpdated"]),
        ("usageMetadata", #"{"usageMetadata":{}}"#, ["usage"]),
        ("toolCall", GoogleFrames.call("f", id: "a"), ["functionCallArgumentsDone"]),
        ("toolCallCancellation", #"{"toolCallCancellation":{"ids":["a"]}}"#, ["toolCallCancelled"]),
        ("goAway", #"{"goAway":{}}"#, ["goingAway"]),
        ("voiceActivity", #"{"voiceActivity":{"type":"ACTIVITY_END"}}"#, ["speechStopped"]),
        (
            "voiceActivityDetectionSignal",
            #"{"voiceActivityDetectionSignal":{"vadSignalType":"VAD_SIGNAL_TYPE_EOS"}}"#,
            ["speechStopped"]
        ),
        ("error", #"{"error":{}}"#, ["error"]),
        ("code", #"{"code":1}"#, ["error"]),
        ("outputTranscription", GoogleFrames.said("x"), ["audioTranscriptDelta"]),
        (
            "inputTranscription", GoogleFrames.heard("x"),
            ["conversationItemAdded", "inputTranscriptionDelta"]
        ),
        ("interrupted", GoogleFrames.interrupted, ["interrupted"]),
        ("text", GoogleFrames.parts(#"{"text":"x"}"#), ["textDelta"]),
        ("thought", GoogleFrames.parts(#"{"text":"x","thought":true}"#), ["reasoningDelta"]),
        ("inlineData", GoogleFrames.audio, ["audioDelta"]),
        (
            "functionCall", GoogleFrames.parts(#"{"functionCall":{"name":"f","id":"a"}}"#),
            ["functionCallArgumentsDone"]
        ),
    ]

    @Test func theTableTellsTheEventsThatCome() throws {
        let rows = try read("README.md").split(separator: "\n")
        for sample in Self.samples {
            var trace = GoogleTrace()
            let names = try trace.events(sample.frame).map(\.name)
            let row = try #require(rows.first { $0.hasPrefix("| `\(sample.name)` |") })
            for event in sample.events {
                #expect(names.contains(event), "\(sample.name)")
                #expect(row.contains("`\(event)`"), "\(sample.name): \(event)")
            }
            #expect(!names.contains("custom"), "\(sample.name)")
        }
    }
}
