import Foundation
import RealtimeVoiceServer

/// What the arguments ask for.
enum Command: Equatable {
    case talk(TalkOptions)
    case serve(ServeOptions)
    case replay(ReplayOptions)
    case secret(SecretOptions)
    case help(HelpTopic)
    case version
}

/// Reads arguments; it touches nothing else.
enum Options {
    /// Reads the arguments behind the program's name.
    static func parse(_ arguments: [String]) throws(UsageError) -> Command {
        guard let first = arguments.first else { return .help(.overview) }
        let rest = arguments.dropFirst()
        switch first {
        case "talk": return try TalkOptions.parse(rest)
        case "serve": return try ServeOptions.parse(rest)
        case "replay": return try ReplayOptions.parse(rest)
        case "secret": return try SecretOptions.parse(rest)
        case "help", "--help", "-h":
            guard let topic = rest.first else { return .help(.overview) }
            guard let known = HelpTopic(rawValue: topic) else { throw unknown(topic) }
            return .help(known)
        case "--version", "version": return .version
        default: throw unknown(first)
        }
    }

    private static func unknown(_ word: String) -> UsageError {
        let commands = ["talk", "serve", "replay", "secret", "help", "--help", "--version"]
        let hint = Spelling.suggestion(for: word, among: commands)
        return UsageError(
            "There is no command \(word)"
                + (hint.map { "; did you mean \($0)?" } ?? "; see realtime --help."))
    }

    static func recognizer(
        _ value: String
    ) throws(UsageError) -> SpeechEngines.RecognizerChoice {
        try ArgumentReader.choice(
            value, of: "--recognizer",
            among: [
                "automatic": .automatic, "moonshine": .moonshine, "pocketsphinx": .pocketSphinx,
            ])
    }

    static func provider(_ value: String) throws(UsageError) -> Provider {
        try ArgumentReader.choice(
            value, of: "--provider", among: ["openai": .openAI, "xai": .xai, "google": .google])
    }

    static func baseURL(_ value: String) throws(UsageError) -> URL {
        guard let url = URL(string: value), let host = url.host, !host.isEmpty,
            let scheme = url.scheme?.lowercased(), ["http", "https", "ws", "wss"].contains(scheme)
        else {
            throw UsageError(
                "--base-url takes an address such as https://api.openai.com/v1, "
                    + "not \u{201C}\(value)\u{201D}.")
        }
        return url
    }
}

/// Whose wire is spoken.
enum Provider: String, Sendable, Equatable {
    case openAI = "openai"
    case xai
    case google
}

/// The options of `realtime serve`.
struct ServeOptions: Equatable {
    var host = "127.0.0.1"
    var port: UInt16 = 0
    var recognizer = SpeechEngines.RecognizerChoice.automatic

    static func parse(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
        var reader = ArgumentReader(
            arguments, command: "serve", flags: [],
            options: ["--host", "--port", "--recognizer"])
        var options = ServeOptions()
        while let argument = try reader.next() {
            switch argument {
            case .flag: return .help(.serve)
            case .option("--port", let value):
                options.port = UInt16(
                    try ArgumentReader.number(value, of: "--port", in: 0...65_535))
            case .option("--recognizer", let value):
                options.recognizer = try Options.recognizer(value)
            case .option(_, let value): options.host = try loopback(value)
            case .plain(let text):
                throw UsageError("serve takes options only, not \u{201C}\(text)\u{201D}.")
            }
        }
        return .serve(options)
    }

    private static func loopback(_ host: String) throws(UsageError) -> String {
        if host == "localhost" { return "127.0.0.1" }
        // Digits only: a name such as 127.0.0.1.example could stand for any machine.
        let isIPv4 = host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
        let isLoopback = host == "::1" || isIPv4
        guard isLoopback else {
            throw UsageError(
                "--host takes an address of this machine alone, such as 127.0.0.1 or ::1, "
                    + "not \u{201C}\(host)\u{201D}: the server has no users and no passwords.")
        }
        return host
    }
}

/// The options of `realtime replay`.
struct ReplayOptions: Equatable {
    var files: [String] = []
    var printsJSON = false

    static func parse(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
        var reader = ArgumentReader(
            arguments, command: "replay", flags: ["--json"], options: [])
        var options = ReplayOptions()
        while let argument = try reader.next() {
            switch argument {
            case .flag("--json"): options.printsJSON = true
            case .flag: return .help(.replay)
            case .option: break
            case .plain(let file): options.files.append(file)
            }
        }
        guard !options.files.isEmpty else {
            throw UsageError("replay needs a recording: realtime replay FILE.jsonl")
        }
        return .replay(options)
    }
}

/// The options of `realtime secret`.
struct SecretOptions: Equatable {
    var provider = Provider.openAI
    var baseURL: URL?
    var model: String?
    var expiresAfter: Int?

    static func parse(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
        var reader = ArgumentReader(
            arguments, command: "secret", flags: [],
            options: ["--provider", "--base-url", "--model", "--expires-after"])
        var options = SecretOptions()
        var hasProvider = false
        while let argument = try reader.next() {
            switch argument {
            case .flag: return .help(.secret)
            case .option("--provider", let value):
                options.provider = try Options.provider(value)
                hasProvider = true
            case .option("--base-url", let value): options.baseURL = try Options.baseURL(value)
            case .option("--model", let value): options.model = value
            case .option(_, let value):
                options.expiresAfter = try ArgumentReader.number(
                    value, of: "--expires-after", in: 1...86_400)
            case .plain(let text):
                throw UsageError("secret takes options only, not \u{201C}\(text)\u{201D}.")
            }
        }
        guard hasProvider || options.baseURL != nil else {
            throw UsageError("secret needs --provider openai, xai or google.")
        }
        return .secret(options)
    }
}
