import Foundation
import RealtimeVoice
import RealtimeVoiceServer

/// The options of `realtime talk`.
struct TalkOptions: Equatable {
    /// Where the words of one turn come from.
    enum Source: Equatable {
        case file(String)
        case words(String)
    }

    var sources: [Source] = []
    /// Nil talks to the local server.
    var provider: Provider?
    var baseURL: URL?
    var model: String?
    var voice: String?
    var instructions: String?
    var turnDetection = RealtimeTurnDetection.Kind.serverVAD
    var bargeInAfter: Int?
    var answersInText = false
    var printsJSON = false
    var output: String?
    var outputMix: String?
    var port: UInt16 = 0
    var recognizer = SpeechEngines.RecognizerChoice.automatic

    /// Whether the server runs inside this process.
    var isLocal: Bool { provider == nil && baseURL == nil }

    private static let flags: Set = ["--text", "--json"]
    private static let names: Set = [
        "--input", "--say", "--provider", "--base-url", "--model", "--voice", "--instructions",
        "--turn-detection", "--barge-in-after", "--output", "--output-mix", "--port",
        "--recognizer",
    ]

    static func parse(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
        var reader = ArgumentReader(
            arguments, command: "talk", flags: flags, options: names)
        var options = TalkOptions()
        var localOnly: String?
        while let argument = try reader.next() {
            switch argument {
            case .flag("--text"): options.answersInText = true
            case .flag("--json"): options.printsJSON = true
            case .flag: return .help(.talk)
            case .option(let name, let value):
                try options.set(name, value)
                if ["--port", "--recognizer"].contains(name) { localOnly = name }
            case .plain(let text):
                throw UsageError(
                    "talk takes options only, not \u{201C}\(text)\u{201D}; "
                        + "--input FILE speaks a file and --say TEXT words.")
            }
        }
        if let localOnly, !options.isLocal {
            throw UsageError(
                "\(localOnly) is for the local server; leave out --provider and --base-url.")
        }
        if options.answersInText, options.bargeInAfter != nil {
            throw UsageError("--barge-in-after needs an answer to speak over; leave out --text.")
        }
        return .talk(options)
    }

    private mutating func set(_ name: String, _ value: String) throws(UsageError) {
        switch name {
        case "--input": sources.append(.file(value))
        case "--say":
            guard value.contains(where: { $0.isLetter || $0.isNumber }) else {
                throw UsageError("--say needs words to speak.")
            }
            sources.append(.words(value))
        case "--provider": provider = try Options.provider(value)
        case "--base-url": baseURL = try Options.baseURL(value)
        case "--model": model = value
        case "--voice": voice = value
        case "--instructions": instructions = value
        case "--turn-detection":
            turnDetection = try ArgumentReader.choice(
                value, of: name,
                among: [
                    "server-vad": .serverVAD, "semantic-vad": .semanticVAD, "none": .disabled,
                ])
        case "--barge-in-after":
            bargeInAfter = try ArgumentReader.number(value, of: name, in: 0...600_000)
        case "--output": output = value
        case "--output-mix": outputMix = value
        case "--port":
            port = UInt16(try ArgumentReader.number(value, of: name, in: 0...65_535))
        default: recognizer = try Options.recognizer(value)
        }
    }
}
