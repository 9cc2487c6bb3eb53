extension ConversationReducer {
    // MARK: Items of the user and of the history

    mutating func reduceItem(_ event: RealtimeServerEvent) {
        switch event {
        case .audioCommitted(let itemID?, let placement, _):
            placeUserItem(itemID, placement)
        case .conversationItemAdded(let item, let placement, _): add(item, placement)
        case .conversationItemDone(let item, _): complete(item)
        case .inputTranscriptionDelta(let content, let text, let mode, _):
            transcribe(content, text, mode: mode, isFinal: false)
        case .inputTranscriptionCompleted(let content, let transcript, let isFinal, _, _):
            transcribe(content, transcript, mode: .replace, isFinal: isFinal)
        case .inputTranscriptionFailed(let content, _, _):
            guard let messageID = owners[content.itemID] else { return }
            openTranscripts.remove(messageID)
            list.update(messageID) { $0.finishStreaming() }
        default: break
        }
    }

    /// The message of a user's item, at its place as far as that is known.
    @discardableResult
    private mutating func placeUserItem(
        _ itemID: String, _ placement: RealtimeItemPlacement
    ) -> String {
        let messageID = owners[itemID] ?? unused(itemID)
        owners[itemID] = messageID
        place(messageID, role: .user, placement: placement)
        anchor(itemID, placement)
        return messageID
    }

    private mutating func add(_ item: RealtimeItem, _ placement: RealtimeItemPlacement) {
        guard !item.id.isEmpty else { return }
        switch item.kind {
        case .message(let role, let content):
            switch UIMessage.Role(rawValue: role) ?? .assistant {
            case .user: addUserItem(item, content, placement)
            case .system: addHistory(item, role: .system, content, placement)
            case .assistant: addHistory(item, role: .assistant, content, placement)
            }
        case .functionCall(let callID, let name, let arguments):
            addCall(
                itemID: item.id, callID: callID, name: name, arguments: arguments,
                isComplete: item.status == "completed", placement: placement)
        case .functionCallOutput(let callID, let output):
            owners[item.id] = calls[callID]?.messageID
            showOutput(callID: callID, output)
        case .other: break
        }
        anchor(item.id, placement)
    }

    /// Remembers behind which message the successor of an item stands.
    private mutating func anchor(_ itemID: String, _ placement: RealtimeItemPlacement) {
        guard case .after(let previous) = placement else { return }
        anchors[itemID] = later(owners[itemID], anchors[previous] ?? owners[previous])
    }

    private func later(_ first: String?, _ second: String?) -> String? {
        guard let first, let second else { return first ?? second }
        let positions = (list.position(of: first) ?? 0, list.position(of: second) ?? 0)
        return positions.0 < positions.1 ? second : first
    }

    private mutating func addUserItem(
        _ item: RealtimeItem, _ content: [RealtimeItem.Content],
        _ placement: RealtimeItemPlacement
    ) {
        let text = content.compactMap(\.shownText).joined(separator: " ")
        if owners[item.id] == nil, let index = unconfirmed.firstIndex(where: { $0.text == text }) {
            // The provider chose an id of its own; the text is shown already.
            owners[item.id] = unconfirmed.remove(at: index).messageID
            placeUserItem(item.id, placement)
            return
        }
        unconfirmed.removeAll { $0.messageID == owners[item.id] }
        fill(placeUserItem(item.id, placement), item.id, content)
    }

    /// An item that came with the conversation, or the place of an answer that is under way.
    private mutating func addHistory(
        _ item: RealtimeItem, role: UIMessage.Role, _ content: [RealtimeItem.Content],
        _ placement: RealtimeItemPlacement
    ) {
        let messageID = owners[item.id] ?? unused(item.id)
        owners[item.id] = messageID
        // Later items of an answer follow its own earlier ones; only the first one places it.
        if answers[messageID]?.ranks[item.id] ?? 0 == 0 {
            place(messageID, role: role, placement: placement)
        }
        if item.status != "in_progress" { fill(messageID, item.id, content) }
    }

    private mutating func complete(_ item: RealtimeItem) {
        guard let messageID = owners[item.id] else { return }
        if case .message("assistant", let content) = item.kind {
            fill(messageID, item.id, content)
        }
    }

    /// Shows content that no delta brought.
    mutating func fill(
        _ messageID: String, _ itemID: String, _ content: [RealtimeItem.Content]
    ) {
        for (index, part) in content.enumerated() {
            guard let text = part.shownText, !text.isEmpty else { continue }
            let key = PartKey(itemID: itemID, contentIndex: index, kind: .text)
            guard answers[messageID]?.keys.contains(key) != true else { continue }
            addPart(.text(UITextPart(text: text)), key, to: messageID)
        }
    }

    mutating func addUserText(itemID: String, text: String) {
        owners[itemID] = itemID
        list.append(UIMessage(id: itemID, role: .user))
        fill(itemID, itemID, [.text(text)])
        unconfirmed.append((itemID, text))
    }

    // MARK: Transcripts

    private mutating func transcribe(
        _ content: RealtimeContentID, _ text: String, mode: RealtimeTextMode, isFinal: Bool
    ) {
        // A transcript may run ahead of the item that it belongs to.
        let messageID = placeUserItem(content.itemID, .unspecified)
        let key = PartKey(
            itemID: content.itemID, contentIndex: content.contentIndex, kind: .text)
        let state: UITextPart.State = isFinal ? .done : .streaming
        if isFinal {
            openTranscripts.remove(messageID)
        } else {
            openTranscripts.insert(messageID)
        }
        guard let index = partIndex(of: key, in: messageID) else {
            guard !text.isEmpty || isFinal else { return }
            addPart(.text(UITextPart(text: text, state: state)), key, to: messageID)
            return
        }
        list.update(messageID) { message in
            switch mode {
            case .append: message.parts[index].append(text)
            case .replace: message.parts[index] = .text(UITextPart(text: text))
            }
            message.parts[index].setState(state)
        }
    }
}

extension RealtimeItem.Content {
    /// What of a part a message shows.
    var shownText: String? {
        switch self {
        case .text(let text): text
        case .audio(let transcript): transcript
        case .image, .other: nil
        }
    }
}
