/// Turns a configuration into the `setup` of a session.
struct GoogleSetup {
    let model: GoogleRealtimeModel
    private var rules: GoogleModelFamily.Rules { model.family.rules }

    init(model: GoogleRealtimeModel) {
        self.model = model
    }

    /// The setup, without nulls: some models refuse `null` where a field may be absent.
    func encode(_ config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        let modality = try modality(config)
        try checkFormats(config)
        var setup: [String: JSONValue] = [
            "model": .string(model.wireModel),
            "generationConfig": generation(config, modality),
        ]
        if let instructions = config.instructions, !instructions.isEmpty {
            setup["systemInstruction"] = ["parts": [["text": .string(instructions)]]]
        }
        setup["inputAudioTranscription"] = config.inputAudioTranscription.map(transcription)
        setup["outputAudioTranscription"] = config.outputAudioTranscription.map(transcription)
        if let detection = config.turnDetection {
            setup["realtimeInputConfig"] = try realtimeInput(detection)
        }
        var options = config.providerOptions?.objectValue ?? [:]
        let extraTools = options.removeValue(forKey: "tools")?.arrayValue ?? []
        let tools = try functions(config.tools ?? []) + extraTools
        if !tools.isEmpty { setup["tools"] = .array(tools) }
        let merged = JSONValue.object(setup).merging(.object(options))
        return applyRules(merged.withoutNullMembers)
    }

    // MARK: Fields

    private func modality(_ config: RealtimeSessionConfig) throws(RealtimeError) -> String {
        let asked = config.outputModalities ?? []
        // Speech has a transcript, so whoever asks for both gets both.
        let wanted = asked.first { $0.lowercased() == "audio" } ?? asked.first
        switch wanted?.lowercased() {
        case nil: return rules.answersInAudio ? "AUDIO" : "TEXT"
        case "audio" where rules.answersInAudio: return "AUDIO"
        case "text" where rules.answersInText: return "TEXT"
        case "audio":
            throw unsupported("\(model.modelID) answers in text only", "outputModalities")
        case "text":
            throw unsupported(
                "\(model.modelID) answers in audio only; "
                    + "outputAudioTranscription gives its words as text", "outputModalities")
        default:
            throw RealtimeError(
                .invalidInput, "an output modality is audio or text",
                parameter: "outputModalities")
        }
    }

    private func checkFormats(_ config: RealtimeSessionConfig) throws(RealtimeError) {
        if let format = config.inputAudioFormat {
            guard format.type == "audio/pcm" else {
                throw unsupported("Gemini takes 16-bit PCM only", "inputAudioFormat")
            }
            guard GoogleMIME.rates.contains(format.samplesPerSecond) else {
                throw RealtimeError(
                    .invalidInput, "Gemini takes PCM of 8 to 48 kHz",
                    parameter: "inputAudioFormat")
            }
        }
        if let format = config.outputAudioFormat {
            guard format.type == "audio/pcm", format.samplesPerSecond == 24_000 else {
                throw unsupported("Gemini sends 24 kHz PCM only", "outputAudioFormat")
            }
        }
    }

    private func generation(_ config: RealtimeSessionConfig, _ modality: String) -> JSONValue {
        var generation: [String: JSONValue] = ["responseModalities": [.string(modality)]]
        // A voice beside text closes the socket: "Cannot extract voices from a non-audio request".
        if let voice = config.voice, modality == "AUDIO" {
            generation["speechConfig"] = [
                "voiceConfig": ["prebuiltVoiceConfig": ["voiceName": .string(voice)]]
            ]
        }
        return .object(generation)
    }

    private func transcription(_ settings: RealtimeTranscription) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if let language = settings.language { members["languageCodes"] = [.string(language)] }
        if let prompt = settings.prompt, rules.takesVocabulary {
            let words = prompt.split { $0 == "," || $0.isNewline }
                .map { $0.drop { $0.isWhitespace } }
                .filter { !$0.isEmpty }
            members["customVocabulary"] = .array(words.map { .string(String($0)) })
        }
        return .object(members)
    }

    private func realtimeInput(
        _ detection: RealtimeTurnDetection
    ) throws(RealtimeError) -> JSONValue {
        guard detection.type != .disabled else {
            guard model.capabilities.supportsManualTurns else {
                throw unsupported("\(model.modelID) finds the turns itself", "turnDetection")
            }
            return ["automaticActivityDetection": ["disabled": true]]
        }
        guard detection.createResponse != false else {
            throw unsupported(
                "Gemini answers every turn that it detects; "
                    + "use turn detection .disabled to decide yourself",
                "turnDetection.createResponse")
        }
        var activity: [String: JSONValue] = [:]
        if let threshold = detection.threshold {
            let isSensitive = threshold <= 0.5
            activity["startOfSpeechSensitivity"] =
                isSensitive ? "START_SENSITIVITY_HIGH" : "START_SENSITIVITY_LOW"
        }
        switch detection.eagerness {
        case "high": activity["endOfSpeechSensitivity"] = "END_SENSITIVITY_HIGH"
        case "low": activity["endOfSpeechSensitivity"] = "END_SENSITIVITY_LOW"
        default: break
        }
        // prefixPaddingMs is left out: Gemini's field of that name is the speech that it takes
        // to call it speech, not audio from before, and a usual value would swallow short words.
        if let silence = detection.silenceDurationMs {
            activity["silenceDurationMs"] = .int(silence)
        }
        var input: [String: JSONValue] = ["automaticActivityDetection": .object(activity)]
        if let interrupts = detection.interruptResponse {
            input["activityHandling"] =
                interrupts ? "START_OF_ACTIVITY_INTERRUPTS" : "NO_INTERRUPTION"
        }
        return .object(input)
    }

    private func functions(
        _ tools: [RealtimeToolDefinition]
    ) throws(RealtimeError) -> [JSONValue] {
        guard !tools.isEmpty else { return [] }
        var declarations: [JSONValue] = []
        for tool in tools {
            var members: [String: JSONValue] = ["name": .string(tool.name)]
            members["description"] = tool.description.map(JSONValue.string)
            if let parameters = tool.parameters {
                do {
                    members["parameters"] = try GoogleSchema.parameters(parameters)
                } catch {
                    throw RealtimeError(
                        .invalidInput, "tool \(tool.name): \(error.message)",
                        parameter: "tools")
                }
            }
            let behavior = rules.requiredBehavior ?? model.options.toolBehavior
            members["behavior"] = behavior.map { .string($0.rawValue) }
            declarations.append(.object(members))
        }
        return [["functionDeclarations": .array(declarations)]]
    }

    // MARK: What a family refuses

    /// Leaves out what the model would close the socket for, or hang on.
    private func applyRules(_ setup: JSONValue) -> JSONValue {
        guard case .object(var members) = setup else { return setup }
        if !rules.takesProactivity { members["proactivity"] = nil }
        if !rules.takesInstructionsAndTools {
            members["systemInstruction"] = nil
            members["tools"] = nil
        }
        var generation = members["generationConfig"]?.objectValue ?? [:]
        if !rules.takesAffectiveDialog { generation["enableAffectiveDialog"] = nil }
        switch rules.thinking {
        case .asGiven: break
        case .dropped: generation["thinkingConfig"] = nil
        case .required:
            generation["thinkingConfig"] = thinking(generation["thinkingConfig"])
        }
        members["generationConfig"] = .object(generation)
        return .object(members)
    }

    private func thinking(_ given: JSONValue?) -> JSONValue {
        var members = given?.objectValue ?? [:]
        let level = members["thinkingLevel"]?.stringValue?.uppercased()
        if level == "MINIMAL" || (level == nil && members["thinkingBudget"] == nil) {
            members["thinkingLevel"] = "LOW"
        }
        if members["thinkingLevel"] != nil { members["thinkingBudget"] = nil }
        return .object(members)
    }

    private func unsupported(_ message: String, _ parameter: String) -> RealtimeError {
        RealtimeError(.unsupported, message, parameter: parameter)
    }
}

extension JSONValue {
    /// This value with every member that is null left out, at every depth.
    var withoutNullMembers: JSONValue {
        switch self {
        case .object(let members):
            .object(members.filter { !$0.value.isNull }.mapValues(\.withoutNullMembers))
        case .array(let elements):
            .array(elements.filter { !$0.isNull }.map(\.withoutNullMembers))
        case .null, .bool, .int, .double, .string: self
        }
    }
}
