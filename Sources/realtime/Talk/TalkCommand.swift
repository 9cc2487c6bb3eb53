import Foundation
import RealtimeVoice
import RealtimeVoiceServer
import Synchronization

/// `realtime talk`.
struct TalkCommand {
    var options: TalkOptions
    var terminal: Terminal

    /// Holds the conversation, prints it, writes the files.
    func run() async throws -> ExitCode {
        let signals = Signals()
        let files = try readFiles()
        try checkOutputs()
        let engines =
            options.isLocal
            ? try LocalServer.loadEngines(options.recognizer, terminal: terminal) : nil
        // What the environment lacks is told before anything is spoken.
        if !options.isLocal { _ = try connectRequest(for: model(local: nil)) }
        let turns = try await makeTurns(files, synthesizer: engines?.synthesizer)
        let runner = TalkRunner(
            turns: turns, rules: rules, isText: options.answersInText,
            presenter: TalkPresenter(terminal: terminal, printsJSON: options.printsJSON))
        var server: LocalVoiceServer?
        if let engines {
            let local = LocalVoiceServer(
                LocalVoiceServer.Configuration(
                    port: options.port, engines: engines,
                    onClientEvent: { [weak runner] _, event in runner?.serverSaw(event) }))
            try await LocalServer.start(local)
            server = local
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await hold(runner, signals, local: server?.baseURL))
        } catch {
            result = .failure(error)
        }
        await server?.stop()
        try result.get()
        return try finish(runner)
    }

    private var rules: TurnTaking.Rules {
        TurnTaking.Rules(
            pushesToTalk: options.turnDetection == .disabled,
            bargeInAfter: options.bargeInAfter.map { .milliseconds($0) })
    }

    private func model(local: URL?) -> any RealtimeModel {
        options.modelChoice(local: local, environment: ProcessInfo.processInfo.environment)
            .make()
    }

    private func connectRequest(for model: any RealtimeModel) throws(CommandFailure) {
        do throws(RealtimeError) {
            _ = try model.connectRequest()
        } catch {
            throw CommandFailure(ExitCode(error, wasConnected: false), error.message)
        }
    }

    // MARK: What is said

    private func readFiles() throws(CommandFailure) -> [String: UserTurn] {
        var files: [String: UserTurn] = [:]
        for source in options.sources {
            guard case .file(let path) = source, files[path] == nil else { continue }
            files[path] = try UserTurn.read(path)
        }
        return files
    }

    private func makeTurns(
        _ files: [String: UserTurn], synthesizer: (any SpeechSynthesizer)?
    ) async throws -> [UserTurn] {
        var synthesizer = synthesizer
        var turns: [UserTurn] = []
        let script =
            options.bargeInAfter == nil ? UserTurn.script : UserTurn.interruptionScript
        for source in options.sources.isEmpty ? script : options.sources {
            switch source {
            case .file(let path):
                if let turn = files[path] { turns.append(turn) }
            case .words(let words):
                let voice = try synthesizer ?? loadSynthesizer()
                synthesizer = voice
                turns.append(try await UserTurn.speak(words, with: voice))
            }
        }
        return turns
    }

    private func loadSynthesizer() throws(CommandFailure) -> any SpeechSynthesizer {
        do throws(RealtimeError) {
            return try FliteSynthesizer()
        } catch {
            throw CommandFailure(.server, error.message)
        }
    }

    // MARK: The conversation

    private func hold(_ runner: TalkRunner, _ signals: Signals, local: URL?) async throws {
        let model = model(local: local)
        let (options, terminal) = (options, terminal)
        let isReady = Mutex(false)
        let talk = Task {
            try await withRealtimeConnection(
                to: model, config: options.sessionConfig, tools: DemoTools.all
            ) { connection in
                isReady.withLock { $0 = true }
                let peer =
                    local == nil
                    ? "\(model.provider), \(model.modelID)"
                    : "the local voice server, over OpenAI's wire"
                terminal.note("connected to \(peer)")
                await runner.run(connection)
            }
        }
        signals.onSignal { number in
            runner.end(.signal(number))
            if !isReady.withLock({ $0 }) { talk.cancel() }
        }
        do {
            try await talk.value
        } catch {
            if case .signal = runner.ending { return }
            guard let error = error as? RealtimeError else { throw error }
            throw CommandFailure(ExitCode(error, wasConnected: false), error.description)
        }
    }

    private func finish(_ runner: TalkRunner) throws(CommandFailure) -> ExitCode {
        try writeOutputs(runner)
        switch runner.ending {
        case .signal(SIGTERM): return .terminated
        case .signal: return .interrupted
        case .lost(let error):
            throw CommandFailure(ExitCode(error, wasConnected: true), error.description)
        case .completed, nil: break
        }
        return runner.state.withLock { state in
            guard state.summary.begun.contains(where: { !$0.times.wasAnswered }) else {
                return .success
            }
            return state.lastProviderError == nil ? .unanswered : .provider
        }
    }

    // MARK: What is kept

    private func checkOutputs() throws(CommandFailure) {
        for path in [options.output, options.outputMix].compactMap(\.self) {
            let url = URL(fileURLWithPath: path)
            let folder = url.deletingLastPathComponent()
            guard folder.isExistingFolder else {
                throw CommandFailure(.input, "There is no folder \(folder.path) to write to.")
            }
            if url.isExistingFolder {
                throw CommandFailure(.input, "\(path) is a folder; name a file.")
            }
            let target = FileManager.default.fileExists(atPath: path) ? path : folder.path
            guard FileManager.default.isWritableFile(atPath: target) else {
                throw CommandFailure(.input, "\(target) can't be written to.")
            }
        }
    }

    private func writeOutputs(_ runner: TalkRunner) throws(CommandFailure) {
        let (assistant, mix) = runner.state.withLock { state in
            let heard = state.player.everythingHeard(now: state.end)
            return (state.tape.assistant(heard), state.tape.stereo(assistant: heard))
        }
        do throws(RealtimeError) {
            if let path = options.output {
                try WAVFile.write(
                    pcm16: PCM16.data(assistant), rate: UserTurn.rate,
                    to: URL(fileURLWithPath: path))
                terminal.note("wrote the assistant to \(path)")
            }
            if let path = options.outputMix {
                try WAVFile.write(
                    pcm16: PCM16.data(mix), rate: UserTurn.rate, channels: 2,
                    to: URL(fileURLWithPath: path))
                terminal.note("wrote both sides to \(path), user left, assistant right")
            }
        } catch {
            throw CommandFailure(.input, error.message)
        }
    }
}

extension TalkRunner {
    /// Why the conversation ended; nil while it goes on.
    var ending: Ending? { state.withLock { $0.ending } }
}
