extension ConversationEngine {
    // MARK: What the provider tells

    /// Lets every machine take in an event, then tells the app.
    mutating func process(
        _ event: RealtimeServerEvent, now: Duration, into effects: inout [EngineEffect]
    ) {
        noticeResponse(of: event, into: &effects)
        switch event {
        case .audioDelta(let content, let audio, let format, _):
            effects.append(.event(event))
            play(content, audio, format: format, now: now, into: &effects)
            return
        case .sessionCreated: act(on: life.sessionCreated(now: now), now: now, into: &effects)
        case .speechStarted, .speechStopped, .audioCommitted, .audioCleared, .interrupted:
            processTurn(event, now: now, into: &effects)
        case .responseCreated(let id, let isOutOfBand, _, _):
            responseCreated(id, isOutOfBand: isOutOfBand, into: &effects)
        case .responseDone(let response, _): responseDone(response, now: now, into: &effects)
        case .outputItemAdded, .outputItemDone, .functionCallArgumentsDelta,
            .functionCallArgumentsDone, .toolCallCancelled:
            processCall(event, now: now, into: &effects)
        case .audioDone, .audioTranscriptDelta, .audioTranscriptDone:
            noteTranscript(event, into: &effects)
        case .error(let error, _): process(error, now: now, into: &effects)
        case .conversationItemAdded(let item, _, _):
            itemsUnderWay.added(item)
        case .sessionUpdated, .conversationItemDone, .conversationItemRetrieved,
            .inputTranscriptionDelta, .inputTranscriptionCompleted,
            .inputTranscriptionFailed, .contentPartAdded,
            .contentPartDone, .textDelta, .textDone, .reasoningDelta, .itemTruncated,
            .itemDeleted, .usage, .goingAway, .custom:
            break
        }
        reduce(event)
        effects.append(.event(event))
        if case .sessionUpdated = event {
            act(on: life.sessionUpdated(), now: now, into: &effects)
        }
    }

    /// What a provider repeats of a conversation that goes on is shown already.
    private mutating func reduce(_ event: RealtimeServerEvent) {
        if isResuming, !life.isReady, case .conversationItemAdded = event { return }
        reducer.reduce(event)
    }

    /// Some backends never announce a response: whatever names one proves that it runs.
    private mutating func noticeResponse(
        of event: RealtimeServerEvent, into effects: inout [EngineEffect]
    ) {
        guard let id = event.responseID, !id.isEmpty, gate.activeID != id,
            !outOfBand.contains(id), !gate.hasEnded(id), event.isOutput
        else { return }
        responseCreated(id, isOutOfBand: false, into: &effects)
    }

    private mutating func responseCreated(
        _ id: String, isOutOfBand: Bool, into effects: inout [EngineEffect]
    ) {
        guard !isOutOfBand else {
            outOfBand.insert(id)
            return
        }
        // Replies keep their order: what was sent before the request is settled with it.
        if gate.isRequested { itemsUnderWay = ItemsUnderWay() }
        if case .sendCancel(let id) = gate.responseCreated(id, coversPending: itemsUnderWay.isEmpty)
        {
            cut(id)
            attempt(.responseCancel(responseID: id), into: &effects)
        }
    }

    private mutating func responseDone(
        _ response: RealtimeResponse, now: Duration, into effects: inout [EngineEffect]
    ) {
        let isOutOfBand = outOfBand.remove(response.id) != nil
        // One that was taken for the conversation's own before it was announced frees the gate.
        guard !isOutOfBand || gate.activeID == response.id else { return }
        flushSplitSamples(into: &effects)
        for item in response.output { noteCall(item, response.id, now: now, into: &effects) }
        if response.status == .cancelled, !cutOff.contains(response.id),
            ledger.contents.contains(where: { $0.responseID == response.id })
        {
            cutPlayback(.provider, now: now, into: &effects)
        }
        // The tools first: their follow-up merges with what waits at the gate.
        perform(
            tools.responseDone(response.id, status: response.status), now: now, into: &effects)
        let freed = gate.responseDone(response.id, reason: response.reason, now: now)
        if case .send(let request) = freed { send(request, now: now, into: &effects) }
        if let error = response.error, response.status == .failed {
            effects.append(.report(error))
        }
    }

    private mutating func processTurn(
        _ event: RealtimeServerEvent, now: Duration, into effects: inout [EngineEffect]
    ) {
        switch event {
        case .speechStarted:
            activity.isUserSpeaking = true
            gate.speechStarted(now: now)
            guard session.providerInterruptsAnswers else { return }
            if gate.isActive { gate.providerCancels() }
            if gate.isActive || ledger.isAudible(now: now) {
                cutPlayback(.speech, now: now, into: &effects)
            }
        case .speechStopped:
            activity.isUserSpeaking = false
            gate.speechStopped(now: now)
        case .audioCommitted:
            inputBytes = 0
            activity.isUserSpeaking = false
            gate.speechStopped(now: now)
        case .audioCleared:
            activity.isUserSpeaking = false
            if case .send(let request) = gate.speechDropped(now: now) {
                send(request, now: now, into: &effects)
            }
        case .interrupted(let responseID, _):
            if let responseID { cut(responseID) }
            cutPlayback(.provider, now: now, into: &effects)
        default: break
        }
    }

    // MARK: Calls

    private mutating func processCall(
        _ event: RealtimeServerEvent, now: Duration, into effects: inout [EngineEffect]
    ) {
        switch event {
        case .outputItemAdded(let responseID, let item, _):
            guard !outOfBand.contains(responseID),
                case .functionCall(let callID, let name, _) = item.kind
            else { return }
            tools.announced(callID: callID, name: name, responseID: responseID)
        case .outputItemDone(let responseID, let item, _):
            noteCall(item, responseID, now: now, into: &effects)
        case .functionCallArgumentsDelta(let responseID, _, let callID, let name, _, _):
            guard !outOfBand.contains(responseID ?? "") else { return }
            tools.announced(callID: callID, name: name, responseID: responseID ?? gate.activeID)
        case .functionCallArgumentsDone(
            let responseID, _, let callID, let name, let arguments, _):
            guard !outOfBand.contains(responseID ?? "") else { return }
            let actions = tools.completed(
                callID: callID, name: name, arguments: arguments,
                responseID: responseID ?? gate.activeID, now: now)
            // The reducer shows the call before its output.
            reducer.reduce(event)
            perform(actions, now: now, into: &effects)
        case .toolCallCancelled(let callIDs, _):
            perform(tools.cancelledByProvider(callIDs), now: now, into: &effects)
        default: break
        }
    }

    /// A finished call that the arguments' own event did not bring, or not with its name.
    private mutating func noteCall(
        _ item: RealtimeItem, _ responseID: String, now: Duration,
        into effects: inout [EngineEffect]
    ) {
        guard case .functionCall(let callID, let name, let arguments) = item.kind,
            item.status != "incomplete", !outOfBand.contains(responseID)
        else { return }
        let actions = tools.completed(
            callID: callID, name: name, arguments: arguments, responseID: responseID, now: now)
        guard !actions.isEmpty else { return }
        reducer.completeCall(
            itemID: item.id, callID: callID, name: name, arguments: arguments,
            responseID: responseID)
        perform(actions, now: now, into: &effects)
    }

    // MARK: Errors

    private mutating func process(
        _ error: RealtimeError, now: Duration, into effects: inout [EngineEffect]
    ) {
        itemsUnderWay.refused(error)
        let wasRequested = gate.isRequested
        if case .send(let request) = gate.errorReceived(error, now: now) {
            send(request, now: now, into: &effects)
        } else if wasRequested, !gate.isRequested {
            itemsUnderWay = ItemsUnderWay()
        }
        if !life.isReady {
            act(on: life.errorReceived(error), now: now, into: &effects)
        } else if !BenignErrors.contains(error) {
            effects.append(.report(error))
        }
    }
}

extension RealtimeServerEvent {
    /// Whether this is something that only a running response produces.
    fileprivate var isOutput: Bool {
        switch self {
        case .outputItemAdded, .contentPartAdded, .audioDelta, .audioTranscriptDelta, .textDelta,
            .reasoningDelta, .functionCallArgumentsDelta:
            true
        default: false
        }
    }
}
