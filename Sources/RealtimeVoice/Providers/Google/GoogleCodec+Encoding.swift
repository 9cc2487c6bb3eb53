import Foundation

extension GoogleCodec {
    package mutating func encode(
        _ event: RealtimeClientEvent
    ) throws(RealtimeError) -> [RealtimeFrame] {
        switch event {
        case .sessionUpdate(let config): return try update(config)
        case .inputAudioAppend(let audio): return append(audio)
        case .inputAudioCommit: return commit()
        case .inputAudioClear:
            throw unsupported("can't drop audio that was sent", "input audio clear")
        case .conversationItemCreate(let item, _): return try create(item)
        case .conversationItemTruncate:
            throw unsupported("can't be told what was heard", "conversation item truncate")
        case .conversationItemDelete:
            throw unsupported("can't delete items", "conversation item delete")
        case .conversationItemRetrieve:
            throw unsupported("can't give items back", "conversation item retrieve")
        case .functionCallOutput(let output): return try respond(output)
        case .responseCreate(let options): return try requestResponse(options)
        case .responseCancel: return cancelResponse()
        case .raw(let message): return [RealtimeFrame(json: message)]
        }
    }

    private func unsupported(_ what: String, _ operation: String) -> RealtimeError {
        RealtimeError(.unsupported, "Gemini \(what): \(operation)", parameter: operation)
    }

    // MARK: Configuration

    private mutating func update(
        _ config: RealtimeSessionConfig
    ) throws(RealtimeError) -> [RealtimeFrame] {
        guard let old = sender.config else {
            let setup = try model.encode(config: config)
            sender.config = config
            // The setup as it is after providerOptions decides, not the neutral field.
            let detection = setup["realtimeInputConfig"]?["automaticActivityDetection"]
            sender.hasManualTurns = detection?["disabled"] == true
            sender.setAudio(
                rate: config.inputAudioFormat?.samplesPerSecond ?? 16_000,
                usesLegacyChunks: model.options.usesLegacyMediaChunks)
            return [RealtimeFrame(json: ["setup": setup])]
        }
        guard model.capabilities.supportsSessionUpdate else {
            throw unsupported("keeps this model's configuration until reconnect", "session update")
        }
        // What an update doesn't name stays; an empty list of tools clears them.
        let config = old.updated(with: config)
        let before = try model.encode(config: old).objectValue ?? [:]
        let after = try model.encode(config: config).objectValue ?? [:]
        let fixed = Set(before.keys).union(after.keys).subtracting(["systemInstruction", "tools"])
        let changed = fixed.filter { before[$0] != after[$0] }.sorted()
        guard changed.isEmpty else {
            throw unsupported(
                "can change only instructions and tools while connected, not "
                    + changed.joined(separator: ", "), "session update")
        }
        sender.config = config
        var context: [String: JSONValue] = [:]
        if before["systemInstruction"] != after["systemInstruction"] {
            context["systemInstruction"] = after["systemInstruction"]
        }
        if before["tools"] != after["tools"] {
            // The list replaces the old one; an empty one clears it.
            context["tools"] = ["tools": after["tools"] ?? []]
        }
        return context.isEmpty ? [] : [RealtimeFrame(json: ["contextUpdate": .object(context)])]
    }

    // MARK: Audio

    private mutating func append(_ audio: Data) -> [RealtimeFrame] {
        guard !audio.isEmpty else { return [] }
        guard sender.hasManualTurns, !sender.isActivityOpen else {
            return [sender.audioFrame(audio)]
        }
        sender.isActivityOpen = true
        conversation.sealInput()
        return [
            RealtimeFrame(#"{"realtimeInput":{"activityStart":{}}}"#), sender.audioFrame(audio),
        ]
    }

    private mutating func commit() -> [RealtimeFrame] {
        if sender.hasManualTurns {
            // An end without a start closes the socket.
            guard sender.isActivityOpen else { return [] }
            sender.isActivityOpen = false
            conversation.sentPrompt(.speech)
            return [RealtimeFrame(#"{"realtimeInput":{"activityEnd":{}}}"#)]
        }
        conversation.sentPrompt(.speech)
        return [RealtimeFrame(#"{"realtimeInput":{"audioStreamEnd":true}}"#)]
    }

    // MARK: Items

    private mutating func create(_ item: RealtimeItem) throws(RealtimeError) -> [RealtimeFrame] {
        let (role, parts) = try content(item)
        if !item.id.isEmpty { conversation.lastItemID = item.id }
        // A completed item is history: nobody waits for an answer to it.
        guard item.status != "completed", case .message("user", let list) = item.kind,
            list.count == 1, case .text(let text)? = list.first
        else {
            return [clientContent(role, parts, turnComplete: false)]
        }
        conversation.sentPrompt(.message)
        let needsActivity = sender.hasManualTurns && !sender.isActivityOpen
        guard !model.options.isVertex, !needsActivity else {
            return [clientContent(role, parts, turnComplete: true)]
        }
        return [RealtimeFrame(json: ["realtimeInput": ["text": .string(text)]])]
    }

    private func clientContent(
        _ role: String, _ parts: [JSONValue], turnComplete: Bool
    ) -> RealtimeFrame {
        let turn: JSONValue = ["role": .string(role), "parts": .array(parts)]
        return RealtimeFrame(
            json: ["clientContent": ["turns": [turn], "turnComplete": .bool(turnComplete)]])
    }

    /// An item as a turn. Only the roles user and model exist, and calls and their outputs
    /// close the socket, so they become text.
    private func content(
        _ item: RealtimeItem
    ) throws(RealtimeError) -> (role: String, parts: [JSONValue]) {
        switch item.kind {
        case .message(let role, let contents):
            var parts: [JSONValue] = []
            for content in contents { parts.append(try part(content)) }
            guard !parts.isEmpty else {
                throw RealtimeError(.invalidInput, "an item without content can't be sent")
            }
            return (role == "assistant" || role == "model" ? "model" : "user", parts)
        case .functionCall(_, let name, let arguments):
            return ("model", [["text": .string("[Called \(name) with \(arguments)]")]])
        case .functionCallOutput(let callID, let output):
            let name = conversation.calls.name(callID) ?? callID
            return ("user", [["text": .string("[Result of \(name): \(output)]")]])
        case .other(let type):
            throw unsupported("has no items of type \(type)", "conversation item create")
        }
    }

    private func part(_ content: RealtimeItem.Content) throws(RealtimeError) -> JSONValue {
        switch content {
        case .text(let text): return ["text": .string(text)]
        case .audio(let transcript?): return ["text": .string(transcript)]
        case .image(let url):
            guard url.hasPrefix("data:"), let comma = url.firstIndex(of: ","),
                url[..<comma].hasSuffix(";base64")
            else {
                throw unsupported(
                    "takes images as base64 data URLs only", "conversation item create")
            }
            let type = String(url[..<comma].dropFirst(5).prefix { $0 != ";" })
            let data = String(url[url.index(after: comma)...])
            return ["inlineData": ["mimeType": .string(type), "data": .string(data)]]
        case .audio, .other:
            throw unsupported(
                "takes text and images in items, not audio without a transcript",
                "conversation item create")
        }
    }

    // MARK: Tools and responses

    private mutating func respond(
        _ output: RealtimeToolOutput
    ) throws(RealtimeError) -> [RealtimeFrame] {
        let calls = conversation.calls
        guard !calls.isCancelled(output.callID) else {
            throw RealtimeError(.cancelled, "the provider cancelled the call \(output.callID)")
        }
        // Extended thinking takes a nameless answer for a failure, and apologises.
        let given = output.name.isEmpty ? nil : output.name
        guard let name = calls.name(output.callID) ?? given else {
            throw RealtimeError(
                .invalidInput, "the answer to a call needs the function's name",
                parameter: "name")
        }
        var response: [String: JSONValue] = [
            "name": .string(name), "response": wrap(output),
        ]
        if !calls.isLocal(output.callID) { response["id"] = .string(output.callID) }
        response["scheduling"] = output.scheduling.map { .string($0.rawValue) }
        conversation.sentToolOutput()
        return [
            RealtimeFrame(
                json: ["toolResponse": ["functionResponses": [.object(response)]]])
        ]
    }

    /// The result as an object, which is all that the wire takes; one that is an object already
    /// goes as it is.
    private func wrap(_ output: RealtimeToolOutput) -> JSONValue {
        if output.isError { return ["error": output.output] }
        guard case .object = output.output else { return ["output": output.output] }
        return output.output
    }

    private mutating func requestResponse(
        _ options: RealtimeResponseOptions
    ) throws(RealtimeError) -> [RealtimeFrame] {
        let refused = [
            ("instructions", options.instructions != nil),
            ("outputModalities", options.outputModalities != nil),
            ("isOutOfBand", options.isOutOfBand),
        ]
        if let (name, _) = refused.first(where: { $0.1 }) {
            throw unsupported("can't change one response: \(name)", "response create")
        }
        // What was sent is answered of itself; asking again would cut that answer short.
        guard conversation.requestResponse() else { return [] }
        let content = JSONValue.object(["turnComplete": true])
            .merging(options.providerOptions ?? [:])
        return [RealtimeFrame(json: ["clientContent": content])]
    }

    /// Any `clientContent` interrupts; one that isn't complete brings no new answer.
    private mutating func cancelResponse() -> [RealtimeFrame] {
        guard conversation.turn != nil || conversation.pendingAnswer != nil else { return [] }
        conversation.cancelPending()
        return [RealtimeFrame(#"{"clientContent":{"turnComplete":false}}"#)]
    }
}
