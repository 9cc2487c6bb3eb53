import Foundation

/// Reads the server messages of OpenAI, Azure and xAI, in GA and beta spelling.
///
/// Every field is optional to it: a message that lacks one still becomes an event, and one of
/// an unknown type becomes `custom`.
struct OpenAIDecoder: Sendable {
    let dialect: OpenAIDialect
    private var translation = OpenAITranslation()
    private var responseIDs = RepeatedText()
    private var itemIDs = RepeatedText()

    init(dialect: OpenAIDialect) {
        self.dialect = dialect
    }

    mutating func decode(
        _ message: RealtimeFrame
    ) throws(RealtimeError) -> [RealtimeServerEvent] {
        let frame = try OpenAIFrame(message.bytes)
        let raw = RealtimeRawPayload(message.bytes)
        let type = frame.messageType
        if type.hasPrefix("response.") {
            if let event = try responseEvent(type, frame, raw) { return [event] }
        } else if type.hasPrefix("conversation.item.") {
            let events = try itemEvents(type, frame, raw)
            if !events.isEmpty { return events }
        } else if type.hasPrefix("input_audio_buffer.") {
            if let event = try inputEvent(type, frame, raw) { return [event] }
        } else if let events = try translation.events(type, frame, raw) {
            return events
        }
        return [try sessionEvent(type, frame, raw)]
    }

    static func audio(_ frame: OpenAIFrame) throws(RealtimeError) -> Data {
        guard let delta = frame.delta, let audio = frame.scanner.base64(delta) else {
            throw RealtimeError(.decodingFailed, "audio that is not base64", parameter: "delta")
        }
        return audio
    }

    private func sessionEvent(
        _ type: OpenAIMessageType, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> RealtimeServerEvent {
        switch type {
        // The beta's spelling of transcription sessions, still in the schema.
        case "session.created", "transcription_session.created":
            .sessionCreated(sessionID: frame.string("id", in: frame.session), raw: raw)
        case "session.updated", "transcription_session.updated": .sessionUpdated(raw: raw)
        case "error":
            .error(OpenAIObjects.error(frame.value(frame.error) ?? .null), raw: raw)
        default: .custom(rawType: try frame.text(frame.type), raw: raw)
        }
    }

    // MARK: Responses

    private mutating func responseEvent(
        _ type: OpenAIMessageType, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> RealtimeServerEvent? {
        switch type {
        // First what comes most.
        case "response.output_audio.delta", "response.audio.delta":
            return .audioDelta(
                try contentID(frame), audio: try Self.audio(frame), format: nil, raw: raw)
        case "response.created": return created(frame, raw)
        case "response.done": return .responseDone(OpenAIObjects.response(frame), raw: raw)
        case "response.output_item.added":
            return .outputItemAdded(
                responseID: try responseID(frame) ?? "", try item(frame), raw: raw)
        case "response.output_item.done":
            return .outputItemDone(
                responseID: try responseID(frame) ?? "", try item(frame), raw: raw)
        case "response.content_part.added":
            return .contentPartAdded(try contentID(frame), raw: raw)
        case "response.content_part.done":
            return .contentPartDone(try contentID(frame), raw: raw)
        case "response.output_audio.done", "response.audio.done":
            return .audioDone(try contentID(frame), raw: raw)
        case "response.output_audio_transcript.delta", "response.audio_transcript.delta":
            return .audioTranscriptDelta(
                try contentID(frame), delta: try frame.text(frame.delta),
                startMilliseconds: startMilliseconds(frame), raw: raw)
        case "response.output_audio_transcript.done", "response.audio_transcript.done":
            return .audioTranscriptDone(
                try contentID(frame), transcript: try frame.string(frame.transcript), raw: raw)
        case "response.output_text.delta", "response.text.delta":
            return .textDelta(
                try contentID(frame), delta: try frame.text(frame.delta), raw: raw)
        case "response.output_text.done", "response.text.done":
            return .textDone(
                try contentID(frame), text: try frame.string(frame.text), raw: raw)
        case "response.function_call_arguments.delta":
            return .functionCallArgumentsDelta(
                responseID: try responseID(frame),
                itemID: try itemID(frame) ?? "", callID: try frame.text(frame.callID),
                name: try frame.string(frame.name), delta: try frame.text(frame.delta), raw: raw)
        case "response.function_call_arguments.done":
            return .functionCallArgumentsDone(
                responseID: try responseID(frame),
                itemID: try itemID(frame) ?? "", callID: try frame.text(frame.callID),
                name: try frame.string(frame.name), arguments: try frame.text(frame.arguments),
                raw: raw)
        default: return nil
        }
    }

    private func created(
        _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) -> RealtimeServerEvent {
        let response = frame.value(frame.response) ?? .null
        let metadata = (response["metadata"]?.objectValue ?? [:]).compactMapValues(\.stringValue)
        return .responseCreated(
            responseID: response["id"]?.stringValue
                ?? frame.string("id", in: frame.response) ?? "",
            isOutOfBand: response["conversation_id"]?.isNull ?? false,
            metadata: metadata, raw: raw)
    }

    private func item(_ frame: OpenAIFrame) throws(RealtimeError) -> RealtimeItem {
        guard let json = frame.value(frame.item), json.objectValue != nil else {
            throw RealtimeError(
                .decodingFailed, "an item that can't be read", parameter: "item")
        }
        return OpenAIObjects.item(json)
    }

    /// xAI tells where in the item's audio a phrase begins, in seconds.
    private func startMilliseconds(_ frame: OpenAIFrame) -> Int? {
        guard let slice = frame.startTime,
            let seconds = frame.scanner.number(slice)?.doubleValue, seconds >= 0,
            seconds < 1e9
        else { return nil }
        return Int((seconds * 1_000).rounded())
    }

    // MARK: The conversation

    private mutating func inputEvent(
        _ type: OpenAIMessageType, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> RealtimeServerEvent? {
        switch type {
        case "input_audio_buffer.speech_started":
            .speechStarted(
                itemID: try itemID(frame),
                audioStartMilliseconds: frame.int(frame.audioStart), raw: raw)
        case "input_audio_buffer.speech_stopped":
            .speechStopped(
                itemID: try itemID(frame),
                audioEndMilliseconds: frame.int(frame.audioEnd), raw: raw)
        case "input_audio_buffer.committed":
            .audioCommitted(
                itemID: try itemID(frame), placement: try placement(frame), raw: raw)
        case "input_audio_buffer.cleared": .audioCleared(raw: raw)
        default: nil
        }
    }

    private mutating func itemEvents(
        _ type: OpenAIMessageType, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> [RealtimeServerEvent] {
        switch type {
        case "conversation.item.added":
            return [
                .conversationItemAdded(try item(frame), placement: try placement(frame), raw: raw)
            ]
        case "conversation.item.created":
            // The older wires have one event where GA has two.
            let item = try item(frame)
            let added = RealtimeServerEvent.conversationItemAdded(
                item, placement: try placement(frame), raw: raw)
            guard item.status == "completed" else { return [added] }
            return [added, .conversationItemDone(item, raw: raw)]
        // Its `previous_item_id` is wrong too often to be read.
        case "conversation.item.done": return [.conversationItemDone(try item(frame), raw: raw)]
        case "conversation.item.retrieved":
            return [.conversationItemRetrieved(try item(frame), raw: raw)]
        case "conversation.item.truncated":
            return [
                .itemTruncated(
                    itemID: try itemID(frame) ?? "",
                    contentIndex: try contentID(frame).contentIndex,
                    audioEndMilliseconds: frame.int(frame.audioEnd),
                    transcript: try frame.string(frame.transcript), raw: raw)
            ]
        case "conversation.item.deleted":
            return [.itemDeleted(itemID: try itemID(frame) ?? "", raw: raw)]
        default:
            return try transcriptionEvent(type, frame, raw).map { [$0] } ?? []
        }
    }

    private mutating func transcriptionEvent(
        _ type: OpenAIMessageType, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> RealtimeServerEvent? {
        switch type {
        case "conversation.item.input_audio_transcription.delta":
            .inputTranscriptionDelta(
                try contentID(frame), text: try frame.text(frame.delta), mode: .append, raw: raw)
        case "conversation.item.input_audio_transcription.updated":
            .inputTranscriptionDelta(
                try contentID(frame), text: try frame.text(frame.transcript), mode: .replace,
                raw: raw)
        case "conversation.item.input_audio_transcription.completed":
            .inputTranscriptionCompleted(
                try contentID(frame), transcript: try frame.text(frame.transcript),
                isFinal: try frame.string(frame.status) != "in_progress",
                usage: frame.value(frame.usage).flatMap(OpenAIObjects.usage), raw: raw)
        case "conversation.item.input_audio_transcription.failed":
            .inputTranscriptionFailed(
                try contentID(frame),
                error: OpenAIObjects.error(frame.value(frame.error) ?? .null), raw: raw)
        default: nil
        }
    }

    private func placement(
        _ frame: OpenAIFrame
    ) throws(RealtimeError) -> RealtimeItemPlacement {
        guard let slice = frame.previousItemID else { return .unspecified }
        if slice.isNull { return dialect.nullPredecessorMeansFirst ? .first : .unspecified }
        guard let id = try frame.string(slice), !id.isEmpty else { return .unspecified }
        return .after(id)
    }

    // MARK: Ids

    private mutating func responseID(_ frame: OpenAIFrame) throws(RealtimeError) -> String? {
        try responseIDs.string(frame.responseID, in: frame)
    }

    private mutating func itemID(_ frame: OpenAIFrame) throws(RealtimeError) -> String? {
        try itemIDs.string(frame.itemID, in: frame)
    }

    /// The ids of a content part; empty where the message has none.
    private mutating func contentID(
        _ frame: OpenAIFrame
    ) throws(RealtimeError) -> RealtimeContentID {
        RealtimeContentID(
            responseID: try responseID(frame), itemID: try itemID(frame) ?? "",
            contentIndex: max(0, frame.int(frame.contentIndex) ?? 0))
    }
}
