/// One message of a conversation, as a user interface shows it.
///
/// Encodes to the JSON of the TypeScript `UIMessage`, so one backend serves both.
public struct UIMessage: Sendable, Hashable, Identifiable {
    /// Who a message is from.
    public enum Role: String, Sendable, Hashable, Codable {
        /// The person.
        case user
        /// The model.
        case assistant
        /// The app's instructions within the conversation.
        case system
    }

    /// Stays the same as long as the message lives.
    public var id: String
    /// Who it is from.
    public var role: Role
    /// What it consists of, in order. Empty while speech is not transcribed yet.
    public var parts: [UIMessagePart]
    /// How the answer ended, where that was not as planned.
    public var ending: Ending?

    /// How an answer ended that was not said to its end.
    public struct Ending: Sendable, Hashable, Codable {
        /// `cancelled`, `incomplete` or `failed`.
        public var status: String
        /// Why, such as `turn_detected`.
        public var reason: String?

        /// Creates an ending.
        public init(status: String, reason: String? = nil) {
            self.status = status
            self.reason = reason
        }
    }

    /// Creates a message.
    public init(id: String, role: Role, parts: [UIMessagePart] = [], ending: Ending? = nil) {
        self.id = id
        self.role = role
        self.parts = parts
        self.ending = ending
    }

    /// The text parts joined: what was said and heard, or written.
    public var text: String {
        parts.compactMap(\.text?.text).joined(separator: " ")
    }

    /// Whether speech, or the client, cut this answer off.
    public var isInterrupted: Bool {
        ending?.status == RealtimeResponse.Status.cancelled.rawValue
            || parts.contains { $0.text?.unheardText?.isEmpty == false }
    }
}

/// One part of a message.
@nonexhaustive
public enum UIMessagePart: Sendable, Hashable {
    /// Text, or what was said.
    case text(UITextPart)
    /// What the model thought, which is no part of its answer.
    case reasoning(UITextPart)
    /// A call of a tool.
    case tool(UIToolPart)
    /// A part of another kind, as it came.
    case other(JSONValue)

    /// The text part, if this is one.
    public var text: UITextPart? {
        guard case .text(let part) = self else { return nil }
        return part
    }

    /// The tool part, if this is one.
    public var tool: UIToolPart? {
        guard case .tool(let part) = self else { return nil }
        return part
    }
}

/// Text that may still grow.
public struct UITextPart: Sendable, Hashable {
    /// Whether a part may still change.
    public enum State: String, Sendable, Hashable, Codable {
        /// More may come.
        case streaming
        /// It is final.
        case done
    }

    /// What was written; of interrupted speech, what was heard.
    public var text: String
    /// Whether more may come.
    public var state: State
    /// What was generated but never heard; nil where nothing was cut, empty where the cut is
    /// made but nothing came behind it yet.
    public var unheardText: String?

    /// Creates a text part.
    public init(text: String, state: State = .done, unheardText: String? = nil) {
        self.text = text
        self.state = state
        self.unheardText = unheardText
    }
}

/// A call of a tool and what came of it.
public struct UIToolPart: Sendable, Hashable {
    /// How far a call is.
    public enum State: String, Sendable, Hashable, Codable {
        /// The model is writing the arguments.
        case inputStreaming = "input-streaming"
        /// The arguments are complete.
        case inputAvailable = "input-available"
        /// The tool answered.
        case outputAvailable = "output-available"
        /// The call failed, timed out or was cancelled.
        case outputError = "output-error"
    }

    /// The function's name, empty until the model tells.
    public var toolName: String
    /// The provider's id of the call.
    public var toolCallID: String
    /// How far the call is.
    public var state: State
    /// The arguments, once they are complete.
    public var input: JSONValue?
    /// The result.
    public var output: JSONValue?
    /// What failed.
    public var errorText: String?

    /// Creates a tool part.
    public init(
        toolName: String, toolCallID: String, state: State, input: JSONValue? = nil,
        output: JSONValue? = nil, errorText: String? = nil
    ) {
        self.toolName = toolName
        self.toolCallID = toolCallID
        self.state = state
        self.input = input
        self.output = output
        self.errorText = errorText
    }
}
