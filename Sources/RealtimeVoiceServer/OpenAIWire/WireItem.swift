import RealtimeVoice

/// One entry of the server's conversation.
struct WireItem: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case inputText(String)
        /// The transcript as the wire shows it: only where the client sent one.
        case inputAudio(transcript: String?)
        case inputImage(JSONValue)
        case outputText(String)
        case outputAudio
    }

    enum Kind: Sendable, Equatable {
        case message(role: String, content: [Content])
        case functionCall(callID: String, name: String, arguments: String)
        case functionCallOutput(callID: String, output: String)
    }

    /// A word of the assistant's and the byte of the item's audio at which it begins.
    struct Word: Sendable, Equatable {
        var text: String
        var startByte: Int
    }

    var id: String
    var kind: Kind
    var status: String
    /// The user's speech, 16 kHz; bounded by the conversation.
    var heardSamples: [Int16] = []
    /// What the recogniser understood; never on the wire in the item itself.
    var heardText: String?
    /// The assistant's speech as it was sent.
    var spokenBytes: [UInt8] = []
    /// How much was sent, also where the bytes are gone.
    var spokenByteCount = 0
    var spokenFormat = RealtimeAudioFormat.pcm24kHz
    var spokenWords: [Word] = []
    /// Set by a truncation: the transcript is not shown any more.
    var isTruncated = false

    init(id: String, kind: Kind, status: String = "completed") {
        self.id = id
        self.kind = kind
        self.status = status
    }

    /// The assistant's words, as far as they were sent and heard.
    var transcript: String { spokenWords.map(\.text).joined() }

    /// The size of what a client wrote.
    var textBytes: Int {
        switch kind {
        case .message(_, let content):
            content.reduce(0) { sum, part in
                switch part {
                case .inputText(let text), .outputText(let text): sum + text.utf8.count
                case .inputImage(let image): sum + image.serializedBytes().count
                case .inputAudio, .outputAudio: sum
                }
            }
        case .functionCall(_, _, let text), .functionCallOutput(_, let text): text.utf8.count
        }
    }

    /// Whether this is speech of the assistant that a client can truncate.
    var isSpokenByAssistant: Bool {
        guard case .message("assistant", let content) = kind else { return false }
        return content.contains(.outputAudio)
    }

    /// Forgets what the user did not hear.
    mutating func truncate(toMilliseconds milliseconds: Int) {
        let bytes = spokenFormat.bytes(ofMilliseconds: milliseconds)
        spokenWords.removeAll { $0.startByte >= bytes }
        spokenBytes = Array(spokenBytes.prefix(bytes))
        spokenByteCount = min(spokenByteCount, bytes)
        isTruncated = true
    }

    // MARK: The wire

    /// Reads an item of a client's event, which was checked before.
    init?(_ value: JSONValue, id: String) {
        switch value["type"]?.stringValue {
        case "message":
            guard let role = value["role"]?.stringValue else { return nil }
            let content = (value["content"]?.arrayValue ?? []).compactMap(Self.content)
            self.init(id: id, kind: .message(role: role, content: content))
            for part in value["content"]?.arrayValue ?? [] where part["type"] == "input_audio" {
                heardText = part["transcript"]?.stringValue ?? heardText
            }
        case "function_call":
            self.init(
                id: id,
                kind: .functionCall(
                    callID: value["call_id"]?.stringValue ?? "",
                    name: value["name"]?.stringValue ?? "",
                    arguments: value["arguments"]?.stringValue ?? ""))
        case "function_call_output":
            self.init(
                id: id,
                kind: .functionCallOutput(
                    callID: value["call_id"]?.stringValue ?? "",
                    output: value["output"]?.stringValue ?? ""))
        default:
            return nil
        }
    }

    private static func content(_ part: JSONValue) -> Content? {
        switch part["type"]?.stringValue {
        case "input_text": .inputText(part["text"]?.stringValue ?? "")
        case "output_text": .outputText(part["text"]?.stringValue ?? "")
        case "input_audio": .inputAudio(transcript: part["transcript"]?.stringValue)
        case "input_image": .inputImage(part)
        default: nil
        }
    }

    /// The item as events show it: without audio.
    var json: JSONValue {
        var members: [String: JSONValue] = ["id": .string(id)]
        switch kind {
        case .message(let role, let content):
            members["type"] = "message"
            members["role"] = .string(role)
            members["status"] = .string(status)
            members["content"] = .array(content.map(json))
        case .functionCall(let callID, let name, let arguments):
            members["type"] = "function_call"
            members["status"] = .string(status)
            members["call_id"] = .string(callID)
            members["name"] = .string(name)
            members["arguments"] = .string(arguments)
        case .functionCallOutput(let callID, let output):
            members["type"] = "function_call_output"
            members["call_id"] = .string(callID)
            members["output"] = .string(output)
        }
        return .object(members)
    }

    private func json(_ content: Content) -> JSONValue {
        switch content {
        case .inputText(let text): ["type": "input_text", "text": .string(text)]
        case .outputText(let text): ["type": "output_text", "text": .string(text)]
        case .inputImage(let image): image
        case .inputAudio(let transcript):
            ["type": "input_audio", "transcript": transcript.map { .string($0) } ?? .null]
        case .outputAudio:
            [
                "type": "output_audio",
                "transcript": isTruncated ? .null : .string(transcript),
            ]
        }
    }
}
