import Foundation
import RealtimeVoice
import Testing

@testable import realtime

/// What the documents say is checked where it can be: each Swift block is compiled, the contract
/// of barge-in stands everywhere in the same words, and the tables are the program's own.
struct DocumentationTests {
    @Test(arguments: Document.all)
    func everySwiftBlockIsCompiled(_ document: Document) throws {
        let snippets = try Snippet.all()
        for block in document.swiftBlocks {
            #expect(
                snippets.contains { $0.contains(block.lines) },
                "\(document.name):\(block.line): no snippet in Tests/DocumentationTests has this")
        }
    }

    @Test func theDocumentsAreFound() throws {
        let names = Document.all.map(\.name)
        #expect(names.contains("README.md"))
        #expect(names.contains { $0.hasSuffix(".docc/BargeIn.md") })
        #expect(Document.all.flatMap(\.swiftBlocks).count > 20)
        #expect(try Snippet.all().count > 20)
    }

    /// The words that a player is written against.
    private static let contract = """
        What was heard since the first piece of the response that is audible now, running on over \
        its further items and over what is queued right behind it, starting again after an \
        interruption.
        """

    @Test(arguments: [
        "Sources/RealtimeVoice/Session/Connection/RealtimeConnection+Calls.swift",
        "Sources/RealtimeVoice/Session/RealtimeSession+Calls.swift",
        "Sources/RealtimeVoice/RealtimeVoice.docc/BargeIn.md",
    ])
    func theContractStandsThereWordForWord(_ path: String) throws {
        let text = try String(contentsOf: Document.root.appending(path: path), encoding: .utf8)
        let words = text.split(whereSeparator: \.isWhitespace).filter { $0 != "///" && $0 != ">" }
        #expect(words.joined(separator: " ").contains(Self.contract))
    }

    @Test(arguments: ExitCode.allCases)
    func theExitCodeIsListed(_ code: ExitCode) throws {
        let readme = try String(
            contentsOf: Document.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("| \(code.rawValue) | \(code.meaning) |"))
    }
}

/// A text with code in it: a Markdown file, or a source file with doc comments.
struct Document: Sendable, CustomTestStringConvertible {
    struct Block {
        /// The line of the opening fence.
        var line: Int
        var lines: [String]
    }

    let name: String
    var testDescription: String { name }

    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let all: [Document] = {
        let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        let below = ["Sources", "Examples"].flatMap { folder in
            files(below: folder).filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }
        }
        return (top + below.sorted()).map { Document(name: $0) }
            .filter { $0.name.hasSuffix(".md") || !$0.swiftBlocks.isEmpty }
    }()

    static func files(below folder: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (paths?.allObjects ?? []).compactMap { path in
            (path as? String).map { "\(folder)/\($0)" }
        }
    }

    var swiftBlocks: [Block] {
        let text = try? String(
            contentsOf: Self.root.appending(path: name), encoding: .utf8)
        let isSource = name.hasSuffix(".swift")
        var blocks: [Block] = []
        var open: Block?
        for (index, rawLine) in (text ?? "").components(separatedBy: "\n").enumerated() {
            var line = rawLine.trimmingCharacters(in: .whitespaces)
            if isSource {
                guard line.hasPrefix("///") else { continue }
                line = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
            }
            if var block = open {
                if line.hasPrefix("```") {
                    blocks.append(block)
                    open = nil
                } else {
                    block.lines.append(line)
                    open = block
                }
            } else if line.hasPrefix("```swift") {
                open = Block(line: index + 1, lines: [])
            }
        }
        return blocks
    }
}

/// Code between `// snippet.begin NAME` and `// snippet.end`; indentation doesn't count.
struct Snippet {
    let name: String
    var lines: [String] = []

    static func all() throws -> [Snippet] {
        var snippets: [Snippet] = []
        for path in Document.files(below: "Tests/DocumentationTests/Snippets") {
            let text = try String(
                contentsOf: Document.root.appending(path: path), encoding: .utf8)
            var open: Snippet?
            for rawLine in text.components(separatedBy: "\n") {
                let line = rawLine.trimmingCharacters(in: .whitespaces)
                if line.hasPrefix("// snippet.begin ") {
                    open = Snippet(name: String(line.dropFirst("// snippet.begin ".count)))
                } else if line == "// snippet.end", let snippet = open {
                    snippets.append(snippet)
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            }
        }
        return snippets
    }

    /// Whether some of this snippet's lines, one behind the other, are those of a block.
    func contains(_ block: [String]) -> Bool {
        guard !block.isEmpty, block.count <= lines.count else { return false }
        return (0...(lines.count - block.count)).contains { start in
            Array(lines[start..<(start + block.count)]) == block
        }
    }
}
