/// One entry of the provider's conversation.
public struct RealtimeItem: Sendable, Hashable {
    /// One part of a message item.
    @nonexhaustive
    public enum Content: Sendable, Hashable {
        /// Text that was typed or written.
        case text(String)
        /// Speech, with what was said where that is known.
        case audio(transcript: String?)
        /// An image, as a `data:` URL.
        case image(url: String)
        /// A part that this library has no word for.
        case other(type: String)
    }

    /// What an item is.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
        /// Something said or written by `user`, `assistant` or `system`.
        case message(role: String, content: [Content])
        /// The model's call of a function.
        case functionCall(callID: String, name: String, arguments: String)
        /// The answer to a call.
        case functionCallOutput(callID: String, output: String)
        /// An item that this library has no word for, such as `mcp_call`.
        case other(type: String)
    }

    /// The provider's id, or ours in an item that we create.
    public var id: String
    /// What it is.
    public var kind: Kind
    /// `in_progress`, `completed` or `incomplete`, where the provider tells.
    public var status: String?

    /// Creates an item.
    public init(id: String, kind: Kind, status: String? = nil) {
        self.id = id
        self.kind = kind
        self.status = status
    }
}

/// Where an item stands in the conversation.
public enum RealtimeItemPlacement: Sendable, Hashable {
    /// Before everything else.
    case first
    /// Right behind this item.
    case after(String)
    /// At the end, as far as anyone knows.
    case unspecified
}
