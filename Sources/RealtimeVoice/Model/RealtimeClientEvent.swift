public import Foundation

/// What a client can ask of a provider, before a model encodes it.
@nonexhaustive
public enum RealtimeClientEvent: Sendable, Hashable {
    /// Replaces, or changes, the configuration.
    case sessionUpdate(RealtimeSessionConfig)
    /// A piece of the user's audio, in the configured input format.
    case inputAudioAppend(Data)
    /// Ends the user's turn.
    case inputAudioCommit
    /// Drops what was appended since the last commit.
    case inputAudioClear
    /// Adds an item to the conversation.
    case conversationItemCreate(RealtimeItem, placement: RealtimeItemPlacement)
    /// Cuts an assistant item to what was heard.
    case conversationItemTruncate(itemID: String, contentIndex: Int, audioEndMilliseconds: Int)
    /// Removes an item.
    case conversationItemDelete(itemID: String)
    /// Asks for an item as the provider has it.
    case conversationItemRetrieve(itemID: String)
    /// The answer to a call, with the function's name, which some wires want.
    case functionCallOutput(RealtimeToolOutput)
    /// Asks for a response.
    case responseCreate(RealtimeResponseOptions)
    /// Stops a response; without an id, the default conversation's.
    case responseCancel(responseID: String?)
    /// A message of the provider's own, sent as it is.
    case raw(JSONValue)
}

/// The answer to a tool call.
public struct RealtimeToolOutput: Sendable, Hashable {
    /// When a wire that lets the model go on meanwhile should bring the result up.
    public enum Scheduling: String, Sendable, Hashable {
        /// At once.
        case interrupt = "INTERRUPT"
        /// When the model has finished what it is saying.
        case whenIdle = "WHEN_IDLE"
        /// Never by itself; the model knows it from now on.
        case silent = "SILENT"
    }

    /// The call that is answered.
    public var callID: String
    /// The function's name.
    public var name: String
    /// The result; a string is sent as it is, anything else as JSON.
    public var output: JSONValue
    /// Whether the result is the text of an error.
    public var isError: Bool
    /// When the model should hear of it, on wires that can choose.
    public var scheduling: Scheduling?

    /// Creates an answer.
    public init(
        callID: String, name: String, output: JSONValue, isError: Bool = false,
        scheduling: Scheduling? = nil
    ) {
        self.callID = callID
        self.name = name
        self.output = output
        self.isError = isError
        self.scheduling = scheduling
    }
}

/// How one response differs from what the session is configured for.
public struct RealtimeResponseOptions: Sendable, Hashable {
    /// Instructions that replace the session's for this response.
    public var instructions: String?
    /// `["audio"]` or `["text"]`.
    public var outputModalities: [String]?
    /// Pairs that come back with the response.
    public var metadata: [String: String]?
    /// Keeps the response out of the conversation and out of the main playback.
    public var isOutOfBand: Bool
    /// An id of the client's for this request, named by an error that answers it.
    public var eventID: String?
    /// Merged deeply into the native request.
    public var providerOptions: JSONValue?

    /// Creates options.
    public init(
        instructions: String? = nil, outputModalities: [String]? = nil,
        metadata: [String: String]? = nil, isOutOfBand: Bool = false, eventID: String? = nil,
        providerOptions: JSONValue? = nil
    ) {
        self.instructions = instructions
        self.outputModalities = outputModalities
        self.metadata = metadata
        self.isOutOfBand = isOutOfBand
        self.eventID = eventID
        self.providerOptions = providerOptions
    }
}
