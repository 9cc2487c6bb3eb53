/// What a provider's wire can do, known before anything is called.
public struct RealtimeCapabilities: Sendable, Hashable {
    /// The session can answer with text alone.
    public var supportsTextOutput: Bool
    /// `conversation.item.truncate` tells the provider what was heard.
    public var supportsTruncation: Bool
    /// An item can be deleted from the provider's conversation.
    public var supportsItemDeletion: Bool
    /// A response has to be asked for, with `response.create`; false where text, tool outputs
    /// and turns are answered of themselves.
    public var requiresResponseCreate: Bool
    /// A running response can be cancelled.
    public var supportsCancel: Bool
    /// The input audio buffer can be emptied.
    public var supportsAudioClear: Bool
    /// The app can end the user's turn itself.
    public var supportsManualTurns: Bool
    /// The provider tells when the user starts and stops to speak.
    public var reportsSpeech: Bool
    /// The configuration can change while connected.
    public var supportsSessionUpdate: Bool
    /// The provider sends text items back as conversation items.
    public var echoesItems: Bool
    /// Items may carry an id of the client's choice.
    public var acceptsItemIDs: Bool
    /// Long-running tools may report later, while the model goes on.
    public var supportsDeferredToolOutput: Bool
    /// The least audio that a commit may hold, in milliseconds.
    public var minimumCommitMilliseconds: Int
    /// What the wire takes if the configuration names no input format.
    public var defaultInputFormat: RealtimeAudioFormat
    /// What the wire sends if the configuration names no output format.
    public var defaultOutputFormat: RealtimeAudioFormat

    /// Creates capabilities; the defaults are those of a wire that can do all.
    public init(
        supportsTextOutput: Bool = true,
        supportsTruncation: Bool = true,
        supportsItemDeletion: Bool = true,
        requiresResponseCreate: Bool = true,
        supportsCancel: Bool = true,
        supportsAudioClear: Bool = true,
        supportsManualTurns: Bool = true,
        reportsSpeech: Bool = true,
        supportsSessionUpdate: Bool = true,
        echoesItems: Bool = true,
        acceptsItemIDs: Bool = true,
        supportsDeferredToolOutput: Bool = false,
        minimumCommitMilliseconds: Int = 0,
        defaultInputFormat: RealtimeAudioFormat = .pcm24kHz,
        defaultOutputFormat: RealtimeAudioFormat = .pcm24kHz
    ) {
        self.supportsTextOutput = supportsTextOutput
        self.supportsTruncation = supportsTruncation
        self.supportsItemDeletion = supportsItemDeletion
        self.requiresResponseCreate = requiresResponseCreate
        self.supportsCancel = supportsCancel
        self.supportsAudioClear = supportsAudioClear
        self.supportsManualTurns = supportsManualTurns
        self.reportsSpeech = reportsSpeech
        self.supportsSessionUpdate = supportsSessionUpdate
        self.echoesItems = echoesItems
        self.acceptsItemIDs = acceptsItemIDs
        self.supportsDeferredToolOutput = supportsDeferredToolOutput
        self.minimumCommitMilliseconds = minimumCommitMilliseconds
        self.defaultInputFormat = defaultInputFormat
        self.defaultOutputFormat = defaultOutputFormat
    }
}
