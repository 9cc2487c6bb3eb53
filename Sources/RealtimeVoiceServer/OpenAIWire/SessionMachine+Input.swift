import Foundation
import RealtimeVoice

/// The user's speech: buffer, turns, words.
extension SessionMachine {
    /// 20 ms at 16 kHz, not more than a detector's frame.
    private static let pieceSamples = 320

    /// Cuts turns by the settings of now; an open turn is dropped.
    mutating func resetDetector() {
        dropTurn()
        guard let wishes = settings.turnDetection else {
            detector = nil
            return
        }
        var turns = wishes.settings
        turns.maximumTurnMilliseconds = environment.maximumTurnMilliseconds
        detector = TurnDetector(
            detector: environment.makeDetector(wishes.threshold), settings: turns,
            position: input.position)
    }

    mutating func append(_ audio: String, now: Int) throws(WireError) {
        guard let bytes = Data(base64Encoded: audio) else {
            throw WireError(
                code: "invalid_value",
                message: "Invalid 'audio'. Expected base64-encoded audio bytes.",
                parameter: "audio")
        }
        let samples = converter.convert(bytes)
        guard !samples.isEmpty else { return }
        guard detector != nil else {
            // Push to talk: what the client sends is speech.
            input.append(samples, isIdle: false)
            if turnItem == nil { beginTurn() }
            if let turnItem { actions.append(.hear(item: turnItem, samples: samples)) }
            return
        }
        for start in stride(from: 0, to: samples.count, by: Self.pieceSamples) {
            let end = min(start + Self.pieceSamples, samples.count)
            detect(Array(samples[start..<end]), now: now)
        }
    }

    /// Feeds the detector. A piece is so short that it holds one event at most: else a client
    /// that appends a whole recording at once would get its second turn into its first.
    private mutating func detect(_ piece: [Int16], now: Int) {
        input.append(piece, isIdle: turnItem == nil)
        let wasSpeaking = turnItem
        let events = detector?.received(piece) ?? []
        if let wasSpeaking {
            actions.append(.hear(item: wasSpeaking, samples: piece))
        }
        for event in events { handle(event, now: now) }
    }

    private mutating func handle(_ event: TurnDetector.Event, now: Int) {
        switch event {
        case .started(let start):
            beginTurn()
            idleDeadline = nil
            guard let turnItem else { return }
            send(
                "input_audio_buffer.speech_started",
                ["audio_start_ms": .int(start / 16), "item_id": .string(turnItem)])
            actions.append(.hear(item: turnItem, samples: input.samples(from: start)))
            if settings.turnDetection?.interruptsResponse == true, let activeResponse {
                cancel(activeResponse, reason: "turn_detected")
            }
        case .paused:
            if let turnItem { actions.append(.tellPause(item: turnItem)) }
        case .resumed:
            if let turnItem { actions.append(.tellResume(item: turnItem)) }
        case .stopped(let end):
            guard let turnItem else { return }
            send(
                "input_audio_buffer.speech_stopped",
                ["audio_end_ms": .int(end / 16), "item_id": .string(turnItem)])
            commitTurn()
            guard settings.turnDetection?.createsResponse == true else { return }
            if activeResponse == nil {
                startResponse(ResponseOptions(settings), now: now)
            } else {
                owesResponse = true
            }
        }
    }

    private mutating func beginTurn() {
        let item = ids.next("item")
        turnItem = item
        actions.append(.beginHearing(item: item))
    }

    private mutating func dropTurn() {
        if let turnItem { actions.append(.dropHearing(item: turnItem)) }
        if let turnItem { prefixes[turnItem] = nil }
        turnItem = nil
        detector?.dropTurn()
    }

    // MARK: Commit and clear

    mutating func commit() throws(WireError) {
        let milliseconds = input.pendingMilliseconds
        guard milliseconds >= 100 else {
            let present = String(format: "%.2f", milliseconds)
            throw WireError(
                code: "input_audio_buffer_commit_empty",
                message: "Error committing input audio buffer: buffer too small. Expected at "
                    + "least 100ms of audio, but buffer only has \(present)ms of audio.")
        }
        if turnItem == nil {
            beginTurn()
            if let turnItem { actions.append(.hear(item: turnItem, samples: input.samples)) }
        }
        detector?.dropTurn()
        commitTurn()
    }

    /// Makes the spoken turn an item.
    private mutating func commitTurn() {
        guard let id = turnItem else { return }
        turnItem = nil
        var item = WireItem(
            id: id,
            kind: .message(role: "user", content: [.inputAudio(transcript: nil)]))
        item.heardSamples = input.take()
        send(
            "input_audio_buffer.committed",
            ["item_id": .string(id), "previous_item_id": conversation.lastID.json])
        add(item)
        pendingHearing.insert(id)
        actions.append(.finishHearing(item: id))
    }

    mutating func clear() {
        _ = input.take()
        dropTurn()
        send("input_audio_buffer.cleared", [:])
    }

    // MARK: Words

    mutating func receivePartial(_ item: String, _ text: String) {
        guard settings.isTranscribing, item == turnItem || pendingHearing.contains(item) else {
            return
        }
        if let delta = prefixes[item, default: StablePrefix()].received(text) {
            sendTranscription("delta", item, ["delta": .string(delta)])
        }
    }

    mutating func receiveWords(_ item: String, _ text: String?, now: Int) {
        guard pendingHearing.remove(item) != nil else { return }
        var prefix = prefixes.removeValue(forKey: item) ?? StablePrefix()
        if let known = conversation.item(item) {
            conversation.update(item) { $0.heardText = text ?? "" }
            if settings.isTranscribing {
                tellWords(item, text, &prefix, milliseconds: known.heardSamples.count / 16)
            }
        }
        for id in responses.keys.sorted() {
            responses[id]?.waitsFor.remove(item)
            askIfReady(id)
        }
    }

    private mutating func tellWords(
        _ item: String,
        _ text: String?,
        _ prefix: inout StablePrefix,
        milliseconds: Int
    ) {
        guard let text else {
            let error: JSONValue = [
                "type": "server_error", "code": .null, "param": .null,
                "message": "The recogniser could not decode this turn.",
            ]
            sendTranscription("failed", item, ["error": error])
            return
        }
        if let delta = prefix.finished(text) {
            sendTranscription("delta", item, ["delta": .string(delta)])
        }
        sendTranscription(
            "completed", item,
            [
                "transcript": .string(text),
                "usage": transcriptionUsage(text, milliseconds: milliseconds),
            ])
    }

    private func transcriptionUsage(_ text: String, milliseconds: Int) -> JSONValue {
        guard settings.transcriptionModel.hasPrefix("gpt-4o") else {
            return ["type": "duration", "seconds": .int((milliseconds + 999) / 1_000)]
        }
        let (audio, output) = (milliseconds / 100, WireUsage.tokens(text))
        return [
            "type": "tokens", "total_tokens": .int(audio + output), "input_tokens": .int(audio),
            "output_tokens": .int(output),
            "input_token_details": ["text_tokens": 0, "audio_tokens": .int(audio)],
        ]
    }

    private mutating func sendTranscription(
        _ kind: String,
        _ item: String,
        _ members: [String: JSONValue]
    ) {
        var members = members
        members["item_id"] = .string(item)
        members["content_index"] = 0
        send("conversation.item.input_audio_transcription.\(kind)", members)
    }

    // MARK: Idle timeout

    /// Starts to wait for the user, once the speech that was sent has been heard.
    mutating func awaitUser(unheardMilliseconds: Int, now: Int) {
        guard turnItem == nil, let idle = settings.turnDetection?.idleTimeoutMilliseconds else {
            return
        }
        idleStart = input.position
        idleDeadline = now + unheardMilliseconds + idle
    }

    mutating func triggerIdleTimeout(now: Int) {
        idleDeadline = nil
        guard turnItem == nil, activeResponse == nil, settings.turnDetection != nil else { return }
        let id = ids.next("item")
        send(
            "input_audio_buffer.timeout_triggered",
            [
                "audio_start_ms": .int(idleStart / 16), "audio_end_ms": .int(input.position / 16),
                "item_id": .string(id),
            ])
        var item = WireItem(
            id: id, kind: .message(role: "user", content: [.inputAudio(transcript: nil)]))
        item.heardSamples = input.take()
        item.heardText = ""
        send(
            "input_audio_buffer.committed",
            ["item_id": .string(id), "previous_item_id": conversation.lastID.json])
        add(item)
        if settings.turnDetection?.createsResponse == true {
            startResponse(ResponseOptions(settings), now: now)
        }
    }
}
