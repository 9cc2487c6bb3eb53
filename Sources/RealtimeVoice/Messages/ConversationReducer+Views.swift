extension ConversationReducer {
    /// What the user was heard to say in an item, as it is shown.
    package func userTranscript(of itemID: String) -> String? {
        guard let messageID = owners[itemID], let message = list[messageID] else { return nil }
        return message.parts.compactMap(\.text?.text).joined()
    }

    /// What the model said or wrote, by item and content index, as it is shown.
    package var assistantTexts: [String: [Int: String]] {
        var texts: [String: [Int: String]] = [:]
        for (messageID, answer) in answers {
            guard let message = list[messageID], message.role == .assistant else { continue }
            for (key, part) in zip(answer.keys, message.parts) where key.kind == .text {
                texts[key.itemID, default: [:]][key.contentIndex] = part.text?.text
            }
        }
        return texts
    }
}
