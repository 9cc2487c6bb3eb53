import Testing

@testable import RealtimeVoice

/// Reducing an event costs the same however long the conversation is. Nothing here asserts a
/// time: the same work is compared at two lengths.
struct ReducerCostTests {
    private static func conversation(turns: Int) -> ConversationReducer {
        var reducer = ConversationReducer()
        for turn in 0..<turns { reducer.take(turn: turn) }
        _ = reducer.takeChanges()
        return reducer
    }

    /// The least of several measurements is the one that nothing else disturbed.
    private static func cost(
        _ reducer: ConversationReducer, _ body: (inout ConversationReducer, Int) -> Void
    ) -> Duration {
        var reducer = reducer
        // The first change of a copy copies the list, which is no cost of the events.
        body(&reducer, -1)
        return (0..<7).map { round in
            ContinuousClock().measure {
                for step in 0..<40 { body(&reducer, round * 40 + step) }
            }
        }.min() ?? .zero
    }

    @Test func aTurnCostsTheSameAtAnyLength() {
        let short = Self.conversation(turns: 250)
        let long = Self.conversation(turns: 4_000)
        #expect(short.messages.count == 500)
        #expect(long.messages.count == 8_000)
        let body = { (reducer: inout ConversationReducer, step: Int) in
            reducer.take(turn: 1_000_000 + step)
            _ = reducer.takeChanges()
        }
        // Sixteen times as long a conversation: a cost that grew with it would show as 16.
        #expect(Self.cost(long, body) < Self.cost(short, body) * 5)
    }

    @Test func aWordCostsTheSameAtAnyLength() {
        let body = { (reducer: inout ConversationReducer, step: Int) in
            reducer.reduce(
                .audioTranscriptDelta(
                    .init(responseID: "last", itemID: "last"), delta: "word ",
                    startMilliseconds: nil, raw: .none))
            _ = reducer.takeChanges()
        }
        let costs = [250, 4_000].map { Self.cost(Self.conversation(turns: $0), body) }
        #expect(costs[1] < costs[0] * 5)
    }

    /// What an app is told of a turn does not grow either.
    @Test(arguments: [10, 250, 2_000])
    func aTurnIsAFewChangesAtAnyLength(_ turns: Int) {
        var reducer = Self.conversation(turns: turns)
        reducer.take(turn: 1_000_000)
        let changes = reducer.takeChanges()
        #expect(changes.count == 4, "two inserts and two updates")
        let positions = changes.map { change in
            switch change {
            case .insert(_, let index), .update(_, let index): index
            case .move(_, let target): target
            }
        }
        #expect(positions.allSatisfy { $0 >= turns * 2 })
    }
}

extension ConversationReducer {
    /// A spoken turn and its answer.
    fileprivate mutating func take(turn: Int) {
        let user = "u\(turn)"
        let item = "a\(turn)"
        let content = RealtimeContentID(responseID: "r\(turn)", itemID: item)
        reduce(.audioCommitted(itemID: user, placement: .unspecified, raw: .none))
        reduce(
            .outputItemAdded(
                responseID: "r\(turn)",
                RealtimeItem(
                    id: item, kind: .message(role: "assistant", content: []),
                    status: "in_progress"), raw: .none))
        for _ in 0..<5 {
            reduce(
                .audioTranscriptDelta(
                    content, delta: "word ", startMilliseconds: nil, raw: .none))
        }
        reduce(
            .inputTranscriptionCompleted(
                .init(itemID: user), transcript: "hello", isFinal: true, usage: nil, raw: .none))
        reduce(
            .responseDone(RealtimeResponse(id: "r\(turn)", status: .completed), raw: .none))
    }
}
