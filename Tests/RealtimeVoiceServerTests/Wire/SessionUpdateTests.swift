import RealtimeVoice
import Testing

@testable import RealtimeVoiceServer

struct SessionUpdateTests {
    @Test func theFirstEventIsTheWholeEffectiveSession() {
        let harness = WireHarness()
        let event = harness.events.first
        #expect(event?["type"] == "session.created")
        let session = event?["session"]
        #expect(
            Set((session?.objectValue ?? [:]).keys) == [
                "type", "object", "id", "model", "output_modalities", "instructions", "tools",
                "tool_choice", "max_output_tokens", "tracing", "truncation", "prompt",
                "expires_at", "audio", "include",
            ])
        #expect(session?["expires_at"] == 4_600)
        #expect(session?["id"]?.stringValue?.hasPrefix("sess_") == true)
        #expect(
            session?["audio"]?["input"] == [
                "format": ["type": "audio/pcm", "rate": 24_000], "transcription": .null,
                "noise_reduction": .null,
                "turn_detection": [
                    "type": "server_vad", "threshold": 0.5, "prefix_padding_ms": 300,
                    "silence_duration_ms": 500, "idle_timeout_ms": .null,
                    "create_response": true, "interrupt_response": true,
                ],
            ])
    }

    @Test func anUpdateChangesOnlyWhatItNames() {
        var harness = WireHarness()
        let event = harness.update([
            "instructions": "Be brief.",
            "audio": ["input": ["transcription": ["model": "whisper-1"]]],
        ]).first
        #expect(event?["type"] == "session.updated")
        let session = event?["session"]
        #expect(session?["instructions"] == "Be brief.")
        #expect(
            session?["audio"]?["input"]?["transcription"]
                == ["model": "whisper-1", "language": .null, "prompt": .null])
        #expect(session?["audio"]?["output"]?["voice"] == "alloy")
        let cleared = harness.update([
            "instructions": "", "audio": ["input": ["turn_detection": .null]],
        ]).first?["session"]
        #expect(cleared?["instructions"] == .string(SessionSettings.defaultInstructions))
        #expect(cleared?["audio"]?["input"]?["turn_detection"] == .null)
        #expect(cleared?["audio"]?["input"]?["transcription"]?["model"] == "whisper-1")
    }

    @Test func toolsAreEchoedWithTheirNulls() {
        var harness = WireHarness()
        let event = harness.update(["tools": [["type": "function", "name": "f"]]]).first
        #expect(
            event?["session"]?["tools"]
                == [["type": "function", "name": "f", "description": .null]])
    }

    static let refusals: [(JSONValue, String, String?)] = [
        (["instructions": "x"], "missing_required_parameter", "session.type"),
        (["type": "realtime", "voice": "x"], "unknown_parameter", "session.voice"),
        (["type": "realtime", "temperature": 1], "unknown_parameter", "session.temperature"),
        (
            ["type": "realtime", "tools": [["type": "function", "name": "f", "meta": 1]]],
            "unknown_parameter", "session.tools[0].meta"
        ),
        (
            [
                "type": "realtime",
                "audio": ["input": ["turn_detection": ["type": "semantic_vad", "threshold": 1]]],
            ],
            "unknown_parameter", "session.audio.input.turn_detection.threshold"
        ),
        (["type": "realtime", "instructions": 3], "invalid_type", "session.instructions"),
        (
            ["type": "realtime", "output_modalities": ["audio", "text"]], "invalid_value",
            "session.output_modalities"
        ),
        (
            ["type": "realtime", "audio": ["output": ["speed": 9]]], "invalid_value",
            "session.audio.output.speed"
        ),
        (
            [
                "type": "realtime",
                "audio": ["input": ["format": ["type": "audio/pcm", "rate": 16_000]]],
            ],
            "invalid_value", "session.audio.input.format.rate"
        ),
        (["type": "transcription"], "invalid_value", "session.type"),
        (["type": "realtime", "model": "other"], "invalid_value", "session.model"),
    ]

    @Test(arguments: refusals)
    func aWrongKeyRejectsTheWholeUpdate(patch: JSONValue, code: String, parameter: String?) {
        var harness = WireHarness()
        let before = harness.machine.settings
        let wished = patch.merging(["tool_choice": "none"])
        let events = harness.client([
            "type": "session.update", "event_id": "mine", "session": wished,
        ])
        #expect(events.count == 1)
        let error = events.first?["error"]
        #expect(error?["code"] == .string(code))
        #expect(error?["param"] == parameter.json)
        #expect(error?["event_id"] == "mine")
        #expect(error?["type"] == "invalid_request_error")
        #expect(harness.machine.settings == before)
    }

    @Test func theVoiceIsLockedOnceTheAssistantHasSpoken() {
        var harness = WireHarness()
        let early = harness.update(["audio": ["output": ["voice": "marin"]]])
        #expect(early.kinds == ["session.updated"])
        harness.type("hello")
        harness.client(["type": "response.create"])
        let late = harness.update(["audio": ["output": ["voice": "cedar"]]])
        #expect(late.errorCode == "cannot_update_voice")
        // The same voice is no change.
        let same = harness.update(["audio": ["output": ["voice": "marin"]]])
        #expect(same.kinds == ["session.updated"])
    }

    static let badEvents: [(JSONValue, String, String?)] = [
        ([:], "missing_required_parameter", "type"),
        (["type": "nonsense"], "invalid_value", "type"),
        (["type": 3], "invalid_value", "type"),
        (["type": "input_audio_buffer.append"], "missing_required_parameter", "audio"),
        (
            ["type": "input_audio_buffer.append", "audio": "not base64!"], "invalid_value",
            "audio"
        ),
        (
            ["type": "conversation.item.truncate", "item_id": "a", "content_index": 0],
            "missing_required_parameter", "audio_end_ms"
        ),
        (
            [
                "type": "conversation.item.truncate", "item_id": "a", "content_index": 0,
                "audio_end_ms": 1.5,
            ], "invalid_type", "audio_end_ms"
        ),
        (["type": "response.create", "response": ["foo": 1]], "unknown_parameter", "response.foo"),
        (["type": "response.cancel"], "response_cancel_not_active", nil),
        (["type": "input_audio_buffer.commit"], "input_audio_buffer_commit_empty", nil),
        (
            ["type": "conversation.item.delete", "item_id": "x"],
            "item_delete_invalid_item_id", "item_id"
        ),
        (
            ["type": "conversation.item.retrieve", "item_id": "x"],
            "item_retrieve_invalid_item_id", "item_id"
        ),
        (
            [
                "type": "conversation.item.create",
                "item": ["type": "function_call_output", "call_id": "x", "output": ""],
            ], "invalid_tool_call_id", "item.call_id"
        ),
        (
            [
                "type": "conversation.item.create",
                "item": [
                    "type": "message", "role": "assistant",
                    "content": [["type": "input_text", "text": "x"]],
                ],
            ], "invalid_value", "item.content[0].type"
        ),
    ]

    @Test(arguments: badEvents)
    func aBadEventIsAnsweredByAnError(event: JSONValue, code: String, parameter: String?) {
        var harness = WireHarness()
        let events = harness.client(event.merging(["event_id": "mine"]))
        #expect(events.count == 1)
        #expect(events.errorCode == code)
        #expect(events.first?["error"]?["param"] == parameter.json)
        #expect(events.first?["error"]?["event_id"] == "mine")
    }

    @Test func whatIsNotJSONIsAnsweredByAnError() {
        var harness = WireHarness()
        #expect(harness.feed(.receivedGarbage).errorCode == "invalid_json")
        #expect(harness.client([1, 2]).errorCode == "invalid_json")
    }

    @Test func theSessionEndsAtItsMaximumDuration() {
        var harness = WireHarness(sessionMilliseconds: 120_000)
        _ = harness.advance(to: 119_999)
        #expect(!harness.actions.contains { if case .close = $0 { true } else { false } })
        harness.now = 120_000
        harness.feed(.timePassed)
        #expect(
            harness.actions.last
                == .close(
                    code: 1001, reason: "Your session hit the maximum duration of 2 minutes."))
    }
}
