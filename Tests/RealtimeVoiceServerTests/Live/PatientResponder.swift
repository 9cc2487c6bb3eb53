import RealtimeVoice
import RealtimeVoiceServer
import Synchronization

/// Answers as the built-in responder does; from the second answer on, not before it may.
///
/// So a player has told how far it had come before the next answer's audio is there, which an
/// answer out of this process would otherwise beat now and then.
final class PatientResponder: Responder {
    private struct State {
        var count = 0
        var mayAnswer = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let name = "a patient one"
    private let base = BuiltInResponder()
    private let state = Mutex(State())

    /// Lets the second answer, and all that follow, begin.
    func proceed() {
        let waiters = state.withLock { state in
            state.mayAnswer = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func respond(
        to request: ResponderRequest, emit: @escaping @Sendable (ResponderOutput) -> Void
    ) async throws(RealtimeError) {
        await withCheckedContinuation { continuation in
            let mayAnswer = state.withLock { state in
                state.count += 1
                if state.count == 1 || state.mayAnswer { return true }
                state.waiters.append(continuation)
                return false
            }
            if mayAnswer { continuation.resume() }
        }
        try await base.respond(to: request, emit: emit)
    }
}
