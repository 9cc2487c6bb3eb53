import Foundation
import RealtimeVoice
import Synchronization

extension TalkRunner {
    /// Something happened on the connection.
    func take(_ update: RealtimeUpdate, _ connection: RealtimeConnection) {
        guard state.withLock({ $0.ending == nil }) else { return }
        switch update {
        case .status(.failed(let error)): end(.lost(error))
        case .status: break
        case .event(let event):
            take(event, now: now)
        case .activity: break
        case .messagesChanged: show(connection.messages)
        case .interruption(let interruption): stopPlayer(interruption, connection)
        case .failure(let error): report(error)
        @unknown default: break
        }
    }

    private func take(_ event: RealtimeServerEvent, now: Duration) {
        state.withLock { state in
            state.taking.received(event, now: now)
            switch event {
            case .responseDone(let response, _):
                state.summary.inputTokens += response.usage?.input.total ?? 0
                state.summary.outputTokens += response.usage?.output.total ?? 0
                state.summary.toolCalls += response.output.count { item in
                    if case .functionCall = item.kind { true } else { false }
                }
                state.presenter.tell(
                    "response.done",
                    [
                        "response": .string(response.id),
                        "status": .string(response.status.rawValue),
                        "reason": response.reason.map(JSONValue.string) ?? .null,
                    ], at: now)
            case .speechStarted: state.presenter.tell("speech.started", [:], at: now)
            case .speechStopped: state.presenter.tell("speech.stopped", [:], at: now)
            default: break
            }
        }
        if case .responseDone(let response, _) = event, let error = response.error {
            report(error)
        }
    }

    private func show(_ messages: [UIMessage]) {
        let now = now
        state.withLock { $0.presenter.show(messages, at: now) }
    }

    /// Speech was cut off: the player stops, and tells how far it had come.
    private func stopPlayer(
        _ interruption: RealtimeInterruption, _ connection: RealtimeConnection
    ) {
        let now = now
        let position = state.withLock { state in
            state.summary.interruptions += 1
            return state.player.stop(items: interruption.itemIDs, now: now) ?? 0
        }
        do throws(RealtimeError) {
            try connection.playbackInterrupted(playedMilliseconds: position)
        } catch {
            if error.code != .notConnected { report(error) }
        }
        let messages = connection.messages
        state.withLock { state in
            var text = "the answer stopped after \(position) ms were heard"
            var members: [String: JSONValue] = [
                "cause": .string(interruption.cause.rawValue),
                "items": .array(interruption.itemIDs.map(JSONValue.string)),
                "playedMilliseconds": .int(position),
            ]
            if let start = state.bargeInStart {
                let delay = (now - start).milliseconds
                text += ", \(delay) ms after the user began to speak"
                members["stoppedAfterMilliseconds"] = .int(delay)
                state.bargeInStart = nil
            }
            state.presenter.show("interruption", "interrupted", text, members, at: now)
            state.presenter.cut(messages, at: now)
        }
    }

    /// The last lines, and the numbers that are known only now.
    func finish(_ connection: RealtimeConnection) {
        let messages = connection.messages
        let rate = Double(UserTurn.rate)
        state.withLock { state in
            state.presenter.settle(messages, at: state.end)
            for (index, times) in state.taking.times.enumerated() {
                state.summary.turns[index].times = times
            }
            let heard = state.player.everythingHeard(now: state.end)
            state.summary.heardSeconds = Double(heard.reduce(0) { $0 + $1.samples.count }) / rate
            state.summary.receivedSeconds = Double(state.player.receivedSamples) / rate
            state.summary.gaps = state.player.gaps
            state.presenter.show(state.summary, at: state.end)
        }
    }
}
