extension ConversationEngine {
    // MARK: What the app wants

    /// Does what the app asks, or keeps it until the session is ready.
    ///
    /// - Throws: `notConnected` after the end, `unsupported` for what the wire lacks,
    ///   `queueFull` where too much waits already.
    package mutating func perform(
        _ intent: ClientIntent, now: Duration, into effects: inout [EngineEffect]
    ) throws(RealtimeError) {
        guard !life.isOver else {
            throw RealtimeError(.notConnected, "the session is not connected")
        }
        try check(intent)
        if life.isReady {
            try execute(intent, now: now, into: &effects)
            updateActivity(now: now)
        } else {
            try wait(intent)
        }
    }

    /// Typed text shows at once, though it goes out later.
    private mutating func wait(_ intent: ClientIntent) throws(RealtimeError) {
        guard case .sendText(let text, nil) = intent else {
            try waiting.add(intent)
            return
        }
        let itemID = ids.next("item")
        try waiting.add(.sendText(text, itemID: itemID))
        reducer.apply(.userText(itemID: itemID, text: text))
    }

    /// What a provider lacks is said before anything is sent.
    private func check(_ intent: ClientIntent) throws(RealtimeError) {
        let lacking: String? =
            switch intent {
            case .clearAudio: capabilities.supportsAudioClear ? nil : "emptying the audio buffer"
            case .cancelResponse: capabilities.supportsCancel ? nil : "cancelling a response"
            case .deleteItem: capabilities.supportsItemDeletion ? nil : "deleting an item"
            case .updateSession:
                capabilities.supportsSessionUpdate ? nil : "changing the session while connected"
            case .appendAudio, .commitAudio, .sendText, .addItem, .requestResponse,
                .playbackInterrupted, .itemPlaybackInterrupted, .playbackProgressed, .toolOutput,
                .retrieveItem, .raw:
                nil
            }
        guard let lacking else { return }
        throw RealtimeError(.unsupported, "\(model.provider) has no way of \(lacking)")
    }

    mutating func execute(
        _ intent: ClientIntent, now: Duration, into effects: inout [EngineEffect]
    ) throws(RealtimeError) {
        switch intent {
        case .appendAudio(let audio):
            inputBytes += audio.count
            try send(.inputAudioAppend(audio), into: &effects)
        case .commitAudio: try commitAudio(into: &effects)
        case .clearAudio:
            inputBytes = 0
            try send(.inputAudioClear, into: &effects)
        case .sendText(let text, let itemID):
            try sendText(text, itemID: itemID, now: now, into: &effects)
        case .addItem(let item, let placement):
            try send(.conversationItemCreate(item, placement: placement), into: &effects)
            if capabilities.echoesItems { itemsUnderWay.sent(item) }
        case .requestResponse(let options): try request(options, now: now, into: &effects)
        case .cancelResponse: cancelResponse(now: now, into: &effects)
        case .playbackInterrupted(let milliseconds):
            let heard = ledger.interrupted(playedMilliseconds: milliseconds, now: now)
            playerStopped(heard, into: &effects)
        case .itemPlaybackInterrupted(let itemID, let contentIndex, let milliseconds):
            let heard = ledger.interrupted(
                itemID: itemID, contentIndex: contentIndex, playedMilliseconds: milliseconds,
                now: now)
            playerStopped(heard, into: &effects)
        case .playbackProgressed(let milliseconds):
            ledger.progressed(playedMilliseconds: milliseconds, now: now)
        case .toolOutput(let output):
            perform(try tools.answered(output), now: now, into: &effects)
        case .updateSession(let change):
            try updateSession(change, now: now, into: &effects)
        case .deleteItem(let itemID):
            try send(.conversationItemDelete(itemID: itemID), into: &effects)
        case .retrieveItem(let itemID):
            try send(.conversationItemRetrieve(itemID: itemID), into: &effects)
        case .raw(let message): try send(.raw(message), into: &effects)
        }
    }

    /// A commit of less than the provider takes would only be refused.
    private mutating func commitAudio(
        into effects: inout [EngineEffect]
    ) throws(RealtimeError) {
        let milliseconds = inputFormat.milliseconds(ofBytes: inputBytes)
        let least = capabilities.minimumCommitMilliseconds
        if session.turnDetection?.type == .disabled, milliseconds < least {
            throw RealtimeError(
                .invalidInput,
                "only \(milliseconds) ms of audio since the last commit; \(model.provider) "
                    + "takes \(least) ms at least")
        }
        inputBytes = 0
        try send(.inputAudioCommit, into: &effects)
    }

    /// Typing is a barge-in like speech: the running answer stops, then the text goes out.
    private mutating func sendText(
        _ text: String, itemID: String?, now: Duration, into effects: inout [EngineEffect]
    ) throws(RealtimeError) {
        if gate.isActive || ledger.isAudible(now: now) {
            // Without requests for responses, the text itself stops the running one.
            if capabilities.requiresResponseCreate { cancelActive(into: &effects) }
            cutPlayback(.client, now: now, into: &effects)
        }
        let item = RealtimeItem(
            id: itemID ?? ids.next("item"),
            kind: .message(role: "user", content: [.text(text)]))
        if itemID == nil { reducer.apply(.userText(itemID: item.id, text: text)) }
        try send(.conversationItemCreate(item, placement: .unspecified), into: &effects)
        if capabilities.echoesItems { itemsUnderWay.sent(item) }
        if capabilities.requiresResponseCreate {
            try request(RealtimeResponseOptions(), now: now, into: &effects)
        }
    }

    mutating func request(
        _ options: RealtimeResponseOptions, now: Duration, into effects: inout [EngineEffect]
    ) throws(RealtimeError) {
        guard capabilities.requiresResponseCreate, !options.isOutOfBand else {
            try send(.responseCreate(options), into: &effects)
            return
        }
        var options = options
        let eventID = options.eventID ?? ids.next("event")
        options.eventID = nil
        let request = ResponseGate.Request(options: options, eventID: eventID)
        switch gate.request(request, now: now) {
        case .send(let request): send(request, now: now, into: &effects)
        case .wait, .merge: break
        case .refuse:
            throw RealtimeError(.queueFull, "too many responses wait to be asked for")
        }
    }

    private mutating func cancelResponse(now: Duration, into effects: inout [EngineEffect]) {
        cancelActive(into: &effects)
        cutPlayback(.client, now: now, into: &effects)
    }

    mutating func cancelActive(into effects: inout [EngineEffect]) {
        guard capabilities.supportsCancel else { return }
        switch gate.cancel() {
        case .sendCancel(let responseID):
            cut(responseID)
            attempt(.responseCancel(responseID: responseID), into: &effects)
        case .remember, .doNothing: break
        }
    }

    /// Only what differs goes out: an unchanged voice, sent again after the first speech, would
    /// have the whole update refused.
    private mutating func updateSession(
        _ change: RealtimeSessionConfig, now: Duration, into effects: inout [EngineEffect]
    ) throws(RealtimeError) {
        var change = change
        if change.voice == session.voice { change.voice = nil }
        try send(.sessionUpdate(change), into: &effects)
        session = session.updated(with: change)
        let freed = gate.turnDetectionChanged(
            providerAnswersSpeech: session.providerAnswersSpeech, now: now)
        if case .send(let request) = freed { send(request, now: now, into: &effects) }
    }

    // MARK: Tools

    mutating func perform(
        _ actions: [ToolTurns.Action], now: Duration, into effects: inout [EngineEffect]
    ) {
        for action in actions {
            switch action {
            case .run(let call): effects.append(.runTool(call))
            case .send(let output):
                reducer.apply(.toolOutput(output))
                attempt(.functionCallOutput(output), into: &effects)
                if capabilities.echoesItems { itemsUnderWay.sent(output) }
            case .cancelTask(let callID): effects.append(.cancelTool(callID: callID))
            case .drop(let callID, let reason):
                reducer.apply(.toolFailed(callID: callID, reason: reason))
            case .requestFollowUp: requestFollowUp(now: now, into: &effects)
            }
        }
    }

    private mutating func requestFollowUp(now: Duration, into effects: inout [EngineEffect]) {
        guard capabilities.requiresResponseCreate else { return }
        do throws(RealtimeError) {
            try request(RealtimeResponseOptions(), now: now, into: &effects)
        } catch {
            effects.append(.report(error))
        }
    }
}

extension RealtimeSessionConfig {
    /// This configuration with whatever the other one names in its place.
    func updated(with other: RealtimeSessionConfig) -> RealtimeSessionConfig {
        RealtimeSessionConfig(
            instructions: other.instructions ?? instructions,
            voice: other.voice ?? voice,
            outputModalities: other.outputModalities ?? outputModalities,
            inputAudioFormat: other.inputAudioFormat ?? inputAudioFormat,
            inputAudioTranscription: other.inputAudioTranscription ?? inputAudioTranscription,
            outputAudioTranscription: other.outputAudioTranscription ?? outputAudioTranscription,
            outputAudioFormat: other.outputAudioFormat ?? outputAudioFormat,
            turnDetection: other.turnDetection ?? turnDetection,
            tools: other.tools ?? tools,
            providerOptions: other.providerOptions ?? providerOptions)
    }
}
