extension ConversationReducer {
    // MARK: Calls of tools

    mutating func reduceCall(_ event: RealtimeServerEvent) {
        switch event {
        case .functionCallArgumentsDelta(
            let responseID, let itemID, let callID, let name, let delta, _):
            showCall(itemID: itemID, callID: callID, name: name ?? "", responseID: responseID)
            arguments[callID, default: ""] += delta
        case .functionCallArgumentsDone(
            let responseID, let itemID, let callID, let name, let text, _):
            completeCall(
                itemID: itemID, callID: callID, name: name ?? "", arguments: text,
                responseID: responseID)
        case .toolCallCancelled(let callIDs, _):
            for callID in callIDs { failCall(callID, reason: "cancelled by the provider") }
        default: break
        }
    }

    /// Shows a call whose arguments may still be coming.
    mutating func showCall(itemID: String, callID: String, name: String, responseID: String?) {
        guard !callID.isEmpty else { return }
        if let known = calls[callID] {
            guard !name.isEmpty else { return }
            updateCall(callID, known) { if $0.toolName.isEmpty { $0.toolName = name } }
            return
        }
        let itemID = itemID.isEmpty ? callID : itemID
        let messageID = message(itemID: itemID, responseID: responseID)
        calls[callID] = (messageID, itemID)
        var part = UIMessagePart.tool(
            UIToolPart(toolName: name, toolCallID: callID, state: .inputStreaming))
        // A late piece of an answer that is over.
        if answers[messageID]?.isFinished == true { part.finishStreaming() }
        addPart(
            part, PartKey(itemID: itemID, contentIndex: 0, kind: .tool), to: messageID)
    }

    /// Shows a call with all its arguments; later copies of them change nothing.
    mutating func completeCall(
        itemID: String, callID: String, name: String, arguments text: String,
        responseID: String?
    ) {
        showCall(itemID: itemID, callID: callID, name: name, responseID: responseID)
        guard let known = calls[callID] else { return }
        let text = text.isEmpty ? arguments[callID] ?? "" : text
        arguments[callID] = nil
        updateCall(callID, known) { part in
            guard part.state == .inputStreaming else { return }
            switch ToolArguments.parse(text) {
            case .success(let input):
                part.input = input
                part.state = .inputAvailable
            case .failure(let error):
                part.input = .string(text)
                part.state = .outputError
                part.errorText = error.message
            }
        }
    }

    mutating func addCall(
        itemID: String, callID: String, name: String, arguments: String, isComplete: Bool,
        placement: RealtimeItemPlacement
    ) {
        let isNew = calls[callID] == nil && owners[itemID] == nil
        showCall(itemID: itemID, callID: callID, name: name, responseID: nil)
        guard let known = calls[callID] else { return }
        owners[itemID] = known.messageID
        if isNew {
            place(known.messageID, role: .assistant, placement: placement)
            open.remove(known.messageID)
        }
        guard isComplete else { return }
        completeCall(
            itemID: itemID, callID: callID, name: name, arguments: arguments, responseID: nil)
    }

    mutating func setOutput(_ output: RealtimeToolOutput) {
        guard let known = calls[output.callID] else { return }
        updateCall(output.callID, known) { part in
            if output.isError {
                part.state = .outputError
                part.errorText = output.output.stringValue ?? output.output.serialized()
            } else {
                part.state = .outputAvailable
                part.output = output.output
            }
        }
    }

    /// An output that the provider's conversation already has, as text.
    mutating func showOutput(callID: String, _ text: String) {
        guard let known = calls[callID] else { return }
        updateCall(callID, known) { part in
            guard part.state == .inputAvailable || part.state == .inputStreaming else { return }
            part.state = .outputAvailable
            part.output = (try? JSONValue(parsing: text)) ?? .string(text)
        }
    }

    mutating func failCall(_ callID: String, reason: String) {
        guard let known = calls[callID] else { return }
        updateCall(callID, known) { part in
            guard part.state != .outputAvailable else { return }
            part.state = .outputError
            part.errorText = part.errorText ?? reason
        }
    }

    private mutating func updateCall(
        _ callID: String, _ place: (messageID: String, itemID: String),
        _ body: (inout UIToolPart) -> Void
    ) {
        let key = PartKey(itemID: place.itemID, contentIndex: 0, kind: .tool)
        guard let index = partIndex(of: key, in: place.messageID) else { return }
        list.update(place.messageID) { message in
            guard case .tool(var part) = message.parts[index] else { return }
            body(&part)
            message.parts[index] = .tool(part)
        }
    }
}

/// Reads the arguments of a call.
package enum ToolArguments {
    /// The arguments as JSON; an empty object where there are none.
    package static func parse(_ text: String) -> Result<JSONValue, RealtimeError> {
        if text.allSatisfy(\.isWhitespace) { return .success(.object([:])) }
        do throws(RealtimeError) {
            return .success(try JSONValue(parsing: text))
        } catch {
            return .failure(
                RealtimeError(
                    .toolFailed, "the arguments are not valid JSON: \(error.message)", cause: error)
            )
        }
    }
}
