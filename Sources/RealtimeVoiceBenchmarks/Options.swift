/// The arguments of the benchmarks.
struct Options {
    /// Only benchmarks whose name has this in it run; nil for all.
    var filter: String?
    /// How many runs the median is taken of.
    var runs = 11
    /// How long a run lasts.
    var runMilliseconds = 20
    /// How long each wire is fuzzed instead; nil measures.
    var fuzzSeconds: Int?
    /// Where fuzzing begins; nil takes any seed.
    var fuzzSeed: UInt64?
    /// The one wire that is fuzzed; nil for all.
    var fuzzWire: String?

    static let usage = """
        usage: RealtimeVoiceBenchmarks [--filter TEXT] [--runs N] [--milliseconds N]
               RealtimeVoiceBenchmarks --fuzz SECONDS [--seed N] [--wire openai|xai|google]

          --filter TEXT       only the benchmarks with TEXT in their name
          --runs N            the median is taken of N runs (11)
          --milliseconds N    a run lasts about N milliseconds (20)
          --fuzz SECONDS      feeds mutated sessions to each wire instead of measuring
          --seed N            where fuzzing begins; the same seed does the same
          --wire NAME         only this wire

        ×naive is how many times as fast as Foundation alone; ×floor is how many times as slow as
        the least that must be done, usually one memcpy.
        """

    /// Arguments that can't be understood.
    struct UsageError: Error {
        var message: String
    }

    private static let names: Set<String> = [
        "--filter", "--runs", "--milliseconds", "--fuzz", "--seed", "--wire",
    ]

    /// Reads the arguments, without the program's name.
    static func parse(_ arguments: [String]) throws(UsageError) -> Options {
        var options = Options()
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard names.contains(name) else {
                throw UsageError(message: "unknown argument \(name)")
            }
            guard let value = rest.popFirst() else {
                throw UsageError(message: "\(name) needs a value")
            }
            switch name {
            case "--filter":
                options.filter = value
                continue
            case "--wire":
                options.fuzzWire = value
                continue
            case "--seed":
                guard let seed = UInt64(value) else {
                    throw UsageError(message: "--seed needs a number, not \(value)")
                }
                options.fuzzSeed = seed
                continue
            default: break
            }
            guard let number = Int(value), number > 0 else {
                throw UsageError(message: "\(name) needs a number of at least 1, not \(value)")
            }
            switch name {
            case "--runs": options.runs = number
            case "--fuzz": options.fuzzSeconds = number
            default: options.runMilliseconds = number
            }
        }
        return options
    }
}
