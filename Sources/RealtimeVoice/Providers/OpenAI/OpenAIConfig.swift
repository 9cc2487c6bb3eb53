import Foundation

/// Turns the neutral configuration into OpenAI's nested session.
enum OpenAIConfig {
    static func session(_ config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        var session: [String: JSONValue] = ["type": "realtime"]
        session["instructions"] = config.instructions.map(JSONValue.string)
        if let modalities = config.outputModalities, !modalities.isEmpty {
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
        output["voice"] = config.voice.map(voice)
        var audio: [String: JSONValue] = [:]
        if !input.isEmpty { audio["input"] = .object(input) }
        if !output.isEmpty { audio["output"] = .object(output) }
        if !audio.isEmpty { session["audio"] = .object(audio) }
        session["tools"] = config.tools.map { .array($0.map(OpenAIConfig.tool)) }
        return ProviderOptions.merge(config.providerOptions, into: .object(session))
    }

    /// A session that transcribes and nothing else; voice, instructions, tools and whatever
    /// else belongs to answers is left out. The streaming models take no turn detection, not
    /// even the server's own, so it is turned off for them.
    static func transcriptionSession(
        _ config: RealtimeSessionConfig, modelID: String
    ) throws(RealtimeError) -> JSONValue {
        var settings = config.inputAudioTranscription ?? RealtimeTranscription()
        settings.model = settings.model ?? modelID
        var input: [String: JSONValue] = ["transcription": transcription(settings)]
        input["format"] = try config.inputAudioFormat.map(format)
        input["turn_detection"] = config.turnDetection.map(turnDetection)
        if ["gpt-realtime-whisper", "gpt-live-transcribe"].contains(settings.model) {
            guard config.turnDetection.map({ $0.type == .disabled }) ?? true else {
                throw RealtimeError(
                    .unsupported,
                    "\(settings.model ?? modelID) transcribes what the app commits; it has no "
                        + "turn detection",
                    parameter: "turnDetection")
            }
            input["turn_detection"] = .null
        }
        return ProviderOptions.merge(
            config.providerOptions,
            into: ["type": "transcription", "audio": ["input": .object(input)]])
    }

    /// A session that translates; the language to translate to is
    /// `{"audio":{"output":{"language":…}}}` in the provider options.
    static func translationSession(
        _ config: RealtimeSessionConfig
    ) throws(RealtimeError) -> JSONValue {
        var session: [String: JSONValue] = [:]
        if let transcription = config.inputAudioTranscription {
            session["audio"] = ["input": ["transcription": self.transcription(transcription)]]
        }
        return ProviderOptions.merge(config.providerOptions, into: .object(session))
    }

    /// A voice by name, or one of the user's own by id.
    private static func voice(_ name: String) -> JSONValue {
        name.hasPrefix("voice_") ? ["id": .string(name)] : .string(name)
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

    /// What a model refuses is left out, since one refused field rejects the whole session.
    static func transcription(_ transcription: RealtimeTranscription) -> JSONValue {
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
        guard let prompt = transcription.prompt else { return .object(json) }
        if takesLists {
            let words = terms(of: prompt)
            if !words.isEmpty { json["keywords"] = .array(words.map(JSONValue.string)) }
        } else if model != "gpt-realtime-whisper", !model.hasSuffix("-diarize") {
            json["prompt"] = .string(prompt)
        }
        return .object(json)
    }

    /// The words and phrases of a prompt, for models that take a list.
    static func terms(of prompt: String) -> [String] {
        prompt.split { $0 == "," || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Always the complete object: whether a partial one merges with the server's is not
    /// documented. Disabled is an explicit null; left out, it would stay as it was. Numbers
    /// are clamped to what the wire takes.
    static func turnDetection(_ detection: RealtimeTurnDetection) -> JSONValue {
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
            json["threshold"] = detection.threshold.map { .double(min(max($0, 0), 1)) }
            json["prefix_padding_ms"] = detection.prefixPaddingMs.map { .int(max($0, 0)) }
            json["silence_duration_ms"] = detection.silenceDurationMs.map { .int(max($0, 0)) }
            json["idle_timeout_ms"] = detection.idleTimeoutMs.map {
                .int(min(max($0, 5_000), 30_000))
            }
        }
        return .object(json)
    }

    /// Only the keys that the wire knows: one more would reject the whole session.
    static func tool(_ tool: RealtimeToolDefinition) -> JSONValue {
        var json: [String: JSONValue] = ["type": "function", "name": .string(tool.name)]
        json["description"] = tool.description.map(JSONValue.string)
        if let parameters = tool.parameters, !parameters.isNull {
            json["parameters"] = parameters
        }
        return .object(json)
    }
}
