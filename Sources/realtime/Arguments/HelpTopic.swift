/// The help texts.
enum HelpTopic: String, Equatable, CaseIterable {
    case overview
    case talk
    case serve
    case replay
    case secret

    /// The text, with its last line ended.
    var text: String {
        switch self {
        case .overview: Self.overviewText + "\n" + Self.codes
        case .talk: Self.talkText + "\n" + Self.codes
        case .serve: Self.serveText
        case .replay: Self.replayText
        case .secret: Self.secretText
        }
    }

    private static var codes: String {
        let lines = ExitCode.allCases.map { code in
            "  \(code.rawValue)".padded(to: 6) + code.meaning
        }
        return "Exit codes:\n" + lines.joined(separator: "\n") + "\n"
    }

    private static let overviewText = """
        realtime: live voice conversations with AI models, on the command line.

          realtime talk      hold a spoken conversation; with no options, with a voice server
                             that runs inside this process and needs neither key nor network
          realtime serve     run that voice server alone, for other programs
          realtime replay    play a recorded session through the client
          realtime secret    mint a client secret for an app

          realtime COMMAND --help    tells the options
          realtime --version

        Results go to standard output, diagnostics to standard error.

        """

    private static let talkText = """
        realtime talk: hold a spoken conversation.

        The words of the user are sent at the pace of speech, as a microphone would, with silence
        between the turns; the next turn begins when the answer was played to its end. The
        conversation is printed as it happens, then a summary.

        What the user says, in order (default: a script of three turns, one of which calls a tool):
          --input FILE.wav         one turn; any rate, 8/16/24/32-bit, float, A-law or µ-law
          --say "TEXT"             one turn, spoken by the local synthesiser

        Who answers (default: the local voice server, inside this process):
          --provider NAME          openai, xai or google; the key is taken from OPENAI_API_KEY,
                                   XAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY
          --base-url URL           another address that speaks the provider's wire (openai unless
                                   --provider says otherwise), such as that of realtime serve;
                                   without a key in the environment the key is "local"
          --model NAME, --voice NAME, --instructions "TEXT"
          --text                   ask for written answers
          --port N                 the local server's port (default: any that is free)
          --recognizer NAME        who hears in the local server: automatic, moonshine,
                                   pocketsphinx

        Whose turn it is:
          --turn-detection KIND    server-vad (default), semantic-vad, or none: push-to-talk, where
                                   each turn is committed and an answer asked for
          --barge-in-after MS      begin the next turn so many milliseconds after the answer was
                                   first heard, speaking over it

        What is kept:
          --output FILE.wav        the assistant as heard, half a second between the answers
          --output-mix FILE.wav    both sides on one time line: user left, assistant right
          --json                   one JSON object a line instead of the text; nothing else is on
                                   standard output. Each has "type" and "at", the milliseconds
                                   since the session was ready

        Ctrl-C ends the conversation; the summary is printed and the files are written.

        """

    private static let serveText = """
        realtime serve: run the local voice server alone.

        It speaks the OpenAI realtime wire. The address is printed on standard output when it
        listens; who hears and who speaks, on standard error. Ctrl-C and SIGTERM end it with 0.

          --port N                 the port (default 0: any that is free)
          --host ADDRESS           an address of this machine alone (default 127.0.0.1)
          --recognizer NAME        who hears: automatic (default), moonshine, pocketsphinx

        Exit codes: 0 ended by a signal, 2 usage, 5 the port is taken or an engine isn't there.

        """

    private static let replayText = """
        realtime replay FILE.jsonl…: play recorded sessions through the client, without a network.

        Prints the conversation that comes of each, then what was counted.

          --json                   one JSON object for each file, on a line of its own

        Exit codes: 0 all is as recorded, 1 something else was sent than a scenario expects,
        2 usage, 3 a file that isn't there or isn't a recording.

        """

    private static let secretText = """
        realtime secret: mint a short-lived client secret and print it as JSON.

        The output is a credential: whoever has it can talk at your expense until it expires.

          --provider NAME          openai, xai or google, with the key of the environment
          --base-url URL           another address
          --model NAME
          --expires-after SECONDS

        Exit codes: 0, 2 usage, 4 no API key, 6 can't be reached, 7 refused.

        """
}

extension String {
    /// The text with spaces behind it, so that it has at least so many letters.
    func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
