import Foundation

/// Turns the neutral configuration into xAI's flat session.
enum XaiConfig {
    /// The session of a connection, or of a later change.
    ///
    /// The server starts in manual mode, so that in the first one even its default has to be
    /// asked for; a later change that doesn't name turn detection leaves it as it is.
    static func session(
        _ config: RealtimeSessionConfig, isFirst: Bool, resumes: Bool
    ) throws(RealtimeError) -> JSONValue {
        if let modalities = config.outputModalities, !modalities.isEmpty,
            !modalities.contains("audio")
        {
            throw RealtimeError(
                .unsupported, "xAI always answers with speech; text alone is not possible",
                parameter: "outputModalities")
        }
        var session: [String: JSONValue] = [:]
        if let detection = config.turnDetection {
            session["turn_detection"] = turnDetection(detection)
        } else if isFirst {
            session["turn_detection"] = turnDetection(RealtimeTurnDetection(type: .serverVAD))
        }
        if resumes, isFirst { session["resumption"] = ["enabled": true] }
        session["instructions"] = config.instructions.map(JSONValue.string)
        session["voice"] = config.voice.map(JSONValue.string)
        var input: [String: JSONValue] = [:]
        input["format"] = try config.inputAudioFormat.map(format)
        input["transcription"] = config.inputAudioTranscription.map(transcription)
        var audio: [String: JSONValue] = [:]
        if !input.isEmpty { audio["input"] = .object(input) }
        if let output = config.outputAudioFormat {
            audio["output"] = ["format": try format(output)]
        }
        if !audio.isEmpty { session["audio"] = .object(audio) }
        session["tools"] = config.tools.map { .array($0.map(OpenAIConfig.tool)) }
        let native = ProviderOptions.merge(config.providerOptions, into: .object(session))
        for side in ["input", "output"] where native["audio"]?[side]?["transport"] == "binary" {
            throw RealtimeError(
                .unsupported, "audio in binary frames, which carry no ids, is not supported",
                parameter: "audio.\(side).transport")
        }
        return native
    }

    private static let rates: Set<Int> = [
        8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
    ]

    private static func format(
        _ format: RealtimeAudioFormat
    ) throws(RealtimeError) -> JSONValue {
        switch format.type {
        case "audio/pcm":
            guard rates.contains(format.samplesPerSecond) else {
                throw RealtimeError(
                    .invalidInput, "xAI takes no PCM at \(format.samplesPerSecond) Hz",
                    parameter: "audioFormat.rate")
            }
            return ["type": "audio/pcm", "rate": .int(format.samplesPerSecond)]
        case "audio/pcmu", "audio/pcma": return ["type": .string(format.type), "rate": 8_000]
        default:
            throw RealtimeError(
                .invalidInput, "no audio format \(format.type) for xAI",
                parameter: "audioFormat.type")
        }
    }

    /// Naming a model is what turns partial transcripts on. A prompt becomes key terms.
    private static func transcription(_ transcription: RealtimeTranscription) -> JSONValue {
        var json: [String: JSONValue] = [
            "model": .string(transcription.model ?? "grok-transcribe")
        ]
        json["language_hint"] = transcription.language.map(JSONValue.string)
        if let prompt = transcription.prompt {
            let terms = OpenAIConfig.terms(of: prompt).prefix(100)
            json["keyterms"] = .array(terms.map { .string(String($0.prefix(50))) })
        }
        return .object(json)
    }

    /// Semantic detection becomes the server's silence detection, the nearest that xAI has.
    /// The two flags are always sent: without them the server has been seen to detect turns
    /// and never answer. A threshold out of range would reject the whole session.
    private static func turnDetection(_ detection: RealtimeTurnDetection) -> JSONValue {
        if detection.type == .disabled { return .null }
        var json: [String: JSONValue] = [
            "type": "server_vad",
            "create_response": .bool(detection.createResponse ?? true),
            "interrupt_response": .bool(detection.interruptResponse ?? true),
        ]
        json["threshold"] = detection.threshold.map { .double(min(max($0, 0.1), 0.9)) }
        json["silence_duration_ms"] = detection.silenceDurationMs.map(milliseconds)
        json["prefix_padding_ms"] = detection.prefixPaddingMs.map(milliseconds)
        json["idle_timeout_ms"] = detection.idleTimeoutMs.map(JSONValue.int)
        return .object(json)
    }

    private static func milliseconds(_ value: Int) -> JSONValue {
        .int(min(max(value, 0), 10_000))
    }
}
