import Testing

@testable import RealtimeVoice

/// The list against the plainest possible one, and its changes against a copy.
struct MessageListTests {
    static func message(_ id: String, _ text: String = "") -> UIMessage {
        UIMessage(id: id, role: .user, parts: text.isEmpty ? [] : [.text(.init(text: text))])
    }

    static func list() -> MessageList {
        var list = MessageList()
        for id in ["a", "b", "c"] { list.append(message(id)) }
        _ = list.takeChanges()
        return list
    }

    // MARK: Every input

    @Test(arguments: [(0, "nabc"), (1, "anbc"), (3, "abcn")])
    func insertingMakesRoom(_ index: Int, _ expected: String) {
        var list = Self.list()
        list.insert(Self.message("n"), at: index)
        #expect(list.messages.map(\.id).joined() == expected)
        #expect(list.takeChanges() == [.insert(Self.message("n"), at: index)])
        for (position, message) in list.messages.enumerated() {
            #expect(list.position(of: message.id) == position)
        }
    }

    @Test(
        arguments: [
            ("a", 0, "abc", nil), ("a", 1, "bac", 0), ("a", 2, "bca", 0), ("c", 0, "cab", 2),
            ("b", 2, "acb", 1), ("unknown", 0, "abc", nil),
        ] as [(String, Int, String, Int?)])
    func movingCountsWithoutTheMessageItself(
        _ id: String, _ target: Int, _ expected: String, _ source: Int?
    ) {
        var list = Self.list()
        list.move(id, to: target)
        #expect(list.messages.map(\.id).joined() == expected)
        #expect(list.takeChanges() == (source.map { [.move(from: $0, to: target)] } ?? []))
        for (position, message) in list.messages.enumerated() {
            #expect(list.position(of: message.id) == position)
        }
    }

    @Test func updatingMarksTheMessageOnce() {
        var list = Self.list()
        for _ in 0..<3 { list.update("b") { $0.role = .assistant } }
        list.update("unknown") { _ in Issue.record("there is no such message") }
        let changed = UIMessage(id: "b", role: .assistant)
        #expect(list["b"] == changed)
        #expect(list.takeChanges() == [.update(changed, at: 1)])
        #expect(list.takeChanges() == [])
    }

    @Test func anUnknownMessageIsNil() {
        #expect(Self.list()["unknown"] == nil)
        #expect(Self.list().position(of: "unknown") == nil)
    }

    @Test func anUpdateStandsWhereTheMessageIsInTheEnd() {
        var list = Self.list()
        list.update("a") { $0.role = .assistant }
        list.move("a", to: 2)
        #expect(
            list.takeChanges() == [
                .move(from: 0, to: 2), .update(UIMessage(id: "a", role: .assistant), at: 2),
            ])
    }

    // MARK: At random

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func changesMadeToACopyGiveTheList(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var list = MessageList()
        var plain: [UIMessage] = []
        var copy: [UIMessage] = []
        for step in 0..<300 {
            switch Int.random(in: 0..<4, using: &dice) {
            case 0:
                let index = Int.random(in: 0...plain.count, using: &dice)
                let message = Self.message("m\(step)")
                list.insert(message, at: index)
                plain.insert(message, at: index)
            case 1:
                guard let message = plain.randomElement(using: &dice) else { continue }
                let target = Int.random(in: 0..<plain.count, using: &dice)
                list.move(message.id, to: target)
                plain.removeAll { $0.id == message.id }
                plain.insert(message, at: target)
            case 2:
                guard let index = plain.indices.randomElement(using: &dice) else { continue }
                let part = UIMessagePart.text(.init(text: "\(step)"))
                list.update(plain[index].id) { $0.parts.append(part) }
                plain[index].parts.append(part)
            default:
                copy.apply(list.takeChanges())
                #expect(copy == list.messages, "seed \(seed), step \(step)")
            }
        }
        copy.apply(list.takeChanges())
        #expect(copy == plain)
        #expect(list.messages == plain)
    }
}
