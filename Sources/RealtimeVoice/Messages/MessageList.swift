/// One step from one list of messages to the next.
package enum MessageChange: Sendable, Hashable {
    case insert(UIMessage, at: Int)
    case move(from: Int, to: Int)
    case update(UIMessage, at: Int)
}

/// Messages in order, found by id, with a record of what changed since somebody looked.
///
/// Everything happens near the end of a conversation, so inserting and moving touch only the
/// few messages behind.
struct MessageList: Sendable {
    private(set) var messages: [UIMessage] = []
    private var positions: [String: Int] = [:]
    private var structural: [MessageChange] = []
    private var dirty: Set<String> = []
    /// Changes with every change.
    private(set) var revision = 0

    func position(of id: String) -> Int? { positions[id] }

    subscript(id: String) -> UIMessage? {
        positions[id].map { messages[$0] }
    }

    mutating func insert(_ message: UIMessage, at index: Int) {
        messages.insert(message, at: index)
        renumber(from: index)
        structural.append(.insert(message, at: index))
        revision += 1
    }

    mutating func append(_ message: UIMessage) {
        insert(message, at: messages.count)
    }

    /// Moves a message so that it stands at `target` of the list without it.
    mutating func move(_ id: String, to target: Int) {
        guard let source = positions[id], source != target else { return }
        let message = messages.remove(at: source)
        messages.insert(message, at: target)
        renumber(from: min(source, target))
        structural.append(.move(from: source, to: target))
        revision += 1
    }

    mutating func update(_ id: String, _ body: (inout UIMessage) -> Void) {
        guard let index = positions[id] else { return }
        body(&messages[index])
        dirty.insert(id)
        revision += 1
    }

    private mutating func renumber(from index: Int) {
        for position in index..<messages.count {
            positions[messages[position].id] = position
        }
    }

    /// What changed since the last call, in an order in which it can be repeated.
    mutating func takeChanges() -> [MessageChange] {
        var changes = structural
        for id in dirty {
            guard let index = positions[id] else { continue }
            changes.append(.update(messages[index], at: index))
        }
        structural = []
        dirty = []
        return changes
    }
}

extension Array where Element == UIMessage {
    /// Repeats changes on a copy of the list they were made to.
    package mutating func apply(_ changes: [MessageChange]) {
        for change in changes {
            switch change {
            case .insert(let message, let index): insert(message, at: index)
            case .move(let source, let target): insert(remove(at: source), at: target)
            case .update(let message, let index): self[index] = message
            }
        }
    }
}
