/// Why the arguments can't be used, in one line.
struct UsageError: Error, Equatable {
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Takes arguments apart into options, their values, and what is neither.
///
/// `--name value` and `--name=value` are the same; behind `--` everything is a plain argument.
struct ArgumentReader {
    /// One argument.
    enum Argument: Equatable {
        case flag(String)
        case option(String, value: String)
        case plain(String)
    }

    private var rest: ArraySlice<String>
    private var isPlain = false
    private let command: String
    private let flags: Set<String>
    private let options: Set<String>

    init(
        _ arguments: some Collection<String>, command: String, flags: Set<String>,
        options: Set<String>
    ) {
        rest = ArraySlice(Array(arguments))
        self.command = command
        self.flags = flags.union(["--help", "-h"])
        self.options = options
    }

    /// The next argument, nil behind the last.
    mutating func next() throws(UsageError) -> Argument? {
        guard let argument = rest.popFirst() else { return nil }
        if isPlain || !argument.hasPrefix("-") || argument == "-" { return .plain(argument) }
        if argument == "--" {
            isPlain = true
            return try next()
        }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        if flags.contains(name) {
            guard parts.count == 1 else { throw UsageError("\(name) takes no value.") }
            return .flag(name)
        }
        guard options.contains(name) else { throw unknown(name) }
        if parts.count == 2 { return .option(name, value: String(parts[1])) }
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw UsageError("\(name) needs a value; see realtime \(command) --help.")
        }
        rest.removeFirst()
        return .option(name, value: value)
    }

    private func unknown(_ name: String) -> UsageError {
        let names = flags.union(options).subtracting(["-h"])
        let hint = Spelling.suggestion(for: name, among: names).map { "; did you mean \($0)?" }
        return UsageError(
            "There is no option \(name)\(hint ?? "; see realtime \(command) --help.")")
    }

    /// A whole number of a range.
    static func number(
        _ text: String, of name: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), "
                    + "not \u{201C}\(text)\u{201D}.")
        }
        return number
    }

    /// One of a few words.
    static func choice<Value>(
        _ text: String, of name: String, among choices: KeyValuePairs<String, Value>
    ) throws(UsageError) -> Value {
        let found = choices.first { $0.key == text.lowercased() }
        if let found { return found.value }
        let words = choices.map(\.key)
        let hint = Spelling.suggestion(for: text.lowercased(), among: words)
        throw UsageError(
            "\(name) takes \(words.joined(separator: ", ")), not \u{201C}\(text)\u{201D}"
                + (hint.map { "; did you mean \($0)?" } ?? "."))
    }
}

/// Guesses what somebody meant to type.
enum Spelling {
    /// The nearest of the words, nil where none is near.
    static func suggestion(for word: String, among words: some Collection<String>) -> String? {
        let ranked = words.sorted().map { ($0, distance(word, $0)) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        if best.1 <= (word.count > 3 ? max(2, word.count / 3) : 1) { return best.0 }
        return words.sorted().first { word.count > 3 && $0.hasPrefix(word) }
    }

    /// How many letters must change, come or go.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let change = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
