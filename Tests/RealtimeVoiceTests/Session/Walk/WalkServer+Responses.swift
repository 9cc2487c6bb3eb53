import Foundation
import RealtimeVoice

extension WalkServer {
    // MARK: Responses

    mutating func create(_ options: RealtimeResponseOptions, dice: inout WalkDice) {
        if options.isOutOfBand {
            begin(Response(id: newID("resp"), isOutOfBand: true), dice: &dice)
            return
        }
        guard let active else {
            if !isGemini, dice.chance(4) {
                refuse("invalid_value", "a request that is refused", eventID: options.eventID)
            } else {
                begin(Response(id: newID("resp"), isMistakable: hasAnswered), dice: &dice)
                hasAnswered = false
            }
            return
        }
        if isGemini { return }
        // Only the server's own answer, of which the client could not know yet, excuses this, or
        // one that came and went while the client's request was on its way.
        let isExcused =
            active.isOwn || active.isMistakable || clientGaveUp || provider.isUnreliable
        if !isExcused {
            faults.append("a second response is asked for while the client's own runs")
        }
        refuse(
            "conversation_already_has_active_response",
            "Conversation already has an active response in progress: \(active.id)",
            eventID: options.eventID)
    }

    mutating func begin(_ response: Response, dice: inout WalkDice) {
        var response = response
        if response.isOwn { hasAnswered = true }
        response.beats = script(of: response.id, dice: &dice).reversed()
        emit(
            .responseCreated(
                responseID: response.id, isOutOfBand: response.isOutOfBand, metadata: [:],
                raw: .none))
        if response.isOutOfBand { outOfBand.append(response) } else { active = response }
    }

    mutating func cancel(_ responseID: String?) {
        guard let id = active?.id, responseID ?? id == id else {
            refuse("response_cancel_not_active", "Cancellation failed: no active response found")
            return
        }
        end(.cancelled, reason: isGemini ? "interrupted" : "client_cancelled")
    }

    /// Stops the active response; what it had begun stays incomplete.
    mutating func end(_ status: RealtimeResponse.Status, reason: String?) {
        guard var response = active else { return }
        if status == .cancelled {
            for var item in response.open {
                item.status = "incomplete"
                finish(item, in: &response)
            }
        }
        active = nil
        if isGemini, status == .cancelled {
            emit(.interrupted(responseID: response.id, raw: .none))
            let unanswered = calls.filter { _, call in
                call.responseID == response.id && !call.isAnswered && !call.isTakenBack
            }
            for callID in unanswered.keys.sorted() {
                calls[callID]?.isTakenBack = true
                emit(.toolCallCancelled(callIDs: [callID], raw: .none))
            }
        }
        emit(
            .responseDone(
                RealtimeResponse(
                    id: response.id, status: status, reason: reason, output: response.output),
                raw: .none))
        let outputs = heldOutputs
        heldOutputs = []
        for output in outputs { add(output) }
    }

    private mutating func finish(_ item: RealtimeItem, in response: inout Response) {
        response.open.removeAll { $0.id == item.id }
        response.output.append(item)
        if !isGemini, !response.isOutOfBand { emit(.conversationItemDone(item, raw: .none)) }
        emit(.outputItemDone(responseID: response.id, item, raw: .none))
    }

    /// Lets the next thing of a running response happen.
    mutating func beat(outOfBand index: Int? = nil) {
        guard var response = index.map({ outOfBand[$0] }) ?? active,
            let beat = response.beats.popLast()
        else { return }
        switch beat {
        case .added(let item):
            response.open.append(item)
            emit(.outputItemAdded(responseID: response.id, item, raw: .none))
            if case .functionCall(let callID, _, _) = item.kind {
                calls[callID] = Call(responseID: response.id)
            }
            guard !response.isOutOfBand else { break }
            let placement = append(item.id, isCall(item) ? .call : .answer)
            if !isGemini {
                emit(.conversationItemAdded(item, placement: placement, raw: .none))
            }
        case .event(let event): emit(event)
        case .audio(let content, let bytes):
            items[content.itemID]?.audio[content.contentIndex, default: 0] += bytes
            emit(
                .audioDelta(
                    content, audio: Data(repeating: 1, count: bytes), format: nil, raw: .none))
        case .done(let item): finish(item, in: &response)
        case .end(let status):
            if let index {
                outOfBand.remove(at: index)
                emit(
                    .responseDone(
                        RealtimeResponse(id: response.id, status: status, output: []),
                        raw: .none))
            } else {
                active = response
                end(status, reason: status == .incomplete ? "max_output_tokens" : nil)
            }
            return
        }
        if let index { outOfBand[index] = response } else { active = response }
    }

    private func isCall(_ item: RealtimeItem) -> Bool {
        if case .functionCall = item.kind { return true }
        return false
    }

    // MARK: Speech

    /// The user begins to speak, goes on, stops, or is answered.
    mutating func speechMoves(dice: inout WalkDice) {
        guard isConfigured else { return }
        guard !isGemini else {
            let id = newID("user")
            commit(id)
            interruptAndAnswer(dice: &dice)
            return
        }
        guard turnDetection.type != .disabled else { return }
        switch speech {
        case .silence:
            let id = newID("user")
            speech = .speaking(item: id)
            emit(.speechStarted(itemID: id, audioStartMilliseconds: 0, raw: .none))
            // Transcripts may run ahead of the item.
            if dice.chance(30) { transcripts.append((id, ["ahead ", "of ", "it"])) }
            if turnDetection.interruptResponse != false, active != nil {
                let stragglers = dice.roll(3)
                for _ in 0..<stragglers {
                    guard case .audio? = active?.beats.last else { break }
                    beat()
                }
                end(.cancelled, reason: "turn_detected")
            }
        case .speaking(let item):
            speech = .silence
            emit(.speechStopped(itemID: item, audioEndMilliseconds: 0, raw: .none))
            commit(item)
            if turnDetection.createResponse != false { speech = .answering }
        case .answering:
            speech = .silence
            // Noise gets no answer, and a response that runs already is one.
            if active == nil, dice.chance(90) {
                begin(Response(id: newID("resp"), isOwn: true), dice: &dice)
            }
        }
    }

    mutating func interruptAndAnswer(dice: inout WalkDice) {
        end(.cancelled, reason: "interrupted")
        if dice.chance(90) { begin(Response(id: newID("resp"), isOwn: true), dice: &dice) }
    }

    /// The next piece of some transcript comes.
    mutating func transcribe(dice: inout WalkDice) {
        guard !transcripts.isEmpty else { return }
        let index = dice.roll(transcripts.count)
        var (item, pieces) = transcripts[index]
        let content = RealtimeContentID(itemID: item)
        if pieces.isEmpty {
            // The end of it comes after the item.
            guard items[item] != nil || speech == .silence else { return }
            transcripts.remove(at: index)
            if dice.chance(10) {
                emit(
                    .inputTranscriptionFailed(
                        content, error: RealtimeError(.provider, "no words"), raw: .none))
            } else {
                emit(
                    .inputTranscriptionCompleted(
                        content, transcript: "said \(item)", isFinal: true, usage: nil,
                        raw: .none))
            }
            return
        }
        let piece = pieces.removeFirst()
        emit(.inputTranscriptionDelta(content, text: piece, mode: .append, raw: .none))
        transcripts[index] = (item, pieces)
    }
}
