import RealtimeVoice
import Testing

@testable import RealtimeVoiceServer

struct ResponseTests {
    @Test func aTypedTurnAnswersInTheRecordedOrder() {
        var harness = WireHarness()
        harness.type("hello")
        #expect(
            harness.events.kinds
                == ["session.created", "conversation.item.added", "conversation.item.done"])
        let events = harness.client(["type": "response.create"])
        let kinds = events.kinds.filter { !$0.hasSuffix(".delta") }
        #expect(
            kinds == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.content_part.added", "response.output_audio.done",
                "response.output_audio_transcript.done", "response.content_part.done",
                "conversation.item.done", "response.output_item.done", "response.done",
                "rate_limits.updated",
            ])
        #expect(
            events.first("response.done")?["response"]?["output"]?[0]?["content"]
                == [
                    [
                        "type": "output_audio",
                        "transcript": "Hello! It is good to hear you. How can I help you?",
                    ]
                ])
        #expect(events.first("response.done")?["response"]?["status"] == "completed")
        let usage = events.first("response.done")?["response"]?["usage"]
        #expect(usage?["output_token_details"]?["audio_tokens"] == 24)
    }

    @Test func aWordStandsRightBeforeItsAudio() {
        var harness = WireHarness()
        harness.type("hello")
        let deltas = harness.client(["type": "response.create"]).map(WireHarness.type)
            .filter { $0.hasSuffix(".delta") }
        let pair = ["response.output_audio_transcript.delta", "response.output_audio.delta"]
        #expect(deltas == (0..<12).flatMap { _ in pair })
    }

    @Test func textModalityWritesOnly() {
        var harness = WireHarness()
        harness.type("Count to three.")
        let events = harness.client([
            "type": "response.create", "response": ["output_modalities": ["text"]],
        ])
        #expect(
            events.kinds == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.content_part.added", "response.output_text.delta",
                "response.output_text.done", "response.content_part.done",
                "conversation.item.done", "response.output_item.done", "response.done",
                "rate_limits.updated",
            ])
        #expect(events.first("response.output_text.done")?["text"] == "One, two, three.")
        #expect(
            events.filter { $0["type"] == "response.output_text.delta" }
                .compactMap { $0["delta"]?.stringValue } == ["One,", " two,", " three."])
    }

    @Test func aSecondResponseIsRefusedWhileOneIsActive() {
        var harness = WireHarness(pace: .speaking)
        harness.type("tell me a story")
        harness.client(["type": "response.create"])
        let events = harness.client(["type": "response.create", "event_id": "mine"])
        #expect(events.errorCode == "conversation_already_has_active_response")
        #expect(events.first?["error"]?["event_id"] == "mine")
    }

    @Test func speechIsSentAtItsPaceWithALead() {
        var harness = WireHarness(pace: SpeechPace(leadMilliseconds: 200, speedup: 1))
        harness.type("Count to five.")
        let atOnce = harness.client(["type": "response.create"])
        func audio(_ events: [JSONValue]) -> Int {
            events.count { $0["type"] == "response.output_audio.delta" }
        }
        // Five words of 100 ms each.
        #expect(audio(atOnce) == 2)
        #expect(audio(harness.advance(to: 99)) == 0)
        #expect(audio(harness.advance(to: 100)) == 1)
        #expect(audio(harness.advance(to: 250)) == 1)
        let rest = harness.advance(to: 300)
        #expect(audio(rest) == 1)
        #expect(rest.first("response.done") != nil)
    }

    @Test func cancellingKeepsWhatWasSaid() {
        var harness = WireHarness(pace: SpeechPace(leadMilliseconds: 200, speedup: 1))
        harness.type("Count to five.")
        harness.client(["type": "response.create"])
        let events = harness.client(["type": "response.cancel"])
        #expect(
            events.kinds == [
                "response.output_audio.done", "response.output_audio_transcript.done",
                "response.content_part.done", "conversation.item.done",
                "response.output_item.done", "response.done", "rate_limits.updated",
            ])
        let response = events.first("response.done")?["response"]
        #expect(response?["status"] == "cancelled")
        #expect(
            response?["status_details"] == ["type": "cancelled", "reason": "client_cancelled"])
        #expect(response?["output"]?[0]?["status"] == "incomplete")
        #expect(response?["output"]?[0]?["content"]?[0]?["transcript"] == "One, two,")
        #expect(harness.advance(to: 5_000).isEmpty)
        #expect(
            harness.client(["type": "response.cancel"]).errorCode == "response_cancel_not_active")
    }

    @Test func outOfBandResponsesLeaveTheConversationAlone() {
        var harness = WireHarness(pace: .speaking)
        harness.type("tell me a story")
        harness.client(["type": "response.create"])
        let events = harness.client([
            "type": "response.create",
            "response": [
                "conversation": "none", "output_modalities": ["text"], "metadata": ["k": "v"],
                "input": [
                    [
                        "type": "message", "role": "user",
                        "content": [["type": "input_text", "text": "What is two plus two?"]],
                    ]
                ],
            ],
        ])
        #expect(!events.contains { WireHarness.type($0).hasPrefix("conversation.") })
        let response = events.first("response.done")?["response"]
        #expect(response?["conversation_id"] == .null)
        #expect(response?["metadata"] == ["k": "v"])
        #expect(response?["output"]?[0]?["content"]?[0]?["text"] == "That makes 4.")
    }

    @Test func theTokenLimitEndsAResponseAsIncomplete() {
        var harness = WireHarness()
        harness.type("tell me a story")
        let events = harness.client([
            "type": "response.create", "response": ["max_output_tokens": 10],
        ])
        let response = events.first("response.done")?["response"]
        #expect(response?["status"] == "incomplete")
        #expect(
            response?["status_details"]
                == ["type": "incomplete", "reason": "max_output_tokens"])
    }

    @Test func aResponderThatFailsFailsTheResponse() {
        var harness = WireHarness()
        harness.answersAtOnce = false
        harness.type("hello")
        let created = harness.client(["type": "response.create"])
        let id = created.first?["response"]?["id"]?.stringValue ?? ""
        let events = harness.feed(.answerEnded(response: id, failure: "no network"))
        let response = events.first("response.done")?["response"]
        #expect(response?["status"] == "failed")
        #expect(response?["status_details"]?["error"]?["message"] == "no network")
        // What comes late changes nothing.
        #expect(harness.feed(.answered(response: id, .sentence("late"))).isEmpty)
    }

    @Test func aToolRoundCallsThenSpeaksTheResult() {
        var harness = WireHarness()
        harness.update([
            "output_modalities": ["text"],
            "tools": [
                [
                    "type": "function", "name": "get_weather",
                    "parameters": [
                        "type": "object", "properties": ["city": ["type": "string"]],
                        "required": ["city"],
                    ],
                ]
            ],
        ])
        harness.type("What is the weather in London?")
        let events = harness.client(["type": "response.create"])
        #expect(
            events.kinds == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.function_call_arguments.delta",
                "response.function_call_arguments.done", "conversation.item.done",
                "response.output_item.done", "response.done", "rate_limits.updated",
            ])
        let done = events.first("response.function_call_arguments.done")
        #expect(done?["name"] == "get_weather")
        #expect(done?["arguments"] == #"{"city":"London"}"#)
        let joined = events.filter { $0["type"] == "response.function_call_arguments.delta" }
            .compactMap { $0["delta"]?.stringValue }.joined()
        #expect(joined == done?["arguments"]?.stringValue)
        harness.client([
            "type": "conversation.item.create",
            "item": [
                "type": "function_call_output", "call_id": done?["call_id"] ?? .null,
                "output": "It is foggy.",
            ],
        ])
        let second = harness.client(["type": "response.create"])
        #expect(second.first("response.output_text.done")?["text"] == "It is foggy.")
    }
}

struct ItemTests {
    private func spoken(_ pace: SpeechPace = .immediate) -> (WireHarness, String) {
        var harness = WireHarness(pace: pace)
        harness.type("Count to five.")
        let events = harness.client(["type": "response.create"])
        let id = events.first("response.output_item.added")?["item"]?["id"]?.stringValue ?? ""
        return (harness, id)
    }

    private func truncate(_ id: String, _ end: Int) -> JSONValue {
        [
            "type": "conversation.item.truncate", "item_id": .string(id), "content_index": 0,
            "audio_end_ms": .int(end),
        ]
    }

    @Test func truncationKeepsWhatWasHeardForTheResponder() {
        var (harness, id) = spoken()
        let event = harness.client(truncate(id, 250)).first
        #expect(event?["type"] == "conversation.item.truncated")
        #expect(event?["audio_end_ms"] == 250)
        #expect(
            Conversation.history(harness.machine.conversation.items).last
                == .assistant("One, two, three,"))
        // Shorter now.
        #expect(harness.client(truncate(id, 300)).errorCode == "invalid_value")
    }

    @Test func truncatingBeyondTheAudioIsRefused() {
        var (harness, id) = spoken()
        let events = harness.client(truncate(id, 501))
        #expect(events.errorCode == "invalid_value")
        #expect(
            events.first?["error"]?["message"]
                == "Audio content of 500ms is already shorter than 501ms")
    }

    @Test func onlySpeechOfTheAssistantIsTruncated() {
        var (harness, _) = spoken()
        let user = harness.machine.conversation.items[0].id
        #expect(harness.client(truncate(user, 0)).errorCode == "unsupported_content_type")
        #expect(
            harness.client(truncate("x", 0)).errorCode == "item_truncate_invalid_item_id")
    }

    @Test func itemsAreRetrievedWithTheirAudioAndDeleted() {
        var (harness, id) = spoken()
        let item = harness.client(["type": "conversation.item.retrieve", "item_id": .string(id)])
            .first?["item"]
        #expect(item?["content"]?[0]?["audio"]?.stringValue?.isEmpty == false)
        let deleted = harness.client(
            ["type": "conversation.item.delete", "item_id": .string(id)]
        ).first
        #expect(deleted?["type"] == "conversation.item.deleted")
        #expect(harness.machine.conversation.item(id) == nil)
    }

    @Test func itemsGoWhereTheClientWantsThem() {
        var harness = WireHarness()
        func create(_ id: String, after previous: JSONValue?) -> JSONValue {
            var event: [String: JSONValue] = [
                "type": "conversation.item.create",
                "item": [
                    "id": .string(id), "type": "message", "role": "system",
                    "content": [["type": "input_text", "text": "x"]],
                ],
            ]
            event["previous_item_id"] = previous
            return .object(event)
        }
        let first = harness.client(create("a", after: nil))
        #expect(first.first?["previous_item_id"] == .null)
        #expect(harness.client(create("b", after: nil)).first?["previous_item_id"] == "a")
        #expect(harness.client(create("c", after: "a")).first?["previous_item_id"] == "a")
        #expect(harness.client(create("d", after: "root")).first?["previous_item_id"] == .null)
        #expect(harness.machine.conversation.items.map(\.id) == ["d", "a", "c", "b"])
        #expect(
            harness.client(create("e", after: "none")).errorCode
                == "item_create_invalid_previous_item_id")
        #expect(
            harness.client(create("a", after: nil)).errorCode == "item_create_duplicate_item_id")
    }
}
