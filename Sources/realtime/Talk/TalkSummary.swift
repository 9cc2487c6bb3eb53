import RealtimeVoice

/// What a conversation came to.
struct TalkSummary: Equatable {
    /// One turn.
    struct Turn: Equatable {
        var label: String
        var spokenSeconds: Double
        var times: TurnTaking.Times

        /// The seconds from the end of speech to the answer's first audio, or text.
        var latency: Double? { times.speechEnded.flatMap { seconds(since: $0, times.firstOutput) } }

        /// The seconds from the end of speech until the answer began to be heard.
        var heardLatency: Double? {
            times.speechEnded.flatMap { seconds(since: $0, times.firstHeard) }
        }

        private func seconds(since start: Duration, _ moment: Duration?) -> Double? {
            moment.map { ($0 - start).inSeconds }
        }
    }

    var turns: [Turn]
    var isText = false
    var sentSeconds = 0.0
    var receivedSeconds = 0.0
    var heardSeconds = 0.0
    var gaps = 0
    var toolCalls = 0
    var interruptions = 0
    var errors = 0
    var outputTokens = 0
    var inputTokens = 0

    /// Adds what a response cost. A provider may claim any number; nobody pays for more than
    /// this.
    mutating func count(_ usage: RealtimeUsage?) {
        let most = 1 << 50
        inputTokens = min(most, inputTokens + min(max(0, usage?.input.total ?? 0), most))
        outputTokens = min(most, outputTokens + min(max(0, usage?.output.total ?? 0), most))
    }

    /// The turns that were begun.
    var begun: [Turn] { turns.filter { $0.times.began != nil } }

    /// The lines for a person.
    var lines: [String] {
        var lines = ["", "summary"]
        let width = min(begun.map(\.label.count).max() ?? 0, 44)
        for (index, turn) in begun.enumerated() {
            let label = turn.label.count > width ? turn.label.prefix(width - 1) + "…" : turn.label
            lines.append(
                "  turn \(index + 1)  \(String(label).padded(to: width))  "
                    + "\(Self.seconds(turn.spokenSeconds)) spoken, \(outcome(turn))")
        }
        let answered = begun.count { $0.times.wasAnswered }
        lines.append(
            "  \(Self.count(begun.count, "turn")), \(answered) answered, "
                + "\(Self.count(interruptions, "interruption")), "
                + "\(Self.count(toolCalls, "tool call")), \(Self.count(errors, "error"))")
        let spoken = begun.reduce(0) { $0 + $1.spokenSeconds }
        lines.append(
            "  audio: \(Self.seconds(sentSeconds)) sent (\(Self.seconds(spoken)) of speech), "
                + "\(Self.seconds(receivedSeconds)) received, \(Self.seconds(heardSeconds)) heard"
                + (gaps > 0 ? ", \(Self.count(gaps, "gap"))" : ""))
        if inputTokens + outputTokens > 0 {
            lines.append("  tokens: \(inputTokens) in, \(outputTokens) out")
        }
        return lines
    }

    private func outcome(_ turn: Turn) -> String {
        guard turn.times.wasAnswered || turn.times.firstOutput != nil else {
            return "not answered"
        }
        let first = isText ? "first text" : "first audio"
        guard let latency = turn.latency else { return "answered" }
        return "\(first) \(Self.seconds(latency, digits: 2)) after the end of speech"
            + (turn.times.wasInterrupted ? ", interrupted" : "")
            + (turn.times.wasAnswered ? "" : ", broken off")
    }

    /// For programs.
    var json: JSONValue {
        [
            "turns": .array(
                begun.map { turn in
                    [
                        "label": .string(turn.label),
                        "spokenSeconds": Self.rounded(turn.spokenSeconds),
                        "answered": .bool(turn.times.wasAnswered),
                        "interrupted": .bool(turn.times.wasInterrupted),
                        "firstOutputSeconds": turn.latency.map(Self.rounded) ?? .null,
                        "firstHeardSeconds": turn.heardLatency.map(Self.rounded) ?? .null,
                    ]
                }),
            "sentSeconds": Self.rounded(sentSeconds),
            "receivedSeconds": Self.rounded(receivedSeconds),
            "heardSeconds": Self.rounded(heardSeconds),
            "gaps": .int(gaps), "toolCalls": .int(toolCalls),
            "interruptions": .int(interruptions), "errors": .int(errors),
            "inputTokens": .int(inputTokens), "outputTokens": .int(outputTokens),
        ]
    }

    private static func rounded(_ value: Double) -> JSONValue {
        .double((value * 1_000).rounded() / 1_000)
    }

    /// Seconds as they are printed, such as `1.5 s`.
    static func seconds(_ value: Double, digits: Int = 1) -> String {
        let scale = digits == 1 ? 10 : 100
        let whole = Int((max(0, value) * Double(scale)).rounded())
        let fraction = String(whole % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(whole / scale).\(zeros)\(fraction) s"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
