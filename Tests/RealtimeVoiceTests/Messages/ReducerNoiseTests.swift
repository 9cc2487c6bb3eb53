import Testing

@testable import RealtimeVoice

/// Events that no provider would send in that order: the list stays whole all the same.
struct ReducerNoiseTests {
    private struct Noise {
        var dice: SeededGenerator

        mutating func pick(_ prefix: String, _ count: Int) -> String {
            "\(prefix)\(Int.random(in: 0..<count, using: &dice))"
        }

        mutating func content() -> RealtimeContentID {
            RealtimeContentID(
                responseID: pick("r", 5), itemID: pick("i", 12),
                contentIndex: Int.random(in: 0..<2, using: &dice))
        }

        mutating func placement() -> RealtimeItemPlacement {
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: .first
            case 1: .unspecified
            case 2: .after(pick("u", 6))
            default: .after(pick("i", 12))
            }
        }

        /// Ids say of which side an item is; so much order there always is.
        mutating func item(ofModel: Bool) -> RealtimeItem {
            let status = ["completed", "in_progress", "incomplete"].randomElement(using: &dice)
            let call = pick("c", 6)
            return switch Int.random(in: ofModel ? 1..<3 : 0..<5, using: &dice) {
            case 0:
                RealtimeItem(
                    id: pick("u", 6),
                    kind: .message(role: "user", content: [.text(pick("text", 4))]))
            case 1:
                RealtimeItem(
                    id: pick("i", 12),
                    kind: .message(role: "assistant", content: [.text(pick("text", 4))]),
                    status: status)
            case 2:
                RealtimeItem(
                    id: pick("i", 12),
                    kind: .functionCall(callID: call, name: "look", arguments: "{}"),
                    status: status)
            case 3:
                RealtimeItem(
                    id: pick("o", 6), kind: .functionCallOutput(callID: call, output: "fine"))
            default: RealtimeItem(id: pick("o", 6), kind: .other(type: "mcp_call"))
            }
        }

        mutating func event() -> RealtimeServerEvent {
            switch Int.random(in: 0..<14, using: &dice) {
            case 0: .audioCommitted(itemID: pick("u", 6), placement: placement(), raw: .none)
            case 1:
                .conversationItemAdded(
                    item(ofModel: false), placement: placement(), raw: .none)
            case 2: .conversationItemDone(item(ofModel: false), raw: .none)
            case 3: .outputItemAdded(responseID: pick("r", 5), item(ofModel: true), raw: .none)
            case 4: .outputItemDone(responseID: pick("r", 5), item(ofModel: true), raw: .none)
            case 5:
                .audioTranscriptDelta(
                    content(), delta: pick("w", 9), startMilliseconds: nil, raw: .none)
            case 6: .audioTranscriptDone(content(), transcript: pick("w", 9), raw: .none)
            case 7: .textDone(content(), text: nil, raw: .none)
            case 8: .reasoningDelta(content(), delta: pick("w", 9), raw: .none)
            case 9:
                .inputTranscriptionDelta(
                    .init(itemID: pick("u", 6)), text: pick("w", 9), mode: .append, raw: .none)
            case 10:
                .functionCallArgumentsDone(
                    responseID: pick("r", 5), itemID: pick("i", 12), callID: pick("c", 6),
                    name: "look", arguments: "{", raw: .none)
            case 11: .itemDeleted(itemID: pick("i", 12), raw: .none)
            case 12: .interrupted(responseID: pick("r", 5), raw: .none)
            default:
                .responseDone(
                    RealtimeResponse(
                        id: pick("r", 5), status: .completed, output: [item(ofModel: true)]),
                    raw: .none)
            }
        }

        mutating func action(_ step: Int) -> ConversationReducer.Action {
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: .userText(itemID: "typed\(step)", text: pick("text", 4))
            case 1: .heard(content(), characters: Int.random(in: -1..<9, using: &dice))
            case 2: .toolFailed(callID: pick("c", 6), reason: "gone")
            default:
                Int.random(in: 0..<20, using: &dice) == 0 ? .connectionStarted : .connectionEnded
            }
        }
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func noiseLeavesTheListWholeAndItsChangesTrue(_ seed: UInt64) {
        var noise = Noise(dice: SeededGenerator(seed: seed))
        var reducer = ConversationReducer()
        var copy: [UIMessage] = []
        for step in 0..<250 {
            if Int.random(in: 0..<8, using: &noise.dice) == 0 {
                reducer.apply(noise.action(step))
            } else {
                reducer.reduce(noise.event())
            }
            guard Int.random(in: 0..<5, using: &noise.dice) == 0 else { continue }
            copy.apply(reducer.takeChanges())
            #expect(copy == reducer.messages, "seed \(seed), step \(step)")
        }
        let messages = reducer.messages
        #expect(Set(messages.map(\.id)).count == messages.count, "seed \(seed)")
        for (index, message) in messages.enumerated() {
            #expect(reducer.list.position(of: message.id) == index, "seed \(seed)")
        }
        for (messageID, answer) in reducer.answers {
            let parts = reducer.list[messageID]?.parts.count
            #expect(parts == answer.keys.count, "seed \(seed): \(messageID)")
        }
    }
}
