import RealtimeVoice

/// How the program ends; `--help` lists them.
enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case unanswered = 1
    case usage = 2
    case input = 3
    case missingKey = 4
    case server = 5
    case connect = 6
    case provider = 7
    case connectionLost = 8
    case interrupted = 130
    case terminated = 143

    /// What it stands for, for `--help`.
    var meaning: String {
        switch self {
        case .success: "all went well"
        case .unanswered: "a turn was not answered (talk), a check failed (replay)"
        case .usage: "an unknown option or a value that it can't have"
        case .input: "a file that isn't there, can't be read or written, or isn't what it must be"
        case .missingKey: "no API key in the environment"
        case .server: "the local server can't run: the port is taken, an engine isn't there"
        case .connect: "the provider can't be reached"
        case .provider: "the provider refused the session, or reported an error"
        case .connectionLost: "the connection broke while it was in use"
        case .interrupted: "ended by Ctrl-C, after the summary and the files (serve: 0)"
        case .terminated: "ended by SIGTERM, likewise (serve: 0)"
        }
    }

    /// The code for an error of the library's, which came before or during a session.
    init(_ error: RealtimeError, wasConnected: Bool) {
        self =
            switch error.code {
            case .missingAPIKey: .missingKey
            case .provider, .httpStatus, .secretExpired: .provider
            case .invalidInput, .unsupported: wasConnected ? .provider : .usage
            case _ where wasConnected: .connectionLost
            default: .connect
            }
    }
}

/// Why a command can't go on, in one line, and the code to end with.
struct CommandFailure: Error, Equatable {
    var code: ExitCode
    var message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
