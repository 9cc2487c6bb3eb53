import Foundation

/// Reads the server messages of OpenAI, Azure and xAI, in GA and beta spelling.
///
/// Every field is optional to it: a message that lacks one still becomes an event, and one of
/// an unknown type becomes `custom`.
struct OpenAIDecoder: Sendable {
    let dialect: OpenAIDialect
    private var translation = OpenAITranslation()

    init(dialect: OpenAIDialect) {
        self.dialect = dialect
    }

    mutating func decode(
        _ message: RealtimeFrame
    ) throws(RealtimeError) -> [RealtimeServerEvent] {
        let frame = try OpenAIFrame(message.bytes)
        let raw = RealtimeRawPayload(message.bytes)
        if frame.matchesType("response.output_audio.delta")
            || frame.matchesType("response.audio.delta")
        {
            return [try audioDelta(frame, raw)]
        }
        let type = frame.string(frame.type) ?? ""
        if let event = responseEvent(type, frame, raw) { return [event] }
        if let event = try conversationEvent(type, frame, raw) { return [event] }
        if let events = try translation.events(type, frame, raw) { return events }
        return [sessionEvent(type, frame, raw)]
    }

    private func audioDelta(
        _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> RealtimeServerEvent {
        guard let delta = frame.delta, let audio = frame.scanner.base64(delta) else {
            throw RealtimeError(.decodingFailed, "audio that is not base64", parameter: "delta")
        }
        return .audioDelta(frame.contentID, audio: audio, format: nil, raw: raw)
    }

    private func sessionEvent(
        _ type: String, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) -> RealtimeServerEvent {
        switch type {
        case "session.created", "transcription_session.created":
            .sessionCreated(
                sessionID: frame.value(frame.session)?["id"]?.stringValue, raw: raw)
        case "session.updated", "transcription_session.updated": .sessionUpdated(raw: raw)
        case "error":
            .error(OpenAIObjects.error(frame.value(frame.error) ?? .null), raw: raw)
        default: .custom(rawType: type, raw: raw)
        }
    }

    // MARK: Responses

    private func responseEvent(
        _ type: String, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) -> RealtimeServerEvent? {
        switch type {
        case "response.created":
            return created(frame, raw)
        case "response.done", "response.cancelled":
            return .responseDone(
                OpenAIObjects.response(
                    frame.value(frame.response), usage: frame.value(frame.usage)),
                raw: raw)
        case "response.output_item.added":
            return .outputItemAdded(
                responseID: frame.string(frame.responseID) ?? "", item(frame), raw: raw)
        case "response.output_item.done":
            return .outputItemDone(
                responseID: frame.string(frame.responseID) ?? "", item(frame), raw: raw)
        case "response.content_part.added": return .contentPartAdded(frame.contentID, raw: raw)
        case "response.content_part.done": return .contentPartDone(frame.contentID, raw: raw)
        case "response.output_audio.done", "response.audio.done":
            return .audioDone(frame.contentID, raw: raw)
        case "response.output_audio_transcript.delta", "response.audio_transcript.delta":
            return .audioTranscriptDelta(
                frame.contentID, delta: frame.string(frame.delta) ?? "",
                startMilliseconds: startMilliseconds(frame), raw: raw)
        case "response.output_audio_transcript.done", "response.audio_transcript.done":
            return .audioTranscriptDone(
                frame.contentID, transcript: frame.string(frame.transcript), raw: raw)
        case "response.output_text.delta", "response.text.delta":
            return .textDelta(frame.contentID, delta: frame.string(frame.delta) ?? "", raw: raw)
        case "response.output_text.done", "response.text.done":
            return .textDone(frame.contentID, text: frame.string(frame.text), raw: raw)
        case "response.function_call_arguments.delta":
            return .functionCallArgumentsDelta(
                responseID: frame.string(frame.responseID),
                itemID: frame.string(frame.itemID) ?? "",
                callID: frame.string(frame.callID) ?? "", name: frame.string(frame.name),
                delta: frame.string(frame.delta) ?? "", raw: raw)
        case "response.function_call_arguments.done":
            return .functionCallArgumentsDone(
                responseID: frame.string(frame.responseID),
                itemID: frame.string(frame.itemID) ?? "",
                callID: frame.string(frame.callID) ?? "", name: frame.string(frame.name),
                arguments: frame.string(frame.arguments) ?? "", raw: raw)
        default: return nil
        }
    }

    private func created(
        _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) -> RealtimeServerEvent {
        let response = frame.value(frame.response) ?? .null
        let metadata = (response["metadata"]?.objectValue ?? [:]).compactMapValues(\.stringValue)
        return .responseCreated(
            responseID: response["id"]?.stringValue ?? "",
            isOutOfBand: response["conversation_id"]?.isNull ?? false,
            metadata: metadata, raw: raw)
    }

    private func item(_ frame: OpenAIFrame) -> RealtimeItem {
        OpenAIObjects.item(frame.value(frame.item) ?? .null)
    }

    /// xAI tells where in the item's audio a phrase begins, in seconds.
    private func startMilliseconds(_ frame: OpenAIFrame) -> Int? {
        guard let slice = frame.startTime,
            let seconds = frame.scanner.number(slice)?.doubleValue, seconds >= 0,
            seconds < 1e9
        else { return nil }
        return Int(seconds * 1_000)
    }

    // MARK: Conversation

    private func conversationEvent(
        _ type: String, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> RealtimeServerEvent? {
        let itemID = frame.string(frame.itemID)
        switch type {
        case "input_audio_buffer.speech_started":
            return .speechStarted(
                itemID: itemID, audioStartMilliseconds: frame.int(frame.audioStart), raw: raw)
        case "input_audio_buffer.speech_stopped":
            return .speechStopped(
                itemID: itemID, audioEndMilliseconds: frame.int(frame.audioEnd), raw: raw)
        case "input_audio_buffer.committed":
            return .audioCommitted(itemID: itemID, placement: placement(frame), raw: raw)
        case "input_audio_buffer.cleared": return .audioCleared(raw: raw)
        case "conversation.item.added", "conversation.item.created":
            return .conversationItemAdded(item(frame), placement: placement(frame), raw: raw)
        case "conversation.item.done": return .conversationItemDone(item(frame), raw: raw)
        case "conversation.item.retrieved":
            return .conversationItemRetrieved(item(frame), raw: raw)
        case "conversation.item.truncated":
            return .itemTruncated(
                itemID: itemID ?? "", contentIndex: frame.contentID.contentIndex,
                audioEndMilliseconds: frame.int(frame.audioEnd),
                transcript: frame.string(frame.transcript), raw: raw)
        case "conversation.item.deleted":
            return .itemDeleted(itemID: itemID ?? "", raw: raw)
        default:
            return transcriptionEvent(type, frame, raw)
        }
    }

    private func transcriptionEvent(
        _ type: String, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) -> RealtimeServerEvent? {
        let prefix = "conversation.item.input_audio_transcription."
        guard type.hasPrefix(prefix) else { return nil }
        switch type.dropFirst(prefix.count) {
        case "delta":
            return .inputTranscriptionDelta(
                frame.contentID, text: frame.string(frame.delta) ?? "", mode: .append, raw: raw)
        case "updated":
            return .inputTranscriptionDelta(
                frame.contentID, text: frame.string(frame.transcript) ?? "", mode: .replace,
                raw: raw)
        case "completed":
            return .inputTranscriptionCompleted(
                frame.contentID, transcript: frame.string(frame.transcript) ?? "",
                isFinal: frame.string(frame.status) != "in_progress",
                usage: frame.value(frame.usage).flatMap(OpenAIObjects.usage), raw: raw)
        case "failed":
            return .inputTranscriptionFailed(
                frame.contentID,
                error: OpenAIObjects.error(frame.value(frame.error) ?? .null), raw: raw)
        default: return nil
        }
    }

    private func placement(_ frame: OpenAIFrame) -> RealtimeItemPlacement {
        guard let slice = frame.previousItemID else { return .unspecified }
        if slice.isNull { return dialect.nullPredecessorMeansFirst ? .first : .unspecified }
        guard let id = frame.string(slice), !id.isEmpty else { return .unspecified }
        return .after(id)
    }
}
