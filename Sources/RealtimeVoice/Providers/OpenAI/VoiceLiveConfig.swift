/// Turns the neutral configuration into the flat session of Azure Voice Live.
enum VoiceLiveConfig {
    static func session(_ config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        var session: [String: JSONValue] = [:]
        session["instructions"] = config.instructions.map(JSONValue.string)
        if let modalities = config.outputModalities, !modalities.isEmpty {
            session["modalities"] =
                modalities.contains("audio")
                ? ["text", "audio"] : .array(modalities.map(JSONValue.string))
        }
        // Azure's own voices are named by their language, such as `en-US-AvaNeural`.
        session["voice"] = config.voice.map {
            ["name": .string($0), "type": $0.contains("-") ? "azure-standard" : "openai"]
        }
        if let format = config.inputAudioFormat {
            session["input_audio_format"] = try name(of: format, rates: [16_000, 24_000])
            if format.type == "audio/pcm" {
                session["input_audio_sampling_rate"] = .int(format.samplesPerSecond)
            }
        }
        session["output_audio_format"] = try config.outputAudioFormat.map {
            format throws(RealtimeError) in try name(of: format, rates: [24_000])
        }
        session["input_audio_transcription"] = config.inputAudioTranscription.map {
            var settings = $0
            settings.model = settings.model ?? "whisper-1"
            return OpenAIConfig.transcription(settings)
        }
        session["turn_detection"] = config.turnDetection.map(OpenAIConfig.turnDetection)
        session["tools"] = config.tools.map { .array($0.map(OpenAIConfig.tool)) }
        return ProviderOptions.merge(config.providerOptions, into: .object(session))
    }

    private static func name(
        of format: RealtimeAudioFormat, rates: Set<Int>
    ) throws(RealtimeError) -> JSONValue {
        switch format.type {
        case "audio/pcm" where rates.contains(format.samplesPerSecond): return "pcm16"
        case "audio/pcmu": return "g711_ulaw"
        case "audio/pcma": return "g711_alaw"
        case "audio/pcm":
            throw RealtimeError(
                .invalidInput, "Voice Live takes no PCM at \(format.samplesPerSecond) Hz",
                parameter: "audioFormat.rate")
        default:
            throw RealtimeError(
                .invalidInput, "Voice Live has no audio format \(format.type)",
                parameter: "audioFormat.type")
        }
    }
}
