import Testing

@testable import RealtimeVoiceServer

struct ConversationTests {
    @Test func moreTextThanTheBoundIsRefusedUntilSomeIsDeleted() throws {
        var conversation = Conversation()
        let text = String(repeating: "x", count: Conversation.maximumTextBytes / 2)
        func item(_ id: String) -> WireItem {
            WireItem(id: id, kind: .message(role: "user", content: [.inputText(text)]))
        }
        try conversation.insert(item("a"), after: nil)
        try conversation.insert(item("b"), after: nil)
        let refusal = #expect(throws: WireError.self) {
            try conversation.insert(item("c"), after: nil)
        }
        #expect(refusal?.code == "conversation_too_long")
        #expect(conversation.items.map(\.id) == ["a", "b"])
        let wasRemoved = conversation.remove("a")
        #expect(wasRemoved)
        try conversation.insert(item("c"), after: nil)
        #expect(conversation.items.map(\.id) == ["b", "c"])
    }
}
