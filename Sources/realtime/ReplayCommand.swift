import Foundation
import RealtimeVoice
import RealtimeVoiceTesting

/// `realtime replay`.
struct ReplayCommand {
    var options: ReplayOptions
    var terminal: Terminal

    /// Replays each file.
    func run() throws -> ExitCode {
        .success
    }
}
