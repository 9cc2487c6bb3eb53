/// In what the wires that OpenAI's vocabulary describes differ from each other.
struct OpenAIDialect: Sendable, Hashable {
    /// Whether `previous_item_id: null` says that nothing stands before the item, or nothing.
    var nullPredecessorMeansFirst: Bool
    /// The name of a response's modalities in `response.create`.
    var modalitiesKey: String
    /// Whether items may carry an id of ours.
    var sendsItemIDs: Bool

    static let openAI = OpenAIDialect(
        nullPredecessorMeansFirst: true, modalitiesKey: "output_modalities", sendsItemIDs: true)
    static let xai = OpenAIDialect(
        nullPredecessorMeansFirst: false, modalitiesKey: "modalities", sendsItemIDs: false)
}
