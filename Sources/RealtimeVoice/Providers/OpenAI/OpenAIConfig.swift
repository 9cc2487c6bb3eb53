/// Turns the neutral configuration into OpenAI's nested session.
enum OpenAIConfig {
    static func session(_ config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        var session: [String: JSONValue] = ["type": "realtime"]
        session["instructions"] = config.instructions.map(JSONValue.string)
        if let modalities = config.outputModalities {
            // Audio brings its transcript along, and the wire refuses both together.
            session["output_modalities"] =
                modalities.contains("audio") ? ["audio"] : .array(modalities.map(JSONValue.string))
        }
        var input: [String: JSONValue] = [:]
        input["format"] = try config.inputAudioFormat.map(format)
        input["transcription"] = config.inputAudioTranscription.map(transcription)
        input["turn_detection"] = config.turnDetection.map(turnDetection)
        var output: [String: JSONValue] = [:]
        output["format"] = try config.outputAudioFormat.map(format)
        output["voice"] = config.voice.map(JSONValue.string)
        var audio: [String: JSONValue] = [:]
        if !input.isEmpty { audio["input"] = .object(input) }
        if !output.isEmpty { audio["output"] = .object(output) }
        if !audio.isEmpty { session["audio"] = .object(audio) }
        session["tools"] = config.tools.map { .array($0.map(OpenAIConfig.tool)) }
        return ProviderOptions.merge(config.providerOptions, into: .object(session))
    }

    /// A format of the wire: 24 kHz PCM or G.711.
    private static func format(
        _ format: RealtimeAudioFormat
    ) throws(RealtimeError) -> JSONValue {
        switch format.type {
        case "audio/pcm":
            guard format.samplesPerSecond == 24_000 else {
                throw RealtimeError(
                    .invalidInput,
                    "OpenAI takes PCM at 24000 Hz only, not \(format.samplesPerSecond); name "
                        + "the rate in sendAudio(_:from:) to have it converted",
                    parameter: "audioFormat.rate")
            }
            return ["type": "audio/pcm", "rate": 24_000]
        case "audio/pcmu", "audio/pcma": return ["type": .string(format.type)]
        default:
            throw RealtimeError(
                .invalidInput, "OpenAI has no audio format \(format.type)",
                parameter: "audioFormat.type")
        }
    }

    private static func transcription(_ transcription: RealtimeTranscription) -> JSONValue {
        let model = transcription.model ?? "gpt-realtime-whisper"
        let takesLists = model == "gpt-transcribe" || model == "gpt-live-transcribe"
        var json: [String: JSONValue] = ["model": .string(model)]
        if let language = transcription.language {
            if takesLists {
                json["languages"] = [.string(language)]
            } else {
                json["language"] = .string(language)
            }
        }
        // These models refuse a prompt, and a refused field would reject the whole session.
        let refusesPrompt =
            takesLists || model == "gpt-realtime-whisper" || model.hasSuffix("-diarize")
        if let prompt = transcription.prompt, !refusesPrompt {
            json["prompt"] = .string(prompt)
        }
        return .object(json)
    }

    /// Always the complete object: whether a partial one merges with the server's is not
    /// documented. Disabled is an explicit null; left out, it would stay as it was.
    private static func turnDetection(_ detection: RealtimeTurnDetection) -> JSONValue {
        if detection.type == .disabled { return .null }
        var json: [String: JSONValue] = [
            "create_response": .bool(detection.createResponse ?? true),
            "interrupt_response": .bool(detection.interruptResponse ?? true),
        ]
        if detection.type == .semanticVAD {
            json["type"] = "semantic_vad"
            json["eagerness"] = detection.eagerness.map(JSONValue.string)
        } else {
            json["type"] =
                detection.type == .serverVAD ? "server_vad" : .string(detection.type.rawValue)
            json["threshold"] = detection.threshold.map(JSONValue.double)
            json["prefix_padding_ms"] = detection.prefixPaddingMs.map(JSONValue.int)
            json["silence_duration_ms"] = detection.silenceDurationMs.map(JSONValue.int)
            json["idle_timeout_ms"] = detection.idleTimeoutMs.map(JSONValue.int)
        }
        return .object(json)
    }

    /// Only the keys that the wire knows: one more would reject the whole session.
    static func tool(_ tool: RealtimeToolDefinition) -> JSONValue {
        var json: [String: JSONValue] = ["type": "function", "name": .string(tool.name)]
        json["description"] = tool.description.map(JSONValue.string)
        json["parameters"] = tool.parameters
        return .object(json)
    }
}
