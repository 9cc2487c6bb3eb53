/// In what the wires that OpenAI's vocabulary describes differ from each other.
struct OpenAIDialect: Sendable, Hashable {
    /// What a session does, which decides about the messages that it takes.
    enum Scope: Sendable, Hashable {
        case conversation
        case transcription
        case translation
    }

    /// Whose wire it is, for errors.
    var name: String
    var scope = Scope.conversation
    /// Whether `previous_item_id: null` says that nothing stands before the item, or nothing.
    var nullPredecessorMeansFirst = true
    /// The name of a response's modalities in `response.create`.
    var modalitiesKey = "output_modalities"
    /// What those are for speech; the GA wire refuses both together, the older ones want both.
    var speechModalities: JSONValue = ["audio"]
    /// Whether a response may be text alone.
    var answersWithText = true
    /// Whether a response may stay out of the conversation.
    var hasOutOfBandResponses = true
    /// The type of text parts of the assistant's messages.
    var assistantTextType = "output_text"
    /// Whether messages may show images.
    var takesImages = true
    /// Whether items may carry an id of ours.
    var sendsItemIDs = true
    /// Whether `conversation.item.retrieve` exists.
    var retrievesItems = true

    static let openAI = OpenAIDialect(name: "OpenAI")
    static let voiceLive = OpenAIDialect(
        name: "Azure Voice Live", modalitiesKey: "modalities",
        speechModalities: ["text", "audio"], assistantTextType: "text")
    static let xai = OpenAIDialect(
        name: "xAI", nullPredecessorMeansFirst: false, modalitiesKey: "modalities",
        answersWithText: false, hasOutOfBandResponses: false, takesImages: false,
        sendsItemIDs: false, retrievesItems: false)
}
