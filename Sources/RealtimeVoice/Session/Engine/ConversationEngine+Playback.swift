import Foundation

extension ConversationEngine {
    // MARK: Speech out

    mutating func play(
        _ content: RealtimeContentID, _ audio: Data, format: RealtimeAudioFormat?,
        now: Duration, into effects: inout [EngineEffect]
    ) {
        let responseID = content.responseID ?? ""
        guard !outOfBand.contains(responseID), !audio.isEmpty else { return }
        guard !cutOff.contains(responseID) else {
            lateAudioBytes += audio.count
            return
        }
        let format = format ?? outputFormat
        let start = ledger.received(content, bytes: audio.count, format: format, now: now)
        noteText(of: content)
        let whole = joined(content, audio, format)
        guard !whole.isEmpty else { return }
        effects.append(.play(chunk(content, whole, format, startMilliseconds: start)))
    }

    /// Pieces may end within a sample; players only get whole ones.
    private mutating func joined(
        _ content: RealtimeContentID, _ audio: Data, _ format: RealtimeAudioFormat
    ) -> Data {
        guard format.bytesPerSample == 2 else { return audio }
        guard let split = splitSamples.removeValue(forKey: content) else {
            guard !audio.count.isMultiple(of: 2), let last = audio.last else { return audio }
            splitSamples[content] = (last, format)
            return audio.dropLast()
        }
        var whole = Data(capacity: audio.count + 1)
        whole.append(split.byte)
        whole.append(audio)
        if !whole.count.isMultiple(of: 2), let last = whole.popLast() {
            splitSamples[content] = (last, format)
        }
        return whole
    }

    /// A last half of a sample comes out as it is, so that nothing is lost.
    mutating func flushSplitSamples(into effects: inout [EngineEffect]) {
        for content in splitSamples.keys { flushSplitSample(of: content, into: &effects) }
    }

    private mutating func flushSplitSample(
        of content: RealtimeContentID, into effects: inout [EngineEffect]
    ) {
        guard let split = splitSamples.removeValue(forKey: content) else { return }
        let start = ledger.receivedMilliseconds(content, format: split.format)
        effects.append(
            .play(chunk(content, Data([split.byte]), split.format, startMilliseconds: start)))
    }

    private func chunk(
        _ content: RealtimeContentID, _ data: Data, _ format: RealtimeAudioFormat,
        startMilliseconds: Int
    ) -> RealtimeAudioChunk {
        let law: G711? =
            switch format.type {
            case "audio/pcmu": .muLaw
            case "audio/pcma": .aLaw
            default: nil
            }
        return RealtimeAudioChunk(
            content: content, data: law?.decode(data) ?? data,
            format: RealtimeAudioFormat(type: "audio/pcm", rate: format.samplesPerSecond),
            startMilliseconds: startMilliseconds)
    }

    // MARK: Transcripts

    mutating func noteTranscript(
        _ event: RealtimeServerEvent, into effects: inout [EngineEffect]
    ) {
        switch event {
        case .audioTranscriptDelta(let content, let delta, let start, _):
            let received = ledger.receivedMilliseconds(content, format: outputFormat)
            noteText(of: content)
            // In place: a copy would cost more with every piece.
            heardTexts[content]?.appended(
                delta, startMilliseconds: start, receivedMilliseconds: received)
        case .audioTranscriptDone(let content, let transcript, _):
            heardTexts[content]?.completed(transcript)
        case .audioDone(let content, _):
            // The end of an answer that was cut is not the end of what was to be said.
            if !cutOff.contains(content.responseID ?? "") { heardTexts[content]?.audioCompleted() }
            flushSplitSample(of: content, into: &effects)
        default: break
        }
    }

    /// Begins to follow the text of a part; only the latest ones are followed.
    private mutating func noteText(of content: RealtimeContentID) {
        guard heardTexts[content] == nil else { return }
        heardTexts[content] = HeardText()
        heardTextOrder.append(content)
        if heardTextOrder.count > 64 { heardTexts[heardTextOrder.removeFirst()] = nil }
    }

    // MARK: Interruptions

    /// What still comes of a response is not played.
    mutating func cut(_ responseID: String) {
        guard !responseID.isEmpty, !cutOff.contains(responseID) else { return }
        cutOff.append(responseID)
        for content in splitSamples.keys where content.responseID == responseID {
            splitSamples[content] = nil
        }
        if cutOff.count > 64 { cutOff.removeFirst() }
    }

    private mutating func cutEverythingAudible() {
        if let active = gate.activeID { cut(active) }
        for content in ledger.contents {
            if let responseID = content.responseID { cut(responseID) }
        }
    }

    /// Whether more is to come of what is audible, or was until the provider fell behind.
    var isRowRunning: Bool {
        guard let active = gate.activeID else { return false }
        return ledger.row.runs.last?.content.responseID == active
    }

    /// Speech stops here and now; the player is told, and asked how far it had come.
    mutating func cutPlayback(
        _ cause: RealtimeInterruption.Cause, now: Duration, into effects: inout [EngineEffect]
    ) {
        let items = ledger.contents.map(\.itemID)
        cutEverythingAudible()
        switch ledger.cut(now: now, isRunning: isRowRunning) {
        case .doNothing: break
        case .awaitReport(let estimate):
            effects.append(.interruptPlayback(.init(cause: cause, itemIDs: items)))
            for heard in estimate { showHeard(heard) }
        case .settle(let heard):
            effects.append(.interruptPlayback(.init(cause: cause, itemIDs: items)))
            settle(heard, into: &effects)
        }
        if configuration.cancelsToolsOnInterruption {
            perform(tools.cancelledByUser(), now: now, into: &effects)
        }
    }

    /// A player was stopped and tells how far it had come. Without anything to stop, nothing
    /// happens.
    mutating func playerStopped(
        _ heard: [PlaybackLedger.Heard], into effects: inout [EngineEffect]
    ) {
        guard !heard.isEmpty else { return }
        let items = heard.map(\.content.itemID)
        let wasCut = heard.allSatisfy { cutOff.contains($0.content.responseID ?? "") }
        if !wasCut, !heard.allSatisfy(isWhole) {
            cancelActive(into: &effects)
            for content in heard.map(\.content) {
                if let responseID = content.responseID { cut(responseID) }
            }
            effects.append(.interruptPlayback(.init(cause: .client, itemIDs: items)))
        }
        settle(heard, into: &effects)
    }

    /// Whether a part was said, and heard, to its end.
    private func isWhole(_ part: PlaybackLedger.Heard) -> Bool {
        heardTexts[part.content]?.isAudioComplete == true
            && part.heardMilliseconds >= part.receivedMilliseconds
    }

    /// Tells the provider what was heard, where it can be told, and marks the transcript.
    private mutating func settle(
        _ heard: [PlaybackLedger.Heard], into effects: inout [EngineEffect]
    ) {
        var deleted: Set<String> = []
        for part in heard {
            showHeard(part)
            guard !isWhole(part) else { continue }
            if part.heardMilliseconds > 0 {
                guard capabilities.supportsTruncation else { continue }
                attempt(
                    .conversationItemTruncate(
                        itemID: part.content.itemID, contentIndex: part.content.contentIndex,
                        audioEndMilliseconds: part.heardMilliseconds), into: &effects)
            } else if capabilities.supportsItemDeletion,
                deleted.insert(part.content.itemID).inserted
            {
                reducer.apply(.itemDeleted(itemID: part.content.itemID))
                attempt(.conversationItemDelete(itemID: part.content.itemID), into: &effects)
            }
        }
    }

    private mutating func showHeard(_ part: PlaybackLedger.Heard) {
        guard let text = heardTexts[part.content] else { return }
        let characters = text.characters(
            heardMilliseconds: part.heardMilliseconds,
            receivedMilliseconds: part.receivedMilliseconds)
        reducer.apply(.heard(part.content, characters: isWhole(part) ? nil : characters))
    }
}
