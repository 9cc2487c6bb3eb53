extension ConversationReducer {
    // MARK: What the model says

    mutating func reduceOutput(_ event: RealtimeServerEvent) {
        switch event {
        case .outputItemAdded(let responseID, let item, _): announce(item, responseID)
        case .outputItemDone(let responseID, let item, _): finish(item, responseID)
        case .audioTranscriptDelta(let content, let delta, _, _),
            .textDelta(let content, let delta, _):
            append(delta, to: content, kind: .text)
        case .reasoningDelta(let content, let delta, _):
            append(delta, to: content, kind: .reasoning)
        case .audioTranscriptDone(let content, let text, _), .textDone(let content, let text, _):
            finish(content, text: text)
        default: break
        }
    }

    /// The message of an answer, made when it has something to show.
    private mutating func message(of content: RealtimeContentID) -> String {
        message(itemID: content.itemID, responseID: content.responseID)
    }

    mutating func message(itemID: String, responseID: String?) -> String {
        let responseID = responseID?.isEmpty == true ? nil : responseID
        if let messageID = owners[itemID] {
            if let responseID, responses[responseID] == nil { responses[responseID] = messageID }
            if answers[messageID]?.isFinished != true { open.insert(messageID) }
            return messageID
        }
        let messageID = responseID.flatMap { responses[$0] } ?? unused(responseID ?? itemID)
        if let responseID, responses[responseID] == nil {
            responses[responseID] = messageID
            closeAnswers(before: responseID)
        }
        owners[itemID] = messageID
        if answers[messageID]?.isFinished != true { open.insert(messageID) }
        place(messageID, role: .assistant, placement: .unspecified)
        answers[messageID, default: Answer()].responseID = responseID
        return messageID
    }

    private mutating func announce(_ item: RealtimeItem, _ responseID: String) {
        guard !item.id.isEmpty else { return }
        switch item.kind {
        case .message: rank(item.id, in: message(itemID: item.id, responseID: responseID))
        case .functionCall(let callID, let name, _):
            showCall(itemID: item.id, callID: callID, name: name, responseID: responseID)
        case .functionCallOutput, .other: break
        }
    }

    /// Remembers the order in which an answer's items were announced.
    mutating func rank(_ itemID: String, in messageID: String) {
        let count = answers[messageID]?.ranks.count ?? 0
        if answers[messageID]?.ranks[itemID] == nil {
            answers[messageID, default: Answer()].ranks[itemID] = count
        }
    }

    private mutating func append(
        _ delta: String, to content: RealtimeContentID, kind: PartKey.Kind
    ) {
        guard !delta.isEmpty, !content.itemID.isEmpty else { return }
        let messageID = message(of: content)
        let key = PartKey(
            itemID: content.itemID, contentIndex: content.contentIndex, kind: kind)
        if let index = partIndex(of: key, in: messageID) {
            list.update(messageID) { $0.parts[index].append(delta) }
        } else {
            // Late pieces of an answer that is over don't stream.
            let isOver = answers[messageID]?.isFinished == true
            let part = UITextPart(text: delta, state: isOver ? .done : .streaming)
            addPart(kind == .reasoning ? .reasoning(part) : .text(part), key, to: messageID)
        }
    }

    private mutating func finish(_ content: RealtimeContentID, text: String?) {
        guard !content.itemID.isEmpty else { return }
        let key = PartKey(
            itemID: content.itemID, contentIndex: content.contentIndex, kind: .text)
        let known = owners[content.itemID].flatMap { partIndex(of: key, in: $0) }
        guard known != nil || text?.isEmpty == false else { return }
        let messageID = message(of: content)
        guard let known else {
            addPart(.text(UITextPart(text: text ?? "")), key, to: messageID)
            return
        }
        list.update(messageID) { message in
            guard case .text(var part) = message.parts[known] else { return }
            part.state = .done
            if let text { part.settle(on: text) }
            message.parts[known] = .text(part)
        }
    }

    private mutating func finish(_ item: RealtimeItem, _ responseID: String) {
        guard !item.id.isEmpty else { return }
        switch item.kind {
        case .message(_, let content):
            guard content.contains(where: { $0.shownText?.isEmpty == false }) else { return }
            fill(message(itemID: item.id, responseID: responseID), item.id, content)
        case .functionCall(let callID, let name, let arguments):
            guard item.status != "incomplete" else { return }
            completeCall(
                itemID: item.id, callID: callID, name: name, arguments: arguments,
                responseID: responseID)
        case .functionCallOutput, .other: break
        }
    }

    mutating func finish(_ response: RealtimeResponse) {
        for item in response.output { finish(item, response.id) }
        guard let messageID = responses[response.id] else { return }
        open.remove(messageID)
        answers[messageID]?.isFinished = true
        list.update(messageID) { message in
            message.finishStreaming()
            guard response.status != .completed else { return }
            message.ending = UIMessage.Ending(
                status: response.status.rawValue,
                reason: response.reason ?? response.error?.providerCode)
        }
    }

    mutating func interrupt(_ responseID: String?) {
        guard let responseID, let messageID = responses[responseID] else { return }
        list.update(messageID) { message in
            message.finishStreaming()
            message.ending = UIMessage.Ending(status: "cancelled", reason: "interrupted")
        }
    }

    // MARK: What was heard

    mutating func cut(_ content: RealtimeContentID, toCharacters count: Int?) {
        let key = PartKey(
            itemID: content.itemID, contentIndex: content.contentIndex, kind: .text)
        guard let messageID = owners[content.itemID], let index = partIndex(of: key, in: messageID)
        else {
            cuts[key] = count
            return
        }
        list.update(messageID) { message in
            guard case .text(var part) = message.parts[index] else { return }
            part.cut(toCharacters: count)
            message.parts[index] = .text(part)
        }
    }

    mutating func cut(itemID: String, contentIndex: Int, heard: String) {
        cut(
            RealtimeContentID(itemID: itemID, contentIndex: contentIndex),
            toCharacters: heard.count)
    }

    // MARK: Parts

    func partIndex(of key: PartKey, in messageID: String) -> Int? {
        answers[messageID]?.keys.lastIndex(of: key)
    }

    /// Adds a part behind those of the same and earlier items, before those of later ones.
    mutating func addPart(_ part: UIMessagePart, _ key: PartKey, to messageID: String) {
        var part = part
        if case .text(var text) = part, let count = cuts.removeValue(forKey: key) {
            text.cut(toCharacters: count)
            part = .text(text)
        }
        rank(key.itemID, in: messageID)
        var answer = answers[messageID] ?? Answer()
        let rank = answer.ranks[key.itemID] ?? 0
        let index = answer.keys.firstIndex { other in
            let otherRank = answer.ranks[other.itemID] ?? 0
            return otherRank > rank
                || otherRank == rank && other.contentIndex > key.contentIndex
        }
        answer.keys.insert(key, at: index ?? answer.keys.count)
        answers[messageID] = answer
        list.update(messageID) { $0.parts.insert(part, at: index ?? $0.parts.count) }
    }
}

extension UITextPart {
    /// Takes the final text, keeping the cut where there is one.
    mutating func settle(on final: String) {
        guard unheardText != nil else {
            text = final
            return
        }
        let heard = text.count
        text = final
        unheardText = nil
        cut(toCharacters: heard)
    }

    /// Keeps so many characters as heard; the rest, and whatever comes yet, is unheard. Nil
    /// keeps all.
    mutating func cut(toCharacters count: Int?) {
        let whole = text + (unheardText ?? "")
        guard let count else {
            text = whole
            unheardText = nil
            return
        }
        let end = whole.index(whole.startIndex, offsetBy: max(0, count), limitedBy: whole.endIndex)
        let edge = end ?? whole.endIndex
        text = String(whole[..<edge])
        unheardText = state == .done && edge == whole.endIndex ? nil : String(whole[edge...])
    }
}
