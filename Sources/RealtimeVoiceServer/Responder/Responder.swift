public import Foundation
public import RealtimeVoice

/// One entry of the conversation, as a responder sees it.
public enum ResponderMessage: Sendable, Hashable {
    /// An instruction in the conversation.
    case system(String)
    /// What the user said or wrote.
    case user(String)
    /// What the assistant said; of an interrupted answer only what was heard.
    case assistant(String)
    /// A call that the assistant made; the arguments are JSON text.
    case toolCall(id: String, name: String, arguments: String)
    /// What a call gave.
    case toolOutput(callID: String, output: String)
}

/// Whether the responder may, must or must not call tools.
public enum ResponderToolChoice: Sendable, Hashable {
    /// As it sees fit.
    case automatic
    /// Not at all.
    case forbidden
    /// Some tool.
    case required
    /// This tool.
    case function(String)
}

/// What a responder answers.
public struct ResponderRequest: Sendable {
    /// The session's, or the response's, instructions.
    public var instructions: String
    /// The conversation so far, the newest last.
    public var history: [ResponderMessage]
    /// The tools that may be called.
    public var tools: [RealtimeToolDefinition]
    /// Whether they may, must or must not be called.
    public var toolChoice: ResponderToolChoice
    /// The time of the request.
    public var now: Date
    /// Where the user is.
    public var timeZone: TimeZone

    /// Creates a request.
    public init(
        instructions: String = "",
        history: [ResponderMessage],
        tools: [RealtimeToolDefinition] = [],
        toolChoice: ResponderToolChoice = .automatic,
        now: Date,
        timeZone: TimeZone = .current
    ) {
        self.instructions = instructions
        self.history = history
        self.tools = tools
        self.toolChoice = toolChoice
        self.now = now
        self.timeZone = timeZone
    }
}

/// A piece of an answer.
public enum ResponderOutput: Sendable, Hashable {
    /// A sentence, to be spoken or written as soon as it is there.
    case sentence(String)
    /// A call; the arguments are JSON text.
    case toolCall(name: String, arguments: String)
}

/// What thinks. One value serves many sessions at a time.
///
/// After a call's output has come in, the responder is asked again with the output at the end
/// of the history.
public protocol Responder: Sendable {
    /// Who answers, for a person.
    var name: String { get }

    /// Answers, piece by piece. The task is cancelled when the answer isn't wanted any more.
    ///
    /// - Throws: What kept it from answering; the response then fails with that message.
    func respond(
        to request: ResponderRequest,
        emit: @escaping @Sendable (ResponderOutput) -> Void
    ) async throws(RealtimeError)
}
