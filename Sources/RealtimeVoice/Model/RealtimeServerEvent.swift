public import Foundation

/// What a provider tells, in one vocabulary for all wires.
///
/// Ids are the provider's; on a wire that has none (Gemini) the codec makes them up in order.
/// Offsets count milliseconds. Every case ends with the provider's own message.
@nonexhaustive
public enum RealtimeServerEvent: Sendable, Equatable {
    case sessionCreated(sessionID: String?, raw: RealtimeRawPayload)
    case sessionUpdated(raw: RealtimeRawPayload)
    case speechStarted(itemID: String?, audioStartMilliseconds: Int?, raw: RealtimeRawPayload)
    case speechStopped(itemID: String?, audioEndMilliseconds: Int?, raw: RealtimeRawPayload)
    case audioCommitted(
        itemID: String?, placement: RealtimeItemPlacement, raw: RealtimeRawPayload)
    case conversationItemAdded(
        RealtimeItem, placement: RealtimeItemPlacement, raw: RealtimeRawPayload)
    case conversationItemDone(RealtimeItem, raw: RealtimeRawPayload)
    case conversationItemRetrieved(RealtimeItem, raw: RealtimeRawPayload)
    case audioCleared(raw: RealtimeRawPayload)
    case inputTranscriptionDelta(
        RealtimeContentID, text: String, mode: RealtimeTextMode, raw: RealtimeRawPayload)
    case inputTranscriptionCompleted(
        RealtimeContentID, transcript: String, isFinal: Bool, usage: RealtimeUsage?,
        raw: RealtimeRawPayload)
    case inputTranscriptionFailed(
        RealtimeContentID, error: RealtimeError, raw: RealtimeRawPayload)
    case responseCreated(
        responseID: String, isOutOfBand: Bool, metadata: [String: String],
        raw: RealtimeRawPayload)
    case responseDone(RealtimeResponse, raw: RealtimeRawPayload)
    case outputItemAdded(responseID: String, RealtimeItem, raw: RealtimeRawPayload)
    case outputItemDone(responseID: String, RealtimeItem, raw: RealtimeRawPayload)
    case contentPartAdded(RealtimeContentID, raw: RealtimeRawPayload)
    case contentPartDone(RealtimeContentID, raw: RealtimeRawPayload)
    case audioDelta(
        RealtimeContentID, audio: Data, format: RealtimeAudioFormat?, raw: RealtimeRawPayload)
    case audioDone(RealtimeContentID, raw: RealtimeRawPayload)
    case audioTranscriptDelta(
        RealtimeContentID, delta: String, startMilliseconds: Int?, raw: RealtimeRawPayload)
    case audioTranscriptDone(RealtimeContentID, transcript: String?, raw: RealtimeRawPayload)
    case textDelta(RealtimeContentID, delta: String, raw: RealtimeRawPayload)
    case textDone(RealtimeContentID, text: String?, raw: RealtimeRawPayload)
    case reasoningDelta(RealtimeContentID, delta: String, raw: RealtimeRawPayload)
    case functionCallArgumentsDelta(
        responseID: String?, itemID: String, callID: String, name: String?, delta: String,
        raw: RealtimeRawPayload)
    case functionCallArgumentsDone(
        responseID: String?, itemID: String, callID: String, name: String?, arguments: String,
        raw: RealtimeRawPayload)
    case toolCallCancelled(callIDs: [String], raw: RealtimeRawPayload)
    case interrupted(responseID: String?, raw: RealtimeRawPayload)
    case itemTruncated(
        itemID: String, contentIndex: Int, audioEndMilliseconds: Int?, transcript: String?,
        raw: RealtimeRawPayload)
    case itemDeleted(itemID: String, raw: RealtimeRawPayload)
    case usage(RealtimeUsage, responseID: String?, raw: RealtimeRawPayload)
    case goingAway(timeLeft: Duration?, raw: RealtimeRawPayload)
    case error(RealtimeError, raw: RealtimeRawPayload)
    case custom(rawType: String, raw: RealtimeRawPayload)
}

/// Names one part of one item of a response.
public struct RealtimeContentID: Sendable, Hashable {
    /// The response, nil for what the user said.
    public var responseID: String?
    /// The item.
    public var itemID: String
    /// The part within the item.
    public var contentIndex: Int

    /// Creates an id.
    public init(responseID: String? = nil, itemID: String, contentIndex: Int = 0) {
        self.responseID = responseID
        self.itemID = itemID
        self.contentIndex = contentIndex
    }
}

/// What a piece of transcript does to what came before.
public enum RealtimeTextMode: Sendable, Hashable {
    /// It goes on from there.
    case append
    /// It is the whole, and may have changed earlier words.
    case replace
}

/// A finished response.
public struct RealtimeResponse: Sendable, Equatable {
    /// How a response ends; providers may have more.
    public struct Status: RawRepresentable, Sendable, Hashable {
        /// The provider's text.
        public let rawValue: String

        /// Creates a status.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It was said to its end.
        public static let completed = Status(rawValue: "completed")
        /// Speech, or the client, stopped it.
        public static let cancelled = Status(rawValue: "cancelled")
        /// A limit or a filter cut it.
        public static let incomplete = Status(rawValue: "incomplete")
        /// The provider could not answer; see `error`.
        public static let failed = Status(rawValue: "failed")
    }

    /// The provider's id.
    public var id: String
    /// How it ended.
    public var status: Status
    /// Why, such as `turn_detected`, `client_cancelled` or `max_output_tokens`.
    public var reason: String?
    /// What failed.
    public var error: RealtimeError?
    /// What it cost.
    public var usage: RealtimeUsage?
    /// The items that it produced, as they ended.
    public var output: [RealtimeItem]

    /// Creates a finished response.
    public init(
        id: String, status: Status, reason: String? = nil, error: RealtimeError? = nil,
        usage: RealtimeUsage? = nil, output: [RealtimeItem] = []
    ) {
        self.id = id
        self.status = status
        self.reason = reason
        self.error = error
        self.usage = usage
        self.output = output
    }
}
