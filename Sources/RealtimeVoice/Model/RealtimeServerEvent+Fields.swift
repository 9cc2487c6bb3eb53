extension RealtimeServerEvent {
    /// The case's name.
    public var name: String {
        switch self {
        case .sessionCreated: "sessionCreated"
        case .sessionUpdated: "sessionUpdated"
        case .speechStarted: "speechStarted"
        case .speechStopped: "speechStopped"
        case .audioCommitted: "audioCommitted"
        case .conversationItemAdded: "conversationItemAdded"
        case .conversationItemDone: "conversationItemDone"
        case .conversationItemRetrieved: "conversationItemRetrieved"
        case .audioCleared: "audioCleared"
        case .inputTranscriptionDelta: "inputTranscriptionDelta"
        case .inputTranscriptionCompleted: "inputTranscriptionCompleted"
        case .inputTranscriptionFailed: "inputTranscriptionFailed"
        case .responseCreated: "responseCreated"
        case .responseDone: "responseDone"
        case .outputItemAdded: "outputItemAdded"
        case .outputItemDone: "outputItemDone"
        case .contentPartAdded: "contentPartAdded"
        case .contentPartDone: "contentPartDone"
        case .audioDelta: "audioDelta"
        case .audioDone: "audioDone"
        case .audioTranscriptDelta: "audioTranscriptDelta"
        case .audioTranscriptDone: "audioTranscriptDone"
        case .textDelta: "textDelta"
        case .textDone: "textDone"
        case .reasoningDelta: "reasoningDelta"
        case .functionCallArgumentsDelta: "functionCallArgumentsDelta"
        case .functionCallArgumentsDone: "functionCallArgumentsDone"
        case .toolCallCancelled: "toolCallCancelled"
        case .interrupted: "interrupted"
        case .itemTruncated: "itemTruncated"
        case .itemDeleted: "itemDeleted"
        case .usage: "usage"
        case .goingAway: "goingAway"
        case .error: "error"
        case .custom: "custom"
        }
    }

    /// The provider's own message.
    public var raw: RealtimeRawPayload {
        switch self {
        case .sessionCreated(_, let raw), .sessionUpdated(let raw), .speechStarted(_, _, let raw),
            .speechStopped(_, _, let raw), .audioCommitted(_, _, let raw),
            .conversationItemAdded(_, _, let raw), .conversationItemDone(_, let raw),
            .conversationItemRetrieved(_, let raw), .audioCleared(let raw),
            .inputTranscriptionDelta(_, _, _, let raw),
            .inputTranscriptionCompleted(_, _, _, _, let raw),
            .inputTranscriptionFailed(_, _, let raw), .responseCreated(_, _, _, let raw),
            .responseDone(_, let raw), .outputItemAdded(_, _, let raw),
            .outputItemDone(_, _, let raw), .contentPartAdded(_, let raw),
            .contentPartDone(_, let raw), .audioDelta(_, _, _, let raw), .audioDone(_, let raw),
            .audioTranscriptDelta(_, _, _, let raw), .audioTranscriptDone(_, _, let raw),
            .textDelta(_, _, let raw), .textDone(_, _, let raw), .reasoningDelta(_, _, let raw),
            .functionCallArgumentsDelta(_, _, _, _, _, let raw),
            .functionCallArgumentsDone(_, _, _, _, _, let raw), .toolCallCancelled(_, let raw),
            .interrupted(_, let raw), .itemTruncated(_, _, _, _, let raw),
            .itemDeleted(_, let raw), .usage(_, _, let raw), .goingAway(_, let raw),
            .error(_, let raw), .custom(_, let raw):
            raw
        }
    }

    /// The response that an event belongs to, nil where it belongs to none.
    public var responseID: String? {
        switch self {
        case .responseCreated(let id, _, _, _), .outputItemAdded(let id, _, _),
            .outputItemDone(let id, _, _):
            id
        case .responseDone(let response, _): response.id
        case .contentPartAdded(let content, _), .contentPartDone(let content, _),
            .audioDelta(let content, _, _, _), .audioDone(let content, _),
            .audioTranscriptDelta(let content, _, _, _), .audioTranscriptDone(let content, _, _),
            .textDelta(let content, _, _), .textDone(let content, _, _),
            .reasoningDelta(let content, _, _):
            content.responseID
        case .functionCallArgumentsDelta(let id, _, _, _, _, _),
            .functionCallArgumentsDone(let id, _, _, _, _, _), .interrupted(let id, _),
            .usage(_, let id, _):
            id
        case .sessionCreated, .sessionUpdated, .speechStarted, .speechStopped, .audioCommitted,
            .conversationItemAdded, .conversationItemDone, .conversationItemRetrieved,
            .audioCleared, .inputTranscriptionDelta, .inputTranscriptionCompleted,
            .inputTranscriptionFailed, .toolCallCancelled, .itemTruncated, .itemDeleted,
            .goingAway, .error, .custom:
            nil
        }
    }
}
