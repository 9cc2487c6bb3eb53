import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

@Suite(.enabled(if: !Fixtures.all.isEmpty, Fixtures.absence))
struct FixtureReplayTests {
    /// Server messages that say nothing portable; each stands in the provider's README.
    static let customTypes: Set<String> = [
        "rate_limits.updated", "conversation.created", "ping", "output_audio_buffer.started",
        "output_audio_buffer.stopped", "output_audio_buffer.cleared", "session.closed",
        "sessionResumptionUpdate", "groundingMetadata", "executableCode", "codeExecutionResult",
        "urlContextMetadata",
    ]

    @Test(arguments: Fixtures.openAIFamily)
    func textsCallsAudioAndUsageAreTheReference(_ fixture: Fixture) throws {
        let result = try RealtimeReplay.run(fixture.recording())
        let expected = try fixture.expected()
        var finals = finals(expected)
        // What xAI repeats when a conversation is resumed is shown already.
        if fixture.name.contains("resumption") {
            finals["86cf9c33-5d63-408e-b29e-24d63935dcd4"] = nil
        }
        #expect(texts(result) == finals)
        let transcripts = (expected["user_transcripts"]?.objectValue ?? [:])
            .compactMapValues { finalText($0) }
        #expect(result.userTranscripts == transcripts)
        let calls = (expected["tool_calls"]?.arrayValue ?? []).map { $0["arguments"] ?? .null }
        #expect(result.toolCalls.map { $0.input } == calls)
        #expect(audio(result) == audio(expected))
        let statuses = (expected["responses"]?.arrayValue ?? []).map { $0["status"]?.stringValue }
        #expect(result.responses.map { $0.status } == statuses)
        #expect(usage(result.usage) == usage(expected["usage_totals"]))
        #expect(
            usage(result.transcriptionUsage) == usage(expected["transcription_usage_totals"]))
        #expect(result.errors.count == expected["errors"]?.arrayValue?.count)
    }

    @Test(arguments: Fixtures.sockets)
    func everyFrameIsReadAndLittleIsCustom(_ fixture: Fixture) throws {
        let result = try RealtimeReplay.run(fixture.recording())
        #expect(result.undecodable == 0)
        #expect(Set(result.custom.keys).subtracting(Self.customTypes) == [])
        let closes = try fixture.expected()["closes"]?.arrayValue ?? []
        #expect(result.closes.map { JSONValue.int($0.code) } == closes.map { $0["code"] })
    }

    @Test(arguments: Fixtures.sockets)
    func nothingStaysStreamingAndNothingStandsTwice(_ fixture: Fixture) throws {
        let result = try RealtimeReplay.run(fixture.recording())
        let states = result.messages.flatMap { $0.parts.compactMap { $0.text?.state } }
        let assistant = result.messages.filter { $0.role == .assistant }
        #expect(
            assistant.flatMap { $0.parts.compactMap { $0.text?.state } }
                .allSatisfy { $0 == .done }, "\(states)")
        #expect(Set(result.messages.map(\.id)).count == result.messages.count)
    }

    @Test(arguments: Fixtures.http)
    func clientSecretsHaveTheRecordedShape(_ fixture: Fixture) throws {
        let result = try RealtimeReplay.run(fixture.recording())
        #expect(!result.http.isEmpty)
        for (check, fault) in result.http { #expect(fault == nil, "\(check)") }
    }

    // MARK: The reference's terms

    private func texts(_ result: ReplayResult) -> [String: [String: String]] {
        result.assistantTexts.mapValues { texts in
            Dictionary(uniqueKeysWithValues: texts.map { (String($0.key), $0.value) })
        }
    }

    /// The reference's texts of the model's answers and of what was seeded.
    private func finals(_ expected: JSONValue) -> [String: [String: String]] {
        var finals: [String: [String: String]] = [:]
        for field in ["assistant_text", "assistant_transcripts"] {
            for (item, parts) in expected[field]?.objectValue ?? [:] {
                for (index, part) in parts.objectValue ?? [:] {
                    finals[item, default: [:]][index] = part["final"]?.stringValue
                }
            }
        }
        for (id, item) in expected["items"]?.objectValue ?? [:]
        where item["role"]?.stringValue == "assistant" && finals[id] == nil {
            for (index, text) in (item["content_text"]?.arrayValue ?? []).enumerated() {
                guard let text = text.stringValue, !text.isEmpty else { continue }
                finals[id, default: [:]][String(index)] = text
            }
        }
        return finals
    }

    private func finalText(_ transcript: JSONValue) -> String? {
        transcript["final"]?.stringValue ?? transcript["0"]?["final"]?.stringValue
            ?? transcript["completed"]?.stringValue
    }

    private func audio(_ result: ReplayResult) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: result.audio.map {
                ("\($0.content.itemID)/\($0.content.contentIndex)", "\($0.bytes) \($0.sha256)")
            })
    }

    private func audio(_ expected: JSONValue) -> [String: String] {
        var audio: [String: String] = [:]
        for (item, parts) in expected["audio"]?.objectValue ?? [:] {
            for (index, part) in parts.objectValue ?? [:] {
                let bytes = part["bytes"]?.intValue ?? 0
                audio["\(item)/\(index)"] = "\(bytes) \(part["sha256"]?.stringValue ?? "")"
            }
        }
        return audio
    }

    private func usage(_ sum: UsageSum) -> [String: Double] {
        sum.raw.filter { $0.value != 0 }
    }

    private func usage(_ expected: JSONValue?) -> [String: Double] {
        (expected?.objectValue ?? [:]).compactMapValues(\.doubleValue).filter { $0.value != 0 }
    }
}
