import Foundation
import RealtimeVoice
import RealtimeVoiceServer
import Testing

@testable import realtime

/// The arguments, row by row.
struct OptionsTests {
    private static let talk: [([String], TalkOptions)] = [
        ([], TalkOptions()),
        (
            ["--input", "a.wav", "--say", "Hello", "--input=b.wav"],
            with { $0.sources = [.file("a.wav"), .words("Hello"), .file("b.wav")] }
        ),
        (
            ["--provider", "xai", "--model", "m", "--voice", "v", "--instructions", "Be brief."],
            with {
                $0.provider = .xai
                $0.model = "m"
                $0.voice = "v"
                $0.instructions = "Be brief."
            }
        ),
        (
            ["--base-url", "http://[::1]:8080/v1"],
            with { $0.baseURL = URL(string: "http://[::1]:8080/v1") }
        ),
        (["--turn-detection", "none"], with { $0.turnDetection = .disabled }),
        (["--turn-detection", "semantic-vad"], with { $0.turnDetection = .semanticVAD }),
        (["--barge-in-after", "600"], with { $0.bargeInAfter = 600 }),
        (
            ["--text", "--json"],
            with {
                $0.answersInText = true
                $0.printsJSON = true
            }
        ),
        (
            ["--output", "o.wav", "--output-mix", "m.wav"],
            with {
                $0.output = "o.wav"
                $0.outputMix = "m.wav"
            }
        ),
        (
            ["--port", "8080", "--recognizer", "PocketSphinx"],
            with {
                $0.port = 8080
                $0.recognizer = .pocketSphinx
            }
        ),
    ]

    private static func with(_ change: (inout TalkOptions) -> Void) -> TalkOptions {
        var options = TalkOptions()
        change(&options)
        return options
    }

    @Test func talkTakesItsOptions() throws {
        for (arguments, expected) in Self.talk {
            #expect(try Options.parse(["talk"] + arguments) == .talk(expected))
        }
    }

    @Test func theOtherCommandsTakeTheirs() throws {
        var serve = ServeOptions()
        serve.host = "::1"
        serve.port = 9_000
        serve.recognizer = .moonshine
        #expect(
            try Options.parse(
                ["serve", "--host", "::1", "--port", "9000", "--recognizer", "moonshine"])
                == .serve(serve))
        #expect(
            try Options.parse(["replay", "a", "--json", "--", "--b"])
                == .replay(ReplayOptions(files: ["a", "--b"], printsJSON: true)))
        #expect(
            try Options.parse(["secret", "--provider", "google", "--expires-after", "60"])
                == .secret(SecretOptions(provider: .google, expiresAfter: 60)))
        #expect(try Options.parse([]) == .help(.overview))
        #expect(try Options.parse(["help", "talk"]) == .help(.talk))
        #expect(try Options.parse(["talk", "--text", "-h"]) == .help(.talk))
        #expect(try Options.parse(["--version"]) == .version)
    }

    private static let refused: [([String], String)] = [
        (["tlak"], "There is no command tlak; did you mean talk?"),
        (["xyzzy"], "There is no command xyzzy; see realtime --help."),
        (["talk", "--inptu", "a"], "There is no option --inptu; did you mean --input?"),
        (["talk", "--barge", "3"], "There is no option --barge; did you mean --barge-in-after?"),
        (["talk", "--xyzzy"], "There is no option --xyzzy; see realtime talk --help."),
        (["talk", "--input"], "--input needs a value; see realtime talk --help."),
        (["talk", "--input", "--json"], "--input needs a value; see realtime talk --help."),
        (["talk", "--json=1"], "--json takes no value."),
        (["talk", "--say", " … "], "--say needs words to speak."),
        (
            ["talk", "--barge-in-after", "soon"],
            "--barge-in-after takes a number from 0 to 600000, not “soon”."
        ),
        (
            ["talk", "--turn-detection", "server-vda"],
            "--turn-detection takes server-vad, semantic-vad, none, not “server-vda”; "
                + "did you mean server-vad?"
        ),
        (
            ["talk", "--base-url", "localhost:80"],
            "--base-url takes an address such as https://api.openai.com/v1, not “localhost:80”."
        ),
        (
            ["talk", "--provider", "xai", "--port", "1"],
            "--port is for the local server; leave out --provider and --base-url."
        ),
        (
            ["talk", "--text", "--barge-in-after", "5"],
            "--barge-in-after needs an answer to speak over; leave out --text."
        ),
        (
            ["talk", "a.wav"],
            "talk takes options only, not “a.wav”; --input FILE speaks a file and --say TEXT words."
        ),
        (
            ["serve", "--host", "0.0.0.0"],
            "--host takes an address of this machine alone, such as 127.0.0.1 or ::1, "
                + "not “0.0.0.0”: the server has no users and no passwords."
        ),
        (["serve", "--port", "65536"], "--port takes a number from 0 to 65535, not “65536”."),
        (["replay"], "replay needs a recording: realtime replay FILE.jsonl"),
        (["secret"], "secret needs --provider openai, xai or google."),
    ]

    @Test func whatCannotBeUsedIsToldInOneLine() {
        for (arguments, message) in Self.refused {
            #expect(throws: UsageError(message)) { try Options.parse(arguments) }
        }
    }

    @Test func everyExitCodeIsInTheHelp() {
        for code in ExitCode.allCases {
            #expect(HelpTopic.talk.text.contains("\(code.rawValue) "))
            #expect(HelpTopic.talk.text.contains(code.meaning))
        }
    }

    private static let codes: [(RealtimeError.Code, before: ExitCode, during: ExitCode)] = [
        (.missingAPIKey, .missingKey, .missingKey),
        (.connectFailed, .connect, .connectionLost),
        (.tlsFailed, .connect, .connectionLost),
        (.timeout, .connect, .connectionLost),
        (.httpStatus, .provider, .provider),
        (.provider, .provider, .provider),
        (.unsupported, .usage, .provider),
        (.connectionClosed, .connect, .connectionLost),
    ]

    @Test func errorsHaveExitCodes() {
        for (code, before, during) in Self.codes {
            let error = RealtimeError(code, "")
            #expect(ExitCode(error, wasConnected: false) == before)
            #expect(ExitCode(error, wasConnected: true) == during)
        }
    }

    @Test func aRealKeyNeverReachesTheLocalServer() throws {
        let key = ["OPENAI_API_KEY": "real"]
        let local = URL(string: "http://127.0.0.1:1/v1")
        var options = TalkOptions()
        #expect(options.modelChoice(local: local, environment: key).apiKey == "local")
        options.baseURL = local
        #expect(options.modelChoice(local: nil, environment: [:]).apiKey == "local")
        #expect(options.modelChoice(local: nil, environment: key).apiKey == nil)
        options.provider = .openAI
        #expect(options.modelChoice(local: nil, environment: [:]).apiKey == nil)
    }
}
