import RealtimeVoice

/// A response that is under way.
struct ResponseState: Sendable {
    let id: String
    let options: ResponseOptions
    /// User items whose words must be known before the responder is asked.
    var waitsFor: Set<String> = []
    var isAsked = false
    var isAnswerComplete = false
    var failure: String?
    /// Sentences that wait for the synthesizer, which gets one at a time.
    var sentences: [String] = []
    var isSynthesizing = false
    var pacer: SpeechPacer
    /// The items so far, without their audio.
    var outputs: [WireItem] = []
    /// The index of the message among them.
    var messageIndex: Int?

    init(id: String, options: ResponseOptions, pace: SpeechPace) {
        self.id = id
        self.options = options
        let format = options.format
        pacer = SpeechPacer(
            pace: pace, bytesPerMillisecond: format.samplesPerSecond * format.bytesPerSample / 1_000
        )
    }

    /// Whether nothing more is to come.
    var isComplete: Bool {
        isAnswerComplete && sentences.isEmpty && !isSynthesizing && pacer.isEmpty
    }

    /// The message's text so far.
    var text: String {
        guard let messageIndex, case .message(_, let content) = outputs[messageIndex].kind else {
            return ""
        }
        if case .outputText(let text)? = content.first { return text }
        return outputs[messageIndex].transcript
    }

    /// Whether the limit of `max_output_tokens` is used up.
    var isAtLimit: Bool {
        guard let limit = options.maximumTokens.intValue else { return false }
        return WireUsage.output(outputs).total >= limit
    }

    /// The `response` object of events.
    func json(
        status: String,
        details: JSONValue = .null,
        conversationID: String,
        usage: JSONValue = .null
    ) -> JSONValue {
        [
            "object": "realtime.response", "id": .string(id), "status": .string(status),
            "status_details": details, "output": .array(outputs.map(\.json)),
            "conversation_id": options.isInConversation ? .string(conversationID) : .null,
            "output_modalities": options.isSpoken ? ["audio"] : ["text"],
            "max_output_tokens": options.maximumTokens,
            "audio": ["output": ["format": options.formatJSON, "voice": options.voice]],
            "usage": usage, "metadata": options.metadata,
        ]
    }
}

/// Token counts by rule of thumb: four letters of text, 100 ms of the user's speech or 50 ms of
/// the assistant's are one token.
enum WireUsage {
    struct Count: Sendable, Equatable {
        var text = 0
        var audio = 0
        var total: Int { text + audio }
    }

    static func tokens(_ text: String) -> Int { (text.utf8.count + 3) / 4 }

    static func output(_ items: [WireItem]) -> Count {
        var count = Count()
        for item in items {
            switch item.kind {
            case .functionCall(_, let name, let arguments):
                count.text += tokens(name) + tokens(arguments)
            case .functionCallOutput(_, let output): count.text += tokens(output)
            case .message(_, let content):
                count.text += content.reduce(0) { $0 + tokens(text(of: $1, in: item)) }
                count.audio += item.spokenFormat.milliseconds(ofBytes: item.spokenByteCount) / 50
            }
        }
        return count
    }

    static func input(_ items: [WireItem], instructions: String) -> Count {
        var count = output(items)
        count.text += tokens(instructions)
        count.audio += items.reduce(0) { $0 + $1.heardSamples.count / 1_600 }
        return count
    }

    private static func text(of content: WireItem.Content, in item: WireItem) -> String {
        switch content {
        case .inputText(let text), .outputText(let text): text
        case .outputAudio: item.transcript
        case .inputAudio, .inputImage: ""
        }
    }

    static func json(input: Count, output: Count) -> JSONValue {
        [
            "total_tokens": .int(input.total + output.total),
            "input_tokens": .int(input.total), "output_tokens": .int(output.total),
            "input_token_details": [
                "text_tokens": .int(input.text), "audio_tokens": .int(input.audio),
                "image_tokens": 0, "cached_tokens": 0,
                "cached_tokens_details": [
                    "text_tokens": 0, "audio_tokens": 0, "image_tokens": 0,
                ],
            ],
            "output_token_details": [
                "text_tokens": .int(output.text), "audio_tokens": .int(output.audio),
            ],
        ]
    }
}
