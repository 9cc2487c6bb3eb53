import Foundation
public import RealtimeVoice

/// A responder that needs nothing: it greets, counts, tells the time, calls the declared tool
/// that the user's words ask for and says its result, tells a story, and else says back what it
/// heard.
public struct BuiltInResponder: Responder {
    /// Creates the responder.
    public init() {}

    /// Who answers.
    public var name: String { "the built-in responder" }

    /// Answers at once.
    public func respond(
        to request: ResponderRequest,
        emit: @escaping @Sendable (ResponderOutput) -> Void
    ) async throws(RealtimeError) {
        for output in Self.answer(request) { emit(output) }
    }

    /// The whole answer; a pure function of the request.
    static func answer(_ request: ResponderRequest) -> [ResponderOutput] {
        let results = pendingResults(request.history)
        if !results.isEmpty {
            return results.map { .sentence(SpokenResult.sentence(for: $0)) }
        }
        let words = lastUserWords(request.history)
        if let call = toolCall(for: words ?? "", request) { return [call] }
        guard let words else { return [.sentence("Hello! How can I help you?")] }
        return SmallTalk.sentences(for: words, request).map { .sentence($0) }
    }

    /// The outputs that came in since the user or the assistant last spoke.
    private static func pendingResults(_ history: [ResponderMessage]) -> [String] {
        var results: [String] = []
        for message in history.reversed() {
            switch message {
            case .toolOutput(_, let output): results.insert(output, at: 0)
            case .toolCall: continue
            case .user, .assistant, .system: return results
            }
        }
        return results
    }

    private static func lastUserWords(_ history: [ResponderMessage]) -> String? {
        for message in history.reversed() {
            if case .user(let text) = message { return text }
        }
        return nil
    }

    private static func toolCall(
        for words: String,
        _ request: ResponderRequest
    ) -> ResponderOutput? {
        let tool: RealtimeToolDefinition?
        switch request.toolChoice {
        case .forbidden: tool = nil
        case .automatic: tool = ToolMatcher.tool(for: words, among: request.tools)
        case .required:
            tool = ToolMatcher.tool(for: words, among: request.tools) ?? request.tools.first
        case .function(let name): tool = request.tools.first { $0.name == name }
        }
        return tool.map {
            .toolCall(name: $0.name, arguments: ToolMatcher.arguments(for: $0, from: words))
        }
    }
}
