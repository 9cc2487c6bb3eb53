import Foundation
import RealtimeVoice
import Testing

@testable import RealtimeVoiceServer

struct SpokenTurnTests {
    private static let transcribing: JSONValue = [
        "audio": ["input": ["transcription": ["model": "whisper-1"]]]
    ]

    @Test func aTurnIsCutCommittedTranscribedAndAnswered() {
        var harness = WireHarness()
        harness.update(Self.transcribing)
        harness.say(milliseconds: 400, isLoud: false)
        let started = harness.say(milliseconds: 300, isLoud: true)
        #expect(started.kinds == ["input_audio_buffer.speech_started"])
        let item = started.first?["item_id"]
        let start = started.first?["audio_start_ms"]?.intValue ?? -1
        // 300 ms of padding before the speech at 400 ms; the resampler's edge may cost a frame.
        #expect((80...140).contains(start))
        let events = harness.say(milliseconds: 700, isLoud: false)
        let kinds = events.kinds.filter { !$0.hasPrefix("response.") || $0 == "response.created" }
        #expect(
            kinds == [
                "input_audio_buffer.speech_stopped", "input_audio_buffer.committed",
                "conversation.item.added", "conversation.item.done", "response.created",
                "conversation.item.input_audio_transcription.delta",
                "conversation.item.input_audio_transcription.completed",
                "conversation.item.added", "conversation.item.done", "rate_limits.updated",
            ])
        #expect(events.first("input_audio_buffer.committed")?["item_id"] == item)
        #expect(events.first("input_audio_buffer.committed")?["previous_item_id"] == .null)
        #expect(
            events.first("conversation.item.added")?["item"]?["content"]
                == [["type": "input_audio", "transcript": .null]])
        let completed = events.first("conversation.item.input_audio_transcription.completed")
        #expect(completed?["transcript"] == "hello")
        #expect(completed?["usage"]?["type"] == "duration")
    }

    @Test func aRecordingInOnePieceHasAllItsTurns() {
        var harness = WireHarness()
        harness.update([
            "audio": [
                "input": ["turn_detection": ["type": "server_vad", "create_response": false]]
            ]
        ])
        let tone = (0..<12_000).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }
        let silence = [Int16](repeating: 0, count: 24_000)
        let sound = base64(Array(PCM16.data(tone + silence + tone + silence)))
        let events = harness.client([
            "type": "input_audio_buffer.append", "audio": .string(sound),
        ])
        #expect(events.count { $0["type"] == "input_audio_buffer.committed" } == 2)
        let lengths = harness.machine.conversation.items.map { $0.heardSamples.count / 16 }
        // Half a second of speech and of silence each, the second with its padding.
        #expect(lengths.count == 2)
        #expect(lengths.allSatisfy { (950...1_600).contains($0) })
    }

    @Test func partialsStreamWhileTheUserSpeaks() {
        var harness = WireHarness()
        harness.update(Self.transcribing)
        let item =
            harness.say(milliseconds: 500, isLoud: true).first?["item_id"]?.stringValue ?? ""
        var deltas: [JSONValue] = []
        for text in ["What is", "What is the", "What is the weather"] {
            deltas += harness.feed(.heardPartial(item: item, text: text))
        }
        #expect(deltas.compactMap { $0["delta"]?.stringValue } == [" What is", " the"])
        harness.heardText = "What is the weather?"
        let events = harness.say(milliseconds: 700, isLoud: false)
        let rest = events.filter {
            $0["type"] == "conversation.item.input_audio_transcription.delta"
        }
        #expect(rest.compactMap { $0["delta"]?.stringValue } == [" weather?"])
    }

    @Test func speechInterruptsTheAnswer() {
        var harness = WireHarness(pace: SpeechPace(leadMilliseconds: 200, speedup: 1))
        harness.type("Count to five.")
        harness.client(["type": "response.create"])
        let events = harness.say(milliseconds: 300, isLoud: true)
        #expect(
            events.kinds == [
                "input_audio_buffer.speech_started", "response.output_audio.done",
                "response.output_audio_transcript.done", "response.content_part.done",
                "conversation.item.done", "response.output_item.done", "response.done",
                "rate_limits.updated",
            ])
        let response = events.first("response.done")?["response"]
        #expect(
            response?["status_details"] == ["type": "cancelled", "reason": "turn_detected"])
        #expect(response?["output"]?[0]?["status"] == "incomplete")
        // The interrupting turn is answered.
        let next = harness.say(milliseconds: 700, isLoud: false)
        #expect(next.first("response.created") != nil)
    }

    @Test func withoutInterruptionTheTurnIsAnsweredAfterwards() {
        var harness = WireHarness(pace: SpeechPace(leadMilliseconds: 200, speedup: 1))
        harness.update([
            "audio": [
                "input": ["turn_detection": ["type": "server_vad", "interrupt_response": false]]
            ]
        ])
        harness.type("Count to five.")
        harness.client(["type": "response.create"])
        harness.say(milliseconds: 300, isLoud: true)
        let stopped = harness.say(milliseconds: 700, isLoud: false)
        #expect(stopped.first("input_audio_buffer.committed") != nil)
        #expect(stopped.first("response.created") == nil)
        let later = harness.advance(to: 1_000)
        #expect(later.first("response.done")?["response"]?["status"] == "completed")
        #expect(later.first("response.created") != nil)
    }

    @Test func theClientMayCreateResponsesItself() {
        var harness = WireHarness()
        harness.update([
            "audio": [
                "input": ["turn_detection": ["type": "server_vad", "create_response": false]]
            ]
        ])
        harness.say(milliseconds: 300, isLoud: true)
        let events = harness.say(milliseconds: 700, isLoud: false)
        #expect(events.first("input_audio_buffer.committed") != nil)
        #expect(events.first("response.created") == nil)
    }

    @Test func pushToTalkCommitsByHand() {
        var harness = WireHarness()
        harness.update(["audio": ["input": ["turn_detection": .null]]])
        #expect(harness.say(milliseconds: 500, isLoud: true).isEmpty)
        #expect(
            harness.types(["type": "input_audio_buffer.commit"]) == [
                "input_audio_buffer.committed", "conversation.item.added",
                "conversation.item.done",
            ])
        #expect(
            harness.client(["type": "input_audio_buffer.commit"]).errorCode
                == "input_audio_buffer_commit_empty")
        #expect(harness.types(["type": "response.create"]).first == "response.created")
        harness.say(milliseconds: 500, isLoud: true)
        #expect(
            harness.types(["type": "input_audio_buffer.clear"])
                == ["input_audio_buffer.cleared"])
        #expect(
            harness.client(["type": "input_audio_buffer.commit"]).errorCode
                == "input_audio_buffer_commit_empty")
        // Hearing that was begun is dropped, or finished, never left.
        let begun = harness.actions.count { if case .beginHearing = $0 { true } else { false } }
        let over = harness.actions.count {
            switch $0 {
            case .finishHearing, .dropHearing: true
            default: false
            }
        }
        #expect(begun == over)
    }

    @Test func aResponseWaitsForTheWordsOfTheTurn() {
        var harness = WireHarness()
        harness.answersAtOnce = false
        harness.update(["audio": ["input": ["turn_detection": .null]]])
        harness.say(milliseconds: 500, isLoud: true)
        let committed = harness.client(["type": "input_audio_buffer.commit"])
        let item = committed.first?["item_id"]?.stringValue ?? ""
        harness.client(["type": "response.create"])
        func asked() -> Bool {
            harness.actions.contains { if case .ask = $0 { true } else { false } }
        }
        #expect(!asked())
        harness.feed(.heard(item: item, text: "hello"))
        #expect(asked())
    }

    @Test(arguments: ["audio/pcmu", "audio/pcma"])
    func telephoneAudioIsHeardAndSpoken(type: String) {
        var harness = WireHarness()
        harness.update([
            "audio": [
                "input": ["format": ["type": .string(type)], "turn_detection": .null],
                "output": ["format": ["type": .string(type)]],
            ]
        ])
        let audio = base64([UInt8](repeating: 0x55, count: 800))
        harness.client(["type": "input_audio_buffer.append", "audio": .string(audio)])
        harness.client(["type": "input_audio_buffer.append", "audio": .string(audio)])
        #expect(harness.client(["type": "input_audio_buffer.commit"]).errorCode == nil)
        let events = harness.client(["type": "response.create"])
        // 100 ms of G.711 are 800 bytes.
        #expect(
            events.first("response.output_audio.delta")?["delta"]?.stringValue?.utf8.count
                == 1_068)
    }

    @Test func silenceAfterAnAnswerTriggersTheIdleTimeout() {
        var harness = WireHarness()
        harness.update([
            "audio": [
                "input": ["turn_detection": ["type": "server_vad", "idle_timeout_ms": 5_000]]
            ]
        ])
        harness.type("Count to five.")
        harness.client(["type": "response.create"])
        // 500 ms of speech were sent at once, and must be heard first.
        #expect(harness.advance(to: 5_499).isEmpty)
        let events = harness.advance(to: 5_500)
        #expect(
            Array(events.kinds.prefix(5)) == [
                "input_audio_buffer.timeout_triggered", "input_audio_buffer.committed",
                "conversation.item.added", "conversation.item.done", "response.created",
            ])
    }
}

/// Base64 of some bytes.
func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
}
