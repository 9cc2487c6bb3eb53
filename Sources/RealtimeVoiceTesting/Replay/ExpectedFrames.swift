import RealtimeVoice

/// Compares what our side sent with what a strict scenario says.
///
/// Each `send` line must be matched by the next frame that our side sent, and nothing may be
/// left over. A frame matches if it has every member that the line has; ids that only our side
/// can know may be left out, or written as `"*"`.
struct ExpectedFrames {
    private(set) var mismatches: [String] = []
    private var taken = 0

    mutating func expect(_ frame: JSONValue, line: Int, sent: [ReplayResult.Sent]) {
        guard taken < sent.count else {
            mismatches.append("line \(line): expected \(frame.serialized()), but nothing was sent")
            return
        }
        let actual = sent[taken].frame
        taken += 1
        if !Self.matches(frame, actual) {
            mismatches.append(
                "line \(line): expected \(frame.serialized()), but \(actual.serialized()) "
                    + "was sent")
        }
    }

    mutating func end(sent: [ReplayResult.Sent]) {
        for extra in sent.dropFirst(taken) {
            mismatches.append(
                "after line \(extra.afterLine): \(extra.frame.serialized()) was sent, "
                    + "which no line expects")
        }
    }

    static func matches(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
        switch (expected, actual) {
        case (.string("*"), _): true
        case (.object(let members), .object(let others)):
            members.allSatisfy { name, value in
                name == "event_id" || others[name].map { matches(value, $0) } ?? false
            }
        case (.array(let elements), .array(let others)):
            elements.count == others.count
                && zip(elements, others).allSatisfy { matches($0, $1) }
        case (.int, _), (.double, _): expected.doubleValue == actual.doubleValue
        default: expected == actual
        }
    }
}
