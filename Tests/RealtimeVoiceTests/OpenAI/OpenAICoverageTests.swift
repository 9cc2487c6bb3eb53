import Foundation
import RealtimeVoice
import Testing

/// Keeps the coverage tables of the providers' READMEs true.
struct OpenAICoverageTests {
    @Test func theFirstTableNamesWhatTheDecoderLooksFor() throws {
        let readme = try ProviderFolder.openAI.read("README.md")
        let documented = Set(ProviderTable(readme, under: "## Server messages").rows.map(\.name))
        var handled: Set<String> = []
        for file in ["OpenAIDecoder.swift", "OpenAITranslation.swift"] {
            handled.formUnion(messageTypes(in: try ProviderFolder.openAI.read(file)))
        }
        #expect(handled.count > 40)
        #expect(documented == handled)
    }

    @Test func theFirstTableTellsTheEventsThatCome() throws {
        let readme = try ProviderFolder.openAI.read("README.md")
        for row in ProviderTable(readme, under: "## Server messages").rows {
            try row.checkEvents(by: OpenAIRealtimeModel("m"))
        }
    }

    @Test func theSecondTableNamesCustomEvents() throws {
        let readme = try ProviderFolder.openAI.read("README.md")
        let rows = ProviderTable(readme, under: "### `custom` events").rows
        #expect(rows.count > 15)
        for row in rows { try row.checkCustom(by: OpenAIRealtimeModel("m")) }
        let names = Set(rows.map(\.name))
        #expect(
            FixtureReplayTests.customTypes.filter { $0.contains(".") || $0 == "ping" }
                .subtracting(names) == [])
    }

    @Test func theClientTableNamesTheMessages() throws {
        let readme = try ProviderFolder.openAI.read("README.md")
        let rows = ProviderTable(readme, under: "## Client events").rows
        var types: [String: String] = [:]
        for row in OpenAIClientEventTests.rows {
            let type = row.message["type"]?.stringValue
            types[name(of: row.event)] = types[name(of: row.event)] ?? type
        }
        for row in rows where row.name != "sessionUpdate" && row.name != "raw" {
            let type = try #require(types[row.name])
            #expect(row.text.contains("`\(type)`"), "\(row.name)")
        }
        #expect(rows.count == 12)
    }

    private func name(of event: RealtimeClientEvent) -> String {
        String("\(event)".prefix { $0 != "(" })
    }

    /// The quoted texts of a source that are types of messages.
    private func messageTypes(in source: String) -> Set<String> {
        Set(
            source.components(separatedBy: "\"").filter { text in
                text == "error"
                    || text.contains(".") && !text.hasSuffix(".")
                        && text.allSatisfy { $0.isLowercase || $0 == "." || $0 == "_" }
            })
    }
}

/// A provider's folder in the sources.
struct ProviderFolder {
    let name: String

    static let openAI = ProviderFolder(name: "OpenAI")
    static let xai = ProviderFolder(name: "XAI")

    func read(_ file: String) throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(
            contentsOf: root.appending(path: "Sources/RealtimeVoice/Providers/\(name)/\(file)"),
            encoding: .utf8)
    }
}

/// The first table under a heading of a README.
struct ProviderTable {
    struct Row {
        let name: String
        let text: String

        /// The events that the second column names come of such a message, and no others.
        func checkEvents(by model: any RealtimeModel) throws {
            let words = text.components(separatedBy: "`").enumerated().filter { $0.0 % 2 == 1 }
                .map(\.1)
            let known = Set(words).intersection(Self.eventNames)
            #expect(!known.isEmpty, "\(name)")
            var codec = model.makeCodec()
            var came: Set<String> = []
            for opening in opening { _ = try codec.decode(RealtimeFrame(opening)) }
            for frame in frames {
                came.formUnion(try codec.decode(RealtimeFrame(frame)).map(\.name))
            }
            #expect(came == known, "\(name)")
        }

        func checkCustom(by model: any RealtimeModel) throws {
            var codec = model.makeCodec()
            let frame = RealtimeFrame(#"{"type":"\#(name)","delta":"x","item_id":"i"}"#)
            #expect(
                try codec.decode(frame)
                    == [.custom(rawType: name, raw: RealtimeRawPayload(frame.bytes))])
        }

        private var frames: [String] {
            let item = #""item":{"id":"i","type":"message","status":"completed"}"#
            return [
                #"{"type":"\#(name)","item_id":"i","response_id":"r","delta":"AAAA",\#(item),"#
                    + #""response":{"id":"r"},"session":{"id":"s"},"error":{}}"#
            ]
        }

        private var opening: [String] {
            guard name == "session.closed" else { return [] }
            return ["input_transcript", "output_audio"].map {
                #"{"type":"session.\#($0).delta","delta":"AAAA"}"#
            }
        }

        private static let eventNames: Set<String> = [
            "sessionCreated", "sessionUpdated", "speechStarted", "speechStopped",
            "audioCommitted", "conversationItemAdded", "conversationItemDone",
            "conversationItemRetrieved", "audioCleared", "inputTranscriptionDelta",
            "inputTranscriptionCompleted", "inputTranscriptionFailed", "responseCreated",
            "responseDone", "outputItemAdded", "outputItemDone", "contentPartAdded",
            "contentPartDone", "audioDelta", "audioDone", "audioTranscriptDelta",
            "audioTranscriptDone", "textDelta", "textDone", "functionCallArgumentsDelta",
            "functionCallArgumentsDone", "itemTruncated", "itemDeleted", "usage", "error",
            "custom",
        ]
    }

    let rows: [Row]

    init(_ readme: String, under heading: String) {
        let section = readme.components(separatedBy: heading + "\n").dropFirst().first ?? ""
        var rows: [Row] = []
        for line in section.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("| `") {
                let columns = line.components(separatedBy: "|")
                let name = columns[1].filter { $0 != "`" && $0 != " " }
                rows.append(Row(name: name, text: columns.dropFirst(2).joined(separator: "|")))
            } else if !rows.isEmpty {
                break
            }
        }
        self.rows = rows
    }
}
