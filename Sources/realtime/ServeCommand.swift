import Foundation
import RealtimeVoice
import RealtimeVoiceServer

/// `realtime serve`.
struct ServeCommand {
    var options: ServeOptions
    var terminal: Terminal

    /// Serves until a signal comes.
    func run() async throws -> ExitCode {
        let signals = Signals()
        let engines = try LocalServer.loadEngines(options.recognizer, terminal: terminal)
        let server = LocalVoiceServer(
            LocalVoiceServer.Configuration(
                host: options.host, port: options.port, engines: engines))
        try await LocalServer.start(server)
        terminal.write("listening on \(server.baseURL.absoluteString)\n")
        await signals.wait()
        await server.stop()
        return .success
    }
}

/// What `serve` and `talk` do alike.
enum LocalServer {
    /// Loads the engines and tells who hears and who speaks.
    static func loadEngines(
        _ recognizer: SpeechEngines.RecognizerChoice, terminal: Terminal
    ) throws(CommandFailure) -> SpeechEngines {
        do throws(RealtimeError) {
            let engines = try SpeechEngines.load(recognizer: recognizer)
            terminal.note("local voice server: \(engines.summary)")
            for note in engines.notes { terminal.note("note: \(note)") }
            return engines
        } catch {
            throw CommandFailure(.server, error.message)
        }
    }

    /// Starts the server.
    static func start(_ server: LocalVoiceServer) async throws(CommandFailure) {
        do throws(RealtimeError) {
            try await server.start()
        } catch {
            throw CommandFailure(.server, error.message)
        }
    }
}
