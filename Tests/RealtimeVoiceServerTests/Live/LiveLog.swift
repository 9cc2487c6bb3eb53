import RealtimeVoice
import Synchronization

/// Keeps what happened on a connection, in order, and lets tests wait for it.
final class LiveLog: Sendable {
    /// One answer's words and sound, as they came in.
    struct Answer: Sendable {
        var item: String
        var text = ""
        /// The words with the milliseconds of sound that had come before each.
        var words: [(text: String, start: Int)] = []
        var bytes = 0
        /// The sound that had come when the answer was interrupted.
        var bytesAtInterruption: Int?
        var isDone = false
        var status: RealtimeResponse.Status?

        var milliseconds: Int { bytes / 48 }
    }

    private struct State {
        /// By response.
        var answers: [String: Answer] = [:]
        /// The responses in their order.
        var order: [String] = []
        var truncated: [String] = []
        var failures: [RealtimeError] = []
        var hasEnded = false
        var waiters: [(condition: Condition, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private typealias Condition = @Sendable ([Answer], [String]) -> Bool

    private let state = Mutex(State())

    /// Notes down what happens until the connection ends.
    func follow(
        _ updates: RealtimeUpdates, onInterruption: @Sendable (RealtimeInterruption) -> Void
    ) async {
        for await update in updates {
            if case .interruption(let interruption) = update { onInterruption(interruption) }
            note { Self.note(update, in: &$0) }
        }
        note { $0.hasEnded = true }
    }

    private func note(_ change: (inout State) -> Void) {
        let resumed = state.withLock { state in
            change(&state)
            let answers = Self.answers(state)
            var resumed: [(CheckedContinuation<Bool, Never>, Bool)] = []
            state.waiters.removeAll { waiter in
                let isMet = waiter.condition(answers, state.truncated)
                guard isMet || state.hasEnded else { return false }
                resumed.append((waiter.continuation, isMet))
                return true
            }
            return resumed
        }
        for (continuation, isMet) in resumed { continuation.resume(returning: isMet) }
    }

    private static func answers(_ state: State) -> [Answer] {
        state.order.compactMap { state.answers[$0] }
    }

    private static func note(_ update: RealtimeUpdate, in state: inout State) {
        switch update {
        case .interruption(let interruption):
            for (response, answer) in state.answers
            where interruption.itemIDs.contains(answer.item) {
                state.answers[response]?.bytesAtInterruption = answer.bytes
            }
        case .failure(let error): state.failures.append(error)
        case .event(let event): note(event, in: &state)
        default: break
        }
    }

    private static func note(_ event: RealtimeServerEvent, in state: inout State) {
        switch event {
        case .outputItemAdded(let response, let item, _):
            if state.answers[response] == nil { state.order.append(response) }
            state.answers[response] = Answer(item: item.id)
        case .audioTranscriptDelta(let content, let delta, _, _):
            guard let response = content.responseID, let answer = state.answers[response]
            else { return }
            state.answers[response]?.words.append((delta, answer.milliseconds))
            state.answers[response]?.text += delta
        case .audioDelta(let content, let audio, _, _):
            guard let response = content.responseID else { return }
            state.answers[response]?.bytes += audio.count
        case .responseDone(let response, _):
            state.answers[response.id]?.isDone = true
            state.answers[response.id]?.status = response.status
        case .itemTruncated(let item, _, _, _, _): state.truncated.append(item)
        default: break
        }
    }

    /// The answers so far, in order.
    var answers: [Answer] { state.withLock { Self.answers($0) } }

    /// What failed without ending the connection.
    var failures: [RealtimeError] { state.withLock { $0.failures } }

    /// Waits until the answers, and the items that were truncated, are as wanted.
    ///
    /// - Returns: False where the connection ended before.
    func reaches(_ condition: @escaping @Sendable ([Answer], [String]) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let outcome: Bool? = state.withLock { state in
                if condition(Self.answers(state), state.truncated) { return true }
                if state.hasEnded { return false }
                state.waiters.append((condition, continuation))
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
