import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// Scenarios from files: what a user saw go wrong, and what is right.
///
/// Each `Scenarios/NAME.jsonl` is named for the symptom; its header says where that was reported
/// (`report`) and what is right (`right`). `NAME.expected.json` beside it holds the part of
/// `realtime replay --json`'s object that matters, in the terms of `Expectation`.
struct ScenarioTests {
    @Test(arguments: Scenario.all)
    func isRight(_ scenario: Scenario) throws {
        let recording = try scenario.recording()
        let result = try RealtimeReplay.run(recording).json
        let mismatches = Expectation.mismatches(of: result, with: try scenario.expected())
        let right = recording.header["right"]?.stringValue ?? ""
        let report = Comment(rawValue: "\(right)\n" + mismatches.joined(separator: "\n"))
        if recording.header["knownDisagreement"]?.boolValue == true {
            withKnownIssue { #expect(mismatches.isEmpty, report) }
        } else {
            #expect(mismatches.isEmpty, report)
        }
    }

    @Test(arguments: Scenario.all)
    func saysWhatItIsAbout(_ scenario: Scenario) throws {
        let recording = try scenario.recording()
        #expect(recording.header["report"]?.stringValue?.isEmpty == false)
        #expect(recording.header["right"]?.stringValue?.hasSuffix(".") == true)
        #expect(
            recording.lines.allSatisfy { line in
                if case .unreadable = line { false } else { true }
            })
        #expect(try scenario.expected().objectValue?.isEmpty == false)
    }

    @Test func thereAreEnough() {
        #expect(Scenario.all.count >= 70)
        for provider in ["openai-", "xai-", "gemini-"] {
            #expect(Scenario.all.contains { $0.name.hasPrefix(provider) })
        }
    }
}

/// A scenario and its expected result.
struct Scenario: Sendable, CustomTestStringConvertible {
    let name: String
    let folder: URL

    var testDescription: String { name }

    static let all: [Scenario] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Scenarios")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().map {
            Scenario(name: String($0.dropLast(6)), folder: folder)
        }
    }()

    func recording() throws -> Recording {
        try Recording(Data(contentsOf: folder.appending(path: name + ".jsonl")))
    }

    func expected() throws -> JSONValue {
        try JSONValue(
            parsing: Array(Data(contentsOf: folder.appending(path: name + ".expected.json"))))
    }
}

/// Compares a result with the part of it that a scenario expects.
///
/// Of an object every expected member must match, an array must match as a whole, element by
/// element; `"*"` is anything that is there, and as a member `"!"` is nothing at all. Numbers
/// are compared by value.
enum Expectation {
    static func mismatches(
        of actual: JSONValue?, with expected: JSONValue, at path: String = ""
    ) -> [String] {
        if expected == "!" {
            return actual == nil ? [] : ["\(path): nothing expected, found \(text(actual))"]
        }
        guard let actual else { return ["\(path): missing, expected \(text(expected))"] }
        if expected == "*" { return [] }
        switch (expected, actual) {
        case (.object(let members), .object(let others)):
            return members.sorted { $0.key < $1.key }.flatMap { name, value in
                mismatches(of: others[name], with: value, at: "\(path).\(name)")
            }
        case (.array(let elements), .array(let others)):
            guard elements.count == others.count else {
                return [
                    "\(path): expected \(elements.count) elements \(text(expected)), "
                        + "found \(others.count): \(text(actual))"
                ]
            }
            return zip(elements, others).enumerated().flatMap { index, pair in
                mismatches(of: pair.1, with: pair.0, at: "\(path)[\(index)]")
            }
        default:
            let areSame =
                if let number = expected.doubleValue {
                    number == actual.doubleValue
                } else {
                    expected == actual
                }
            return areSame
                ? [] : ["\(path): expected \(text(expected)), found \(text(actual))"]
        }
    }

    private static func text(_ json: JSONValue?) -> String {
        let text = json?.serialized() ?? "nothing"
        return text.count > 900 ? text.prefix(900) + "…" : text
    }
}
