/// Reads the messages of a translation session, which has one endless turn and no ids.
///
/// What is heard and what is spoken are one item each, `translation_input` and
/// `translation_output`, until `session.closed` ends both.
struct OpenAITranslation: Sendable {
    private var hasInput = false
    private var hasOutput = false
    private var input = ""
    private var output = ""

    private static let inputID = RealtimeContentID(itemID: "translation_input")
    private static let outputID = RealtimeContentID(
        responseID: "translation", itemID: "translation_output")

    /// The events of a message, nil where it is none of a translation session's.
    mutating func events(
        _ type: OpenAIMessageType, _ frame: OpenAIFrame, _ raw: RealtimeRawPayload
    ) throws(RealtimeError) -> [RealtimeServerEvent]? {
        switch type {
        case "session.input_transcript.delta":
            let text = try frame.text(frame.delta)
            input += text
            return openInput(raw)
                + [.inputTranscriptionDelta(Self.inputID, text: text, mode: .append, raw: raw)]
        case "session.output_transcript.delta":
            let text = try frame.text(frame.delta)
            output += text
            return openOutput(raw)
                + [
                    .audioTranscriptDelta(
                        Self.outputID, delta: text, startMilliseconds: nil, raw: raw)
                ]
        case "session.output_audio.delta":
            guard let delta = frame.delta, let audio = frame.scanner.base64(delta) else {
                throw RealtimeError(
                    .decodingFailed, "audio that is not base64", parameter: "delta")
            }
            let format = frame.int(frame.sampleRate).flatMap { rate in
                (8_000...48_000).contains(rate) ? RealtimeAudioFormat(rate: rate) : nil
            }
            return openOutput(raw)
                + [.audioDelta(Self.outputID, audio: audio, format: format, raw: raw)]
        case "session.closed": return close(raw)
        default: return nil
        }
    }

    private mutating func openInput(_ raw: RealtimeRawPayload) -> [RealtimeServerEvent] {
        guard !hasInput else { return [] }
        hasInput = true
        let item = RealtimeItem(
            id: Self.inputID.itemID,
            kind: .message(role: "user", content: [.audio(transcript: nil)]),
            status: "in_progress")
        return [.conversationItemAdded(item, placement: .first, raw: raw)]
    }

    private mutating func openOutput(_ raw: RealtimeRawPayload) -> [RealtimeServerEvent] {
        guard !hasOutput, let responseID = Self.outputID.responseID else { return [] }
        hasOutput = true
        return [
            .responseCreated(
                responseID: responseID, isOutOfBand: false, metadata: [:], raw: raw)
        ]
    }

    private mutating func close(_ raw: RealtimeRawPayload) -> [RealtimeServerEvent] {
        var events: [RealtimeServerEvent] = []
        if hasInput {
            events.append(
                .inputTranscriptionCompleted(
                    Self.inputID, transcript: input, isFinal: true, usage: nil, raw: raw))
        }
        if hasOutput, let responseID = Self.outputID.responseID {
            events.append(.audioDone(Self.outputID, raw: raw))
            events.append(.audioTranscriptDone(Self.outputID, transcript: output, raw: raw))
            events.append(
                .responseDone(RealtimeResponse(id: responseID, status: .completed), raw: raw))
        }
        self = OpenAITranslation()
        return events + [.custom(rawType: "session.closed", raw: raw)]
    }
}
