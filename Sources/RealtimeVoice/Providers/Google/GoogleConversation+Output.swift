import Foundation

/// What the model says: the contents of the turn that is open.
extension GoogleConversation {
    mutating func addAudio(
        _ data: Data, _ format: RealtimeAudioFormat?, into events: inout GoogleEvents
    ) {
        guard !data.isEmpty else { return }
        let itemID = openMessage(into: &events)
        turn?.message?.isAudioOpen = true
        let index = turn?.message?.indexOfAudio() ?? 0
        events.add(
            .audioDelta(contentID(itemID, index), audio: data, format: format, raw: events.raw))
    }

    mutating func addTranscript(_ transcription: JSONValue, into events: inout GoogleEvents) {
        // Vertex opens a turn's transcript with {} and ends it with {"finished":true}.
        guard let text = transcription["text"]?.stringValue, !text.isEmpty else { return }
        let itemID = openMessage(into: &events)
        let isFirst = turn?.message?.hasTranscript == false
        let delta = isFirst ? text.trimmingFirstSpace : text
        turn?.message?.hasTranscript = true
        turn?.message?.isTranscriptOpen = true
        if !isContinuous { turn?.message?.transcript += delta }
        let index = turn?.message?.indexOfAudio() ?? 0
        guard !delta.isEmpty else { return }
        events.add(
            .audioTranscriptDelta(
                contentID(itemID, index), delta: delta, startMilliseconds: nil, raw: events.raw))
    }

    mutating func addText(_ text: String, into events: inout GoogleEvents) {
        guard !text.isEmpty else { return }
        let itemID = openMessage(into: &events)
        turn?.message?.isTextOpen = true
        if !isContinuous { turn?.message?.text += text }
        let index = turn?.message?.indexOfText() ?? 0
        events.add(.textDelta(contentID(itemID, index), delta: text, raw: events.raw))
    }

    mutating func addThought(_ text: String, into events: inout GoogleEvents) {
        guard !text.isEmpty else { return }
        let itemID = openMessage(into: &events)
        events.add(.reasoningDelta(contentID(itemID, 0), delta: text, raw: events.raw))
    }

    /// Ends the contents that are open; more of them opens them again.
    mutating func closeContents(tellsText: Bool = true, into events: inout GoogleEvents) {
        guard var message = turn?.message else { return }
        if message.isAudioOpen {
            message.isAudioOpen = false
            let id = contentID(message.itemID, message.indexOfAudio())
            events.add(.audioDone(id, raw: events.raw))
        }
        if message.isTranscriptOpen {
            message.isTranscriptOpen = false
            let id = contentID(message.itemID, message.indexOfAudio())
            let transcript = tellsText && !isContinuous ? message.transcript : nil
            events.add(.audioTranscriptDone(id, transcript: transcript, raw: events.raw))
        }
        if message.isTextOpen {
            message.isTextOpen = false
            let id = contentID(message.itemID, message.indexOfText())
            let text = tellsText && !isContinuous ? message.text : nil
            events.add(.textDone(id, text: text, raw: events.raw))
        }
        turn?.message = message
    }

    /// Ends the message that is open; more content goes to a new one of the same response.
    mutating func closeMessage(
        status: String, tellsText: Bool = true, into events: inout GoogleEvents
    ) {
        closeContents(tellsText: tellsText, into: &events)
        guard let turn, let message = turn.message else { return }
        var contents: [(Int, RealtimeItem.Content)] = []
        if let index = message.audioIndex {
            let transcript = message.hasTranscript && tellsText ? message.transcript : nil
            contents.append((index, .audio(transcript: transcript)))
        }
        if let index = message.textIndex {
            contents.append((index, .text(tellsText ? message.text : "")))
        }
        contents.sort { $0.0 < $1.0 }
        let item = RealtimeItem(
            id: message.itemID,
            kind: .message(role: "assistant", content: contents.map { $0.1 }), status: status)
        self.turn?.output.append(item)
        self.turn?.message = nil
        events.add(.outputItemDone(responseID: turn.responseID, item, raw: events.raw))
    }

    // MARK: Calls

    /// Takes every call of a `toolCall`.
    mutating func receiveCalls(_ toolCall: JSONValue, into events: inout GoogleEvents) {
        guard let list = toolCall["functionCalls"]?.arrayValue else {
            events.addCustom("toolCall")
            return
        }
        for call in list { receiveCall(call, into: &events) }
    }

    mutating func receiveCall(_ call: JSONValue, into events: inout GoogleEvents) {
        guard let name = call["name"]?.stringValue, call["partialArgs"] == nil else {
            // Streamed arguments have to be asked for, and nothing here asks.
            events.addCustom("functionCall")
            return
        }
        let wireID = call["id"]?.stringValue
        // The same call may come as toolCall and as a part of the model's turn.
        guard let callID = calls.add(wireID: wireID, name: name) else { return }
        openTurn(into: &events)
        guard let responseID = turn?.responseID else { return }
        let itemID = "call_\(callID)"
        let arguments = call["args"]?.objectValue == nil ? nil : call["args"]?.serialized()
        lastItemID = itemID
        var item = RealtimeItem(
            id: itemID, kind: .functionCall(callID: callID, name: name, arguments: ""),
            status: "in_progress")
        events.add(.outputItemAdded(responseID: responseID, item, raw: events.raw))
        events.add(
            .functionCallArgumentsDone(
                responseID: responseID, itemID: itemID, callID: callID, name: name,
                arguments: arguments ?? "{}", raw: events.raw))
        item.kind = .functionCall(callID: callID, name: name, arguments: arguments ?? "{}")
        item.status = "completed"
        turn?.output.append(item)
        events.add(.outputItemDone(responseID: responseID, item, raw: events.raw))
    }

    mutating func receiveCancellation(_ value: JSONValue, into events: inout GoogleEvents) {
        let callIDs = value["ids"]?.arrayValue?.compactMap(\.stringValue) ?? []
        guard !callIDs.isEmpty else {
            events.addCustom("toolCallCancellation")
            return
        }
        for callID in callIDs { calls.cancel(callID) }
        // The user said something new; it isn't the end of what was said before.
        sealInput()
        events.add(.toolCallCancelled(callIDs: callIDs, raw: events.raw))
    }
}

/// The calls of one connection, by the ids that the client knows them by.
struct GoogleCalls: Sendable {
    private struct Call {
        let name: String
        let isLocal: Bool
        var isCancelled = false
    }

    private var known: [String: Call] = [:]
    private var localCount = 0

    /// Notes a call and gives it an id; nil where it is known already.
    mutating func add(wireID: String?, name: String) -> String? {
        guard let wireID, !wireID.isEmpty else {
            let callID = "local_\(localCount)"
            localCount += 1
            known[callID] = Call(name: name, isLocal: true)
            return callID
        }
        guard known[wireID] == nil else { return nil }
        known[wireID] = Call(name: name, isLocal: false)
        return wireID
    }

    mutating func cancel(_ callID: String) {
        known[callID]?.isCancelled = true
    }

    func isCancelled(_ callID: String) -> Bool { known[callID]?.isCancelled ?? false }

    func name(_ callID: String) -> String? { known[callID]?.name }

    /// Whether the id was made up, here or on an earlier connection, so that the provider must
    /// not hear it.
    func isLocal(_ callID: String) -> Bool {
        known[callID]?.isLocal ?? callID.contains("local_")
    }
}
