/// The items that were sent and that the provider hasn't taken into its conversation yet.
///
/// A response that the provider makes of its own accord can't answer them. Replies keep the
/// order of what they reply to, so whatever is older than an item that was added is settled.
struct ItemsUnderWay: Sendable {
    private struct Entry: Sendable {
        var itemID: String
        var callID: String?
        /// For wires that give items ids of their own.
        var text: String?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func sent(_ item: RealtimeItem) {
        switch item.kind {
        case .message(_, let content):
            entries.append(
                Entry(
                    itemID: item.id,
                    text: content.compactMap(\.shownText).joined(separator: " ")))
        case .functionCall(let callID, _, _), .functionCallOutput(let callID, _):
            entries.append(Entry(itemID: item.id, callID: callID))
        case .other: break
        }
    }

    mutating func sent(_ output: RealtimeToolOutput) {
        entries.append(Entry(itemID: "", callID: output.callID))
    }

    mutating func added(_ item: RealtimeItem) {
        let index =
            switch item.kind {
            case .message(_, let content):
                entries.firstIndex { entry in
                    entry.itemID == item.id
                        || entry.text == content.compactMap(\.shownText).joined(separator: " ")
                }
            case .functionCall(let callID, _, _), .functionCallOutput(let callID, _):
                entries.firstIndex { $0.callID == callID }
            case .other: Int?.none
            }
        if let index { entries.removeSubrange(...index) }
    }

    /// The oldest was refused, if that is what an error speaks of.
    mutating func refused(_ error: RealtimeError) {
        let parameters = ["item", "previous_item_id", "call_id"]
        let isOfItem =
            parameters.contains { error.parameter?.hasPrefix($0) == true }
            || error.providerCode?.contains("item_create") == true
            || error.providerCode?.contains("tool_call") == true
        if isOfItem, !entries.isEmpty { entries.removeFirst() }
    }
}
