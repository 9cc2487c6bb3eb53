import Foundation
import RealtimeVoice

/// `realtime secret`.
struct SecretCommand {
    var options: SecretOptions
    var terminal: Terminal

    /// Mints a secret and prints it.
    func run() async throws -> ExitCode {
        let model = ModelChoice(
            provider: options.provider, baseURL: options.baseURL, model: options.model
        ).make()
        let secret: RealtimeClientSecret
        do throws(RealtimeError) {
            secret = try await model.createClientSecret(
                options: RealtimeClientSecretOptions(expiresAfterSeconds: options.expiresAfter))
        } catch {
            throw CommandFailure(ExitCode(error, wasConnected: false), error.description)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(secret), as: UTF8.self)
        terminal.note("realtime: this is a credential; keep it out of logs and repositories")
        terminal.write(text + "\n")
        return .success
    }
}
