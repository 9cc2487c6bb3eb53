/// The kinds of Live model, which take different things: the one place that knows them.
package enum GoogleModelFamily: Sendable, Hashable, CaseIterable {
    /// `gemini-3.8-live`.
    case live38
    /// `gemini-3.8-live-extended-thinking`.
    case extendedThinking
    /// `gemini-3.1-flash-live-preview`.
    case live31
    /// `gemini-2.5-flash-native-audio-…` and `gemini-live-2.5-flash-native-audio`.
    case nativeAudio25
    /// `gemini-2.0-flash-live-…` and `gemini-live-2.5-flash…`, which can write instead of speak.
    case halfCascade
    /// `gemini-3.5-live-translate-…`.
    case translate
    /// `gemini-3.5-transcribe-live`.
    case transcribe
    /// `gemini-robotics-er-…`.
    case robotics
    /// A model that this library doesn't know: nothing is left out for it.
    case other

    package init(modelID: String) {
        let id = modelID.split(separator: "/").last.map(String.init) ?? modelID
        if id.contains("live-translate") {
            self = .translate
        } else if id.contains("transcribe-live") {
            self = .transcribe
        } else if id.contains("robotics-er") {
            self = .robotics
        } else if id.contains("extended-thinking") {
            self = .extendedThinking
        } else if id.hasPrefix("gemini-3.8") {
            self = .live38
        } else if id.hasPrefix("gemini-3.1") {
            self = .live31
        } else if id.contains("native-audio") {
            self = .nativeAudio25
        } else if id.hasPrefix("gemini-2.0") || id.hasPrefix("gemini-live-2.5") {
            self = .halfCascade
        } else {
            self = .other
        }
    }

    /// What to do with `generationConfig.thinkingConfig`.
    enum Thinking {
        case asGiven
        /// Setup fails where it stands.
        case dropped
        /// Setup fails where it is absent, or asks for `MINIMAL`, or for level and budget.
        case required
    }

    /// What a family takes.
    struct Rules {
        var answersInAudio = true
        var answersInText = false
        var thinking = Thinking.asGiven
        /// `proactivity` may stand in the setup.
        var takesProactivity = false
        /// `generationConfig.enableAffectiveDialog` may stand in the setup.
        var takesAffectiveDialog = false
        var takesInstructionsAndTools = true
        /// `contextUpdate` changes instructions and tools while connected.
        var takesContextUpdate = false
        /// `customVocabulary` may stand in a transcription.
        var takesVocabulary = false
        /// The `behavior` that functions must have, whatever is asked for.
        var requiredBehavior: GoogleRealtimeModel.ToolBehavior?
        /// Whether a tool may report later while the model goes on.
        var hasAsynchronousTools = false
        /// The `behavior` of functions that are declared without one.
        var usualBehavior = GoogleRealtimeModel.ToolBehavior.blocking
    }

    var rules: Rules {
        switch self {
        case .live38:
            Rules(
                thinking: .dropped, takesContextUpdate: true, takesVocabulary: true,
                hasAsynchronousTools: true, usualBehavior: .nonBlocking)
        case .extendedThinking:
            Rules(
                thinking: .required, takesContextUpdate: true, takesVocabulary: true,
                requiredBehavior: .nonBlocking, hasAsynchronousTools: true)
        case .live31: Rules()
        case .nativeAudio25:
            Rules(
                takesProactivity: true, takesAffectiveDialog: true, hasAsynchronousTools: true)
        case .halfCascade: Rules(answersInText: true)
        case .translate: Rules(takesInstructionsAndTools: false)
        case .transcribe:
            Rules(
                answersInAudio: false, answersInText: true, takesInstructionsAndTools: false,
                takesVocabulary: true)
        case .robotics: Rules(answersInAudio: false, answersInText: true)
        case .other:
            Rules(answersInText: true, takesProactivity: true, takesAffectiveDialog: true)
        }
    }
}
