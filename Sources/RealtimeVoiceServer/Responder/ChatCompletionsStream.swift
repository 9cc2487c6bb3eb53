import RealtimeVoice

/// Reads the streamed answer of a chat-completions endpoint: server-sent events whose data are
/// chunks with deltas. A pure value; bytes may be cut anywhere.
///
/// Bad input: lines that are no data and chunks that are no JSON are dropped; an `error` member
/// ends the answer with that error.
struct ChatCompletionsStream: Sendable {
    private struct Call: Sendable {
        var name = ""
        var arguments = ""
    }

    private var line: [UInt8] = []
    private var splitter = SentenceSplitter()
    private var calls: [Int: Call] = [:]

    /// Takes more bytes of the body and gives what can be said by now.
    mutating func received(_ bytes: [UInt8]) throws(RealtimeError) -> [ResponderOutput] {
        var outputs: [ResponderOutput] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            outputs += try takeLine()
            line = []
        }
        return outputs
    }

    /// Ends the body: the last sentence and the calls.
    mutating func finished() throws(RealtimeError) -> [ResponderOutput] {
        var outputs = try takeLine()
        line = []
        if let rest = splitter.finished() { outputs.append(.sentence(rest)) }
        for (_, call) in calls.sorted(by: { $0.key < $1.key }) where !call.name.isEmpty {
            outputs.append(
                .toolCall(
                    name: call.name, arguments: call.arguments.isEmpty ? "{}" : call.arguments))
        }
        calls = [:]
        return outputs
    }

    private mutating func takeLine() throws(RealtimeError) -> [ResponderOutput] {
        let prefix = Array("data:".utf8)
        guard line.starts(with: prefix),
            let chunk = try? JSONValue(parsing: Array(line.dropFirst(prefix.count)))
        else { return [] }
        if let error = chunk["error"], !error.isNull {
            throw RealtimeError(
                .provider, error["message"]?.stringValue ?? "The chat endpoint failed",
                providerCode: error["code"]?.stringValue)
        }
        guard let delta = chunk["choices"]?[0]?["delta"] else { return [] }
        for part in delta["tool_calls"]?.arrayValue ?? [] {
            let index = part["index"]?.intValue ?? 0
            calls[index, default: Call()].name += part["function"]?["name"]?.stringValue ?? ""
            calls[index, default: Call()].arguments +=
                part["function"]?["arguments"]?.stringValue ?? ""
        }
        return splitter.received(delta["content"]?.stringValue ?? "").map { .sentence($0) }
    }
}

/// Makes the body of a chat-completions request.
enum ChatCompletionsRequest {
    static func body(_ request: ResponderRequest, model: String) -> JSONValue {
        var messages: [JSONValue] = []
        if !request.instructions.isEmpty {
            messages.append(["role": "system", "content": .string(request.instructions)])
        }
        messages += request.history.map(message)
        var body: [String: JSONValue] = [
            "model": .string(model), "stream": true, "messages": .array(messages),
        ]
        guard !request.tools.isEmpty, request.toolChoice != .forbidden else {
            return .object(body)
        }
        body["tools"] = .array(request.tools.map(tool))
        switch request.toolChoice {
        case .automatic, .forbidden: break
        case .required: body["tool_choice"] = "required"
        case .function(let name):
            body["tool_choice"] = ["type": "function", "function": ["name": .string(name)]]
        }
        return .object(body)
    }

    private static func message(_ message: ResponderMessage) -> JSONValue {
        switch message {
        case .system(let text): ["role": "system", "content": .string(text)]
        case .user(let text): ["role": "user", "content": .string(text)]
        case .assistant(let text): ["role": "assistant", "content": .string(text)]
        case .toolOutput(let callID, let output):
            ["role": "tool", "tool_call_id": .string(callID), "content": .string(output)]
        case .toolCall(let id, let name, let arguments):
            [
                "role": "assistant", "content": .null,
                "tool_calls": [
                    [
                        "id": .string(id), "type": "function",
                        "function": ["name": .string(name), "arguments": .string(arguments)],
                    ]
                ],
            ]
        }
    }

    private static func tool(_ tool: RealtimeToolDefinition) -> JSONValue {
        var function: [String: JSONValue] = ["name": .string(tool.name)]
        if let description = tool.description { function["description"] = .string(description) }
        if let parameters = tool.parameters { function["parameters"] = parameters }
        return ["type": "function", "function": .object(function)]
    }
}
