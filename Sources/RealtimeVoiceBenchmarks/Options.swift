/// The arguments of the benchmarks.
struct Options {
    /// Only benchmarks whose name has this in it run; nil for all.
    var filter: String?
    /// How many runs the median is taken of.
    var runs = 11
    /// How long a run lasts.
    var runMilliseconds = 20

    static let usage = """
        usage: RealtimeVoiceBenchmarks [--filter TEXT] [--runs N] [--milliseconds N]

          --filter TEXT       only the benchmarks with TEXT in their name
          --runs N            the median is taken of N runs (11)
          --milliseconds N    a run lasts about N milliseconds (20)

        ×naive is how many times as fast as Foundation alone; ×floor is how many times as slow as
        the least that must be done, usually one memcpy.
        """

    /// Arguments that can't be understood.
    struct UsageError: Error {
        var message: String
    }

    /// Reads the arguments, without the program's name.
    static func parse(_ arguments: [String]) throws(UsageError) -> Options {
        var options = Options()
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard ["--filter", "--runs", "--milliseconds"].contains(name) else {
                throw UsageError(message: "unknown argument \(name)")
            }
            guard let value = rest.popFirst() else {
                throw UsageError(message: "\(name) needs a value")
            }
            if name == "--filter" {
                options.filter = value
                continue
            }
            guard let number = Int(value), number > 0 else {
                throw UsageError(message: "\(name) needs a number of at least 1, not \(value)")
            }
            if name == "--runs" { options.runs = number } else { options.runMilliseconds = number }
        }
        return options
    }
}
