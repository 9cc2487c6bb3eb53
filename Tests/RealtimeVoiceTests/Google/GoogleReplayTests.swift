import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// A recorded session of the real service, and what an independent reader made of it.
struct GoogleRecording: Sendable, CustomTestStringConvertible {
    let name: String
    let modelID: String
    /// What the server sent, in order.
    let received: [[UInt8]]
    let expected: JSONValue

    var testDescription: String { name }

    static let all: [GoogleRecording] = {
        guard let folder = Fixtures.folder,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return names.filter { $0.hasPrefix("google-") && $0.hasSuffix(".jsonl") }.sorted()
            .compactMap { try? GoogleRecording(folder.appending(path: $0)) }
    }()

    private init(_ url: URL) throws {
        name = url.deletingPathExtension().lastPathComponent
        let lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n"))
            .map { try JSONValue(parsing: Array($0)) }
        modelID = lines.first?["model"]?.stringValue ?? "gemini-2.5-flash-native-audio-latest"
        received = lines.filter { $0["dir"] == "recv" }.map { line in
            line["raw"]?.stringValue.map { Array($0.utf8) }
                ?? line["frame"]?.serializedBytes() ?? []
        }
        let reference = url.deletingPathExtension().appendingPathExtension("expected.json")
        expected = try JSONValue(parsing: Array(Data(contentsOf: reference)))
    }

    /// What the events of a session come to, in the terms of the reference.
    struct Outcome {
        struct Turn {
            var text = ""
            var thoughts = ""
            var transcript = ""
            var audio = Data()
            var calls: [JSONValue] = []
            var status: String?
            var finalTranscript: String?
        }

        var turns: [String: Turn] = [:]
        var order: [String] = []
        var heard: [String: String] = [:]
        var usage: [JSONValue] = []
        var customs: [String] = []
        var errors = 0

        mutating func take(_ event: RealtimeServerEvent) {
            switch event {
            case .responseCreated(let id, _, _, _):
                order.append(id)
                turns[id] = Turn()
            case .textDelta(let id, let delta, _): turns[id.responseID ?? ""]?.text += delta
            case .reasoningDelta(let id, let delta, _):
                turns[id.responseID ?? ""]?.thoughts += delta
            case .audioTranscriptDelta(let id, let delta, _, _):
                turns[id.responseID ?? ""]?.transcript += delta
            case .audioTranscriptDone(let id, let text, _):
                turns[id.responseID ?? ""]?.finalTranscript = text
            case .audioDelta(let id, let data, _, _): turns[id.responseID ?? ""]?.audio += data
            case .functionCallArgumentsDone(let id, _, let callID, let name, let arguments, _):
                let call: JSONValue = [
                    "call_id": callID.hasPrefix("local_") ? .null : .string(callID),
                    "name": .string(name ?? ""),
                    "arguments": (try? JSONValue(parsing: arguments)) ?? .null,
                ]
                turns[id ?? ""]?.calls.append(call)
            case .responseDone(let response, _):
                turns[response.id]?.status = response.status.rawValue
                if let usage = response.usage { self.usage.append(usage.raw) }
            case .usage(let usage, _, _): self.usage.append(usage.raw)
            case .inputTranscriptionCompleted(let id, let text, _, _, _):
                heard[id.itemID] = text
            case .custom(let rawType, _): customs.append(rawType)
            case .error: errors += 1
            default: break
            }
        }
    }
}

@Suite(
    .enabled(
        if: !GoogleRecording.all.isEmpty,
        "no recordings: set REALTIME_FIXTURES or put them in ../shared/fixtures"))
struct GoogleReplayTests {
    @Test(arguments: GoogleRecording.all)
    func recordingsReplayToTheReference(_ recording: GoogleRecording) throws {
        var codec = GoogleRealtimeModel(recording.modelID).makeCodec()
        var outcome = GoogleRecording.Outcome()
        for frame in recording.received {
            for event in try codec.decode(RealtimeFrame(kind: .binary, bytes: frame)) {
                outcome.take(event)
            }
        }
        let expected = recording.expected
        let turns = (expected["turns"]?.arrayValue ?? []).filter { turn in
            // Without content there is no response.
            ["text", "thought_text", "output_transcription"].contains { turn[$0] != "" }
                || turn["audio"]?["chunks"] != 0 || turn["tool_calls"] != [] || turn["code"] != []
        }
        try #require(turns.count == outcome.order.count)
        for (id, turn) in zip(outcome.order, turns) {
            let actual = try #require(outcome.turns[id])
            let transcript = trimmed(turn["output_transcription"])
            #expect(actual.text == turn["text"]?.stringValue)
            #expect(actual.thoughts == turn["thought_text"]?.stringValue)
            #expect(actual.transcript == transcript)
            #expect(actual.finalTranscript ?? transcript == transcript)
            #expect(actual.audio.count == turn["audio"]?["bytes"]?.intValue)
            #expect(SHA256.hex(of: actual.audio) == turn["audio"]?["sha256"]?.stringValue)
            #expect(.array(actual.calls) == turn["tool_calls"])
            let status: String? = turn["turn_complete"] == true ? "completed" : nil
            #expect(actual.status == status)
        }
        #expect(
            outcome.heard.values.sorted().joined() == trimmed(expected["user_transcript"]))
        let reports = expected["usage_reports"]?.arrayValue?.compactMap { $0["usage"] }
        #expect(outcome.usage == reports)
        #expect(outcome.errors == expected["errors"]?.arrayValue?.count)
        let updates = expected["resumption_updates"]?.arrayValue?.count
        #expect(outcome.customs.count { $0 == "sessionResumptionUpdate" } == updates)
        let known: Set = ["sessionResumptionUpdate", "executableCode", "codeExecutionResult"]
        #expect(Set(outcome.customs).isSubset(of: known))
    }

    private func trimmed(_ value: JSONValue?) -> String {
        let text = value?.stringValue ?? ""
        return text.hasPrefix(" ") ? String(text.dropFirst()) : text
    }

    /// The words stand where they were said, in one message each.
    @Test(arguments: GoogleRecording.all)
    func recordingsBecomeMessagesInOrder(_ recording: GoogleRecording) throws {
        var codec = GoogleRealtimeModel(recording.modelID).makeCodec()
        var reducer = ConversationReducer()
        var responses = 0
        for frame in recording.received {
            for event in try codec.decode(RealtimeFrame(kind: .binary, bytes: frame)) {
                reducer.reduce(event)
                if case .responseCreated = event { responses += 1 }
            }
        }
        let messages = reducer.messages
        #expect(messages.count { $0.role == .assistant } <= responses)
        #expect(Set(messages.map(\.id)).count == messages.count)
        let heard = trimmed(recording.expected["user_transcript"])
        if !heard.isEmpty {
            #expect(messages.first?.role == .user)
            #expect(texts(messages.first) == [heard])
        }
        let said = trimmed(recording.expected["assistant_transcript"])
        if !said.isEmpty {
            #expect(messages.flatMap { $0.role == .assistant ? texts($0) : [] } == [said])
        }
    }

    private func texts(_ message: UIMessage?) -> [String] {
        (message?.parts ?? []).compactMap { part in
            guard case .text(let text) = part else { return nil }
            return text.text
        }
    }

    @Test func allRecordingsAreThere() {
        #expect(GoogleRecording.all.count >= 24)
        #expect(
            SHA256.hex(of: Data("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    // MARK: Robustness

    /// Reads frames that may be broken; an error is an answer, a crash is not.
    private func survive(_ frames: [[UInt8]], modelID: String) {
        var codec = GoogleRealtimeModel(modelID).makeCodec()
        for frame in frames { _ = try? codec.decode(RealtimeFrame(kind: .text, bytes: frame)) }
    }

    @Test(arguments: GoogleRecording.all)
    func noTruncationOfAFrameIsReadOrFatal(_ recording: GoogleRecording) {
        var codec = GoogleRealtimeModel(recording.modelID).makeCodec()
        for frame in Set(recording.received) where frame.count < 2_000 {
            let end = frame.lastIndex(of: UInt8(ascii: "}")) ?? 0
            for count in 0..<end {
                let cut = RealtimeFrame(kind: .text, bytes: Array(frame[..<count]))
                #expect(throws: RealtimeError.self) { try codec.decode(cut) }
            }
        }
    }

    @Test(arguments: GoogleRecording.all)
    func linesMayBeMissingDoubledOrSwapped(_ recording: GoogleRecording) {
        let frames = recording.received
        for index in frames.indices {
            var dropped = frames
            dropped.remove(at: index)
            survive(dropped, modelID: recording.modelID)
            var doubled = frames
            doubled.insert(frames[index], at: index)
            survive(doubled, modelID: recording.modelID)
            guard index + 1 < frames.count else { continue }
            var swapped = frames
            swapped.swapAt(index, index + 1)
            survive(swapped, modelID: recording.modelID)
        }
    }

    @Test func mutationsDoNotCrash() {
        var random = SeededRandom(state: 20_261_130)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(1)
        let pool = GoogleRecording.all.flatMap(\.received).filter { $0.count < 4_000 }
        var codec = GoogleRealtimeModel("gemini-3.8-live").makeCodec()
        var count = 0
        while clock.now < end, var frame = pool.randomElement(using: &random) {
            for _ in 0..<Int.random(in: 1...4, using: &random) where !frame.isEmpty {
                let index = Int.random(in: frame.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: frame[index] = UInt8.random(in: 0...255, using: &random)
                case 1: frame.remove(at: index)
                case 2: frame.insert(frame[index], at: index)
                default:
                    let piece = Array("[]{}\",:\\u0e1-".utf8).randomElement(using: &random) ?? 0
                    frame.insert(piece, at: index)
                }
            }
            _ = try? codec.decode(RealtimeFrame(kind: .text, bytes: frame))
            count += 1
            if count.isMultiple(of: 500) {
                codec = GoogleRealtimeModel("gemini-3.8-live").makeCodec()
            }
        }
        #expect(count > 0)
    }

    @Test func hostileFramesAreDiagnosed() {
        let deep = String(repeating: #"{"a":"#, count: 10_000)
        let frames = [
            deep, #"{"serverContent":\#(deep)}"#, #"{"toolCall":\#(deep)}"#,
            #"{"toolCall":{"functionCalls":[{"name":"f","args":\#(String(repeating: "[", count: 9_000))"#,
            #"{"usageMetadata":{"totalTokenCount":1e999,"promptTokenCount":99999999999999999999}}"#,
            #"{"serverContent":{"outputTranscription":{"text":"\ud800 \udc00 \u0000"}}}"#,
            #"{"serverContent":{"turnComplete":true,"turnComplete":false}}"#,
        ]
        survive(frames.map { Array($0.utf8) } + [[0xFF, 0xFE], [0x7B, 0xC3, 0x7D]], modelID: "m")
    }
}

/// A generator whose numbers a failure can be reproduced from.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
