import Foundation

/// The command line: reads the arguments, runs a command, ends with its code.
@main
enum Main {
    static func main() async {
        // A reader that went away, as in `realtime talk | head`, must not kill the process
        // before its files are written.
        signal(SIGPIPE, SIG_IGN)
        let terminal = Terminal()
        let code = await run(Array(CommandLine.arguments.dropFirst()), terminal: terminal)
        terminal.flush()
        exit(code.rawValue)
    }

    /// Runs one command.
    ///
    /// - Returns: How it ended.
    static func run(_ arguments: [String], terminal: Terminal) async -> ExitCode {
        let command: Command
        do throws(UsageError) {
            command = try Options.parse(arguments)
        } catch {
            terminal.complain(error.message)
            return .usage
        }
        do {
            return try await run(command, terminal: terminal)
        } catch let failure as CommandFailure {
            terminal.complain(failure.message)
            return failure.code
        } catch {
            terminal.complain("\(error)")
            return .connectionLost
        }
    }

    private static func run(_ command: Command, terminal: Terminal) async throws -> ExitCode {
        switch command {
        case .help(let topic):
            terminal.write(topic.text)
            return .success
        case .version:
            terminal.write("realtime \(version)\n")
            return .success
        case .talk(let options):
            return try await TalkCommand(options: options, terminal: terminal).run()
        case .serve(let options):
            return try await ServeCommand(options: options, terminal: terminal).run()
        case .replay(let options):
            return try ReplayCommand(options: options, terminal: terminal).run()
        case .secret(let options):
            return try await SecretCommand(options: options, terminal: terminal).run()
        }
    }

    /// What `--version` tells.
    static let version = "0.1.0"
}
