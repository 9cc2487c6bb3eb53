import RealtimeVoice

/// The items of a session in their order. Audio is kept for retrieval up to a bound, the
/// oldest forgotten first; of a client's text, more than a bound is refused.
struct Conversation: Sendable {
    private static let maximumAudioBytes = 32 << 20

    static let maximumTextBytes = 16 << 20

    private(set) var items: [WireItem] = []
    private var textBytes = 0
    private var audioBytes = 0

    /// The last item's id.
    var lastID: String? { items.last?.id }

    /// The item of this id.
    func item(_ id: String) -> WireItem? {
        index(of: id).map { items[$0] }
    }

    /// The id of the item before this one.
    func predecessor(of id: String) -> String? {
        guard let index = index(of: id), index > 0 else { return nil }
        return items[index - 1].id
    }

    /// Whether a call of this id was made.
    func hasCall(_ callID: String) -> Bool {
        items.contains {
            if case .functionCall(callID, _, _) = $0.kind { true } else { false }
        }
    }

    // Recent items are looked up most: search from the end.
    private func index(of id: String) -> Int? {
        items.lastIndex { $0.id == id }
    }

    /// Puts an item at the end.
    mutating func append(_ item: WireItem) {
        items.append(item)
        audioBytes += item.spokenBytes.count + 2 * item.heardSamples.count
        forgetOldAudio()
    }

    /// Puts an item where the client wants it.
    ///
    /// - Throws: The wire's error for an unknown predecessor or an id that is taken.
    mutating func insert(_ item: WireItem, after previous: String?) throws(WireError) {
        guard index(of: item.id) == nil else {
            throw WireError(
                code: "item_create_duplicate_item_id",
                message: "Error adding item: an item with id '\(item.id)' already exists.",
                parameter: "item.id")
        }
        guard textBytes + item.textBytes <= Self.maximumTextBytes else {
            throw WireError(
                code: "conversation_too_long",
                message: "Error adding item: the local server keeps no more than "
                    + "\(Self.maximumTextBytes >> 20) MiB of text in a conversation.",
                parameter: "item")
        }
        textBytes += item.textBytes
        switch previous {
        case nil: append(item)
        case "root": items.insert(item, at: 0)
        case let previous?:
            guard let index = index(of: previous) else {
                throw WireError(
                    code: "item_create_invalid_previous_item_id",
                    message: "Error adding item: the previous item with id '\(previous)' "
                        + "does not exist.", parameter: "previous_item_id")
            }
            items.insert(item, at: index + 1)
        }
    }

    /// Changes an item; does nothing where it is gone.
    mutating func update(_ id: String, _ change: (inout WireItem) -> Void) {
        guard let index = index(of: id) else { return }
        let before = items[index].spokenBytes.count + 2 * items[index].heardSamples.count
        change(&items[index])
        let after = items[index].spokenBytes.count + 2 * items[index].heardSamples.count
        audioBytes += after - before
        forgetOldAudio()
    }

    /// Removes an item; false where there is none.
    mutating func remove(_ id: String) -> Bool {
        guard let index = index(of: id) else { return false }
        audioBytes -= items[index].spokenBytes.count + 2 * items[index].heardSamples.count
        textBytes = max(0, textBytes - items[index].textBytes)
        items.remove(at: index)
        return true
    }

    private mutating func forgetOldAudio() {
        guard audioBytes > Self.maximumAudioBytes else { return }
        for index in items.indices {
            audioBytes -= items[index].spokenBytes.count + 2 * items[index].heardSamples.count
            items[index].spokenBytes = []
            items[index].heardSamples = []
            if audioBytes <= Self.maximumAudioBytes * 3 / 4 { return }
        }
    }
}

extension Conversation {
    /// The conversation as a responder sees it.
    static func history(_ items: [WireItem]) -> [ResponderMessage] {
        items.compactMap { item in
            switch item.kind {
            case .functionCall(let callID, let name, let arguments):
                return .toolCall(id: callID, name: name, arguments: arguments)
            case .functionCallOutput(let callID, let output):
                return .toolOutput(callID: callID, output: output)
            case .message(let role, let content):
                let text = content.map { Self.text(of: $0, in: item) }.filter { !$0.isEmpty }
                    .joined(separator: " ")
                switch role {
                case "system": return .system(text)
                case "user": return .user(text)
                default: return text.isEmpty ? nil : .assistant(text)
                }
            }
        }
    }

    private static func text(of content: WireItem.Content, in item: WireItem) -> String {
        switch content {
        case .inputText(let text), .outputText(let text): text
        case .inputAudio(let transcript): item.heardText ?? transcript ?? ""
        case .inputImage: ""
        case .outputAudio: item.transcript
        }
    }
}
