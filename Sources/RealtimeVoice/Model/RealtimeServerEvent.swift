public import Foundation

/// What a provider tells, in one vocabulary for all wires.
///
/// Ids are the provider's; on a wire that has none (Gemini) the codec makes them up in order.
/// Offsets count milliseconds. Every case ends with the provider's own message.
@nonexhaustive
public enum RealtimeServerEvent: Sendable, Equatable {
    /// The provider announces the session, before it is configured.
    case sessionCreated(sessionID: String?, raw: RealtimeRawPayload)
    /// The provider confirms a configuration; after the first one the session is ready.
    case sessionUpdated(raw: RealtimeRawPayload)
    /// The provider hears the user begin to speak, so far into the audio of this connection.
    case speechStarted(itemID: String?, audioStartMilliseconds: Int?, raw: RealtimeRawPayload)
    /// The provider hears the user cease to speak.
    case speechStopped(itemID: String?, audioEndMilliseconds: Int?, raw: RealtimeRawPayload)
    /// The user's turn is over; its words may come later, under this item.
    case audioCommitted(
        itemID: String?, placement: RealtimeItemPlacement, raw: RealtimeRawPayload)
    /// An item stands in the provider's conversation; its content may still grow.
    case conversationItemAdded(
        RealtimeItem, placement: RealtimeItemPlacement, raw: RealtimeRawPayload)
    /// An item is complete.
    case conversationItemDone(RealtimeItem, raw: RealtimeRawPayload)
    /// An item that was asked for; its audio stands in the raw message.
    case conversationItemRetrieved(RealtimeItem, raw: RealtimeRawPayload)
    /// The audio since the last commit is thrown away.
    case audioCleared(raw: RealtimeRawPayload)
    /// A piece of what the user said, or all of it so far.
    case inputTranscriptionDelta(
        RealtimeContentID, text: String, mode: RealtimeTextMode, raw: RealtimeRawPayload)
    /// What the user said; a later one of the same item replaces it unless this one is final.
    case inputTranscriptionCompleted(
        RealtimeContentID, transcript: String, isFinal: Bool, usage: RealtimeUsage?,
        raw: RealtimeRawPayload)
    /// The user's words could not be transcribed.
    case inputTranscriptionFailed(
        RealtimeContentID, error: RealtimeError, raw: RealtimeRawPayload)
    /// The model begins to answer; out of band where that is kept out of the conversation.
    case responseCreated(
        responseID: String, isOutOfBand: Bool, metadata: [String: String],
        raw: RealtimeRawPayload)
    /// An answer is over, however it ended.
    case responseDone(RealtimeResponse, raw: RealtimeRawPayload)
    /// A response has begun an item: a message or a call.
    case outputItemAdded(responseID: String, RealtimeItem, raw: RealtimeRawPayload)
    /// A response has completed an item.
    case outputItemDone(responseID: String, RealtimeItem, raw: RealtimeRawPayload)
    /// An item has begun a part.
    case contentPartAdded(RealtimeContentID, raw: RealtimeRawPayload)
    /// An item has completed a part.
    case contentPartDone(RealtimeContentID, raw: RealtimeRawPayload)
    /// A piece of speech, decoded from base64, in the format of the wire; nil is the configured
    /// one.
    case audioDelta(
        RealtimeContentID, audio: Data, format: RealtimeAudioFormat?, raw: RealtimeRawPayload)
    /// All speech of a part has come.
    case audioDone(RealtimeContentID, raw: RealtimeRawPayload)
    /// A piece of what is spoken; where the wire tells, when it begins within its part.
    case audioTranscriptDelta(
        RealtimeContentID, delta: String, startMilliseconds: Int?, raw: RealtimeRawPayload)
    /// All that is spoken in a part; nil where the wire repeats none.
    case audioTranscriptDone(RealtimeContentID, transcript: String?, raw: RealtimeRawPayload)
    /// A piece of a written answer.
    case textDelta(RealtimeContentID, delta: String, raw: RealtimeRawPayload)
    /// The whole of a written part; nil where the wire repeats none.
    case textDone(RealtimeContentID, text: String?, raw: RealtimeRawPayload)
    /// A piece of what the model thinks, which is no part of its answer.
    case reasoningDelta(RealtimeContentID, delta: String, raw: RealtimeRawPayload)
    /// A piece of a call's arguments, JSON text.
    case functionCallArgumentsDelta(
        responseID: String?, itemID: String, callID: String, name: String?, delta: String,
        raw: RealtimeRawPayload)
    /// A call with its whole arguments, JSON text; the name may have come before.
    case functionCallArgumentsDone(
        responseID: String?, itemID: String, callID: String, name: String?, arguments: String,
        raw: RealtimeRawPayload)
    /// The provider takes calls back.
    case toolCallCancelled(callIDs: [String], raw: RealtimeRawPayload)
    /// The provider stopped its answer; without an id, the one that runs.
    case interrupted(responseID: String?, raw: RealtimeRawPayload)
    /// An item is cut to what was heard; with the transcript that is left, where the wire tells.
    case itemTruncated(
        itemID: String, contentIndex: Int, audioEndMilliseconds: Int?, transcript: String?,
        raw: RealtimeRawPayload)
    /// An item is gone.
    case itemDeleted(itemID: String, raw: RealtimeRawPayload)
    /// A report of cost that no `responseDone` carries.
    case usage(RealtimeUsage, responseID: String?, raw: RealtimeRawPayload)
    /// The provider will close the connection, after so long if it tells.
    case goingAway(timeLeft: Duration?, raw: RealtimeRawPayload)
    /// The provider reports an error; the session goes on unless it closes.
    case error(RealtimeError, raw: RealtimeRawPayload)
    /// A message without a portable meaning, by the name that the wire gives it.
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
