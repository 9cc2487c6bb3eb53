import Foundation
import RealtimeVoice

/// Which model is spoken with, and where.
struct ModelChoice {
    var provider: Provider
    var baseURL: URL?
    var modelID: String?
    /// The key where the environment has none; nil asks for one.
    var apiKey: String?

    init(provider: Provider, baseURL: URL?, model: String?, apiKey: String? = nil) {
        self.provider = provider
        self.baseURL = baseURL
        modelID = model
        self.apiKey = apiKey
    }

    /// The variable that holds the provider's key.
    static func keyVariable(_ provider: Provider) -> String {
        switch provider {
        case .openAI: "OPENAI_API_KEY"
        case .xai: "XAI_API_KEY"
        case .google: "GOOGLE_GENERATIVE_AI_API_KEY"
        }
    }

    /// The model.
    func make() -> any RealtimeModel {
        switch provider {
        case .openAI:
            OpenAIRealtimeModel(
                modelID ?? "gpt-realtime", apiKey: apiKey,
                baseURL: baseURL ?? OpenAIRealtimeModel.defaultBaseURL)
        case .xai:
            XaiRealtimeModel(
                modelID ?? "grok-voice-latest", apiKey: apiKey,
                baseURL: baseURL ?? XaiRealtimeModel.defaultBaseURL)
        case .google:
            GoogleRealtimeModel(
                modelID ?? "gemini-3.8-live", apiKey: apiKey,
                baseURL: baseURL ?? GoogleRealtimeModel.defaultBaseURL)
        }
    }
}

extension TalkOptions {
    /// The model for a conversation.
    ///
    /// - Parameters:
    ///   - local: The address of the server in this process, if there is one.
    ///   - environment: Where the key is looked for.
    /// - Returns: What makes the model.
    func modelChoice(local: URL?, environment: [String: String]) -> ModelChoice {
        let provider = provider ?? .openAI
        var choice = ModelChoice(provider: provider, baseURL: local ?? baseURL, model: model)
        let key = environment[ModelChoice.keyVariable(provider)] ?? ""
        // The server here must not be given a real key, and one elsewhere may need none.
        if local != nil || (baseURL != nil && self.provider == nil && key.isEmpty) {
            choice.apiKey = "local"
        }
        return choice
    }

    /// How the session is to listen and speak.
    var sessionConfig: RealtimeSessionConfig {
        RealtimeSessionConfig(
            instructions: instructions
                ?? "You are a friendly voice assistant. Answer in one or two short sentences.",
            voice: voice,
            outputModalities: [answersInText ? "text" : "audio"],
            inputAudioTranscription: RealtimeTranscription(),
            outputAudioTranscription: answersInText ? nil : RealtimeTranscription(),
            turnDetection: RealtimeTurnDetection(type: turnDetection))
    }
}
