import Foundation
import RealtimeVoice
import Synchronization

/// Holds one conversation: all that happens reaches it on one queue, in order, so that the
/// microphone, the player and the events share one time.
final class TalkRunner: Sendable {
    /// Why a conversation ended.
    enum Ending: Equatable {
        case completed
        case signal(Int32)
        case lost(RealtimeError)
    }

    struct State {
        var taking: TurnTaking
        var player = SimulatedPlayer()
        var tape = ConversationTape()
        var presenter: TalkPresenter
        var summary: TalkSummary
        var lastProviderError: RealtimeError?
        var bargeInStart: Duration?
        var ending: Ending?
        var end = Duration.zero
        var waiter: CheckedContinuation<Void, Never>?
    }

    let turns: [UserTurn]
    let state: Mutex<State>
    private let queue = DispatchQueue(label: "realtime.talk", qos: .userInteractive)
    private let clock = Mutex(ContinuousClock.now)

    init(turns: [UserTurn], rules: TurnTaking.Rules, isText: Bool, presenter: TalkPresenter) {
        self.turns = turns
        let summary = TalkSummary(
            turns: turns.map {
                TalkSummary.Turn(
                    label: $0.label,
                    spokenSeconds: Double($0.samples.count) / Double(UserTurn.rate),
                    times: TurnTaking.Times())
            }, isText: isText)
        state = Mutex(
            State(
                taking: TurnTaking(lengths: turns.map(\.samples.count), rules: rules),
                presenter: presenter, summary: summary))
    }

    /// The time since the session was ready.
    var now: Duration { clock.withLock { $0 }.duration(to: .now) }

    /// Holds the conversation to its end.
    func run(_ connection: RealtimeConnection) async {
        clock.withLock { $0 = .now }
        let listeners = [listen(connection), play(connection)]
        let metronome = Metronome(queue: queue) { [weak self, weak connection] in
            guard let self, let connection else { return }
            self.tick(connection)
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let hasEnded = state.withLock { state in
                if state.ending != nil { return true }
                state.waiter = continuation
                return false
            }
            if hasEnded { continuation.resume() }
        }
        metronome.stop()
        for listener in listeners { listener.cancel() }
        finish(connection)
    }

    /// Ends the conversation; only the first call counts.
    func end(_ ending: Ending) {
        let now = now
        let waiter = state.withLock { state in
            guard state.ending == nil else { return CheckedContinuation<Void, Never>?.none }
            state.ending = ending
            state.end = now
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// The server in this process got an event of the client's.
    func serverSaw(_ event: JSONValue) {
        queue.async { [self] in
            let type = event["type"]?.stringValue ?? ""
            guard
                ["conversation.item.truncate", "conversation.item.delete", "response.cancel"]
                    .contains(type)
            else { return }
            let now = now
            let item = event["item_id"]?.stringValue.map { " of \($0)" } ?? ""
            let end = event["audio_end_ms"]?.intValue.map { " at \($0) ms" } ?? ""
            state.withLock {
                $0.presenter.show(
                    "server.saw", "server saw", type + item + end, ["event": event], at: now)
            }
        }
    }

    // MARK: Input

    private func listen(_ connection: RealtimeConnection) -> Task<Void, Never> {
        let updates = connection.updates
        return Task { [weak self] in
            for await update in updates {
                guard let self else { return }
                self.queue.async { self.take(update, connection) }
            }
        }
    }

    private func play(_ connection: RealtimeConnection) -> Task<Void, Never> {
        Task { [weak self] in
            for await chunk in connection.audioOutput {
                guard let self else { return }
                self.queue.async { self.enqueue(chunk) }
            }
        }
    }

    private func enqueue(_ chunk: RealtimeAudioChunk) {
        var samples = PCM16.samples(chunk.data)
        let rate = chunk.format.samplesPerSecond
        if rate != UserTurn.rate,
            var resampler = try? AudioResampler(from: rate, to: UserTurn.rate)
        {
            samples = PCM16.samples(
                resampler.process(PCM16.floats(samples)) + resampler.flush())
        }
        let now = now
        state.withLock { $0.player.enqueue(samples, of: chunk.content, now: now) }
    }

    private func tick(_ connection: RealtimeConnection) {
        let now = now
        let actions = state.withLock { state in
            guard state.ending == nil else { return [TurnTaking.Action]() }
            return state.taking.ticked(
                now: now, isPlayerIdle: state.player.isIdle(now: now),
                firstHeard: state.player.rowStart)
        }
        for action in actions { perform(action, connection, now: now) }
    }

    // MARK: Output

    private func perform(
        _ action: TurnTaking.Action, _ connection: RealtimeConnection, now: Duration
    ) {
        switch action {
        case .sendSpeech(let turn, let range, let silence):
            let speech = turns[turn].samples[range]
            send(Array(speech) + [Int16](repeating: 0, count: silence), connection)
        case .sendSilence(let count):
            let samples = [Int16](repeating: 0, count: count)
            if state.withLock({ $0.taking.isMicrophoneOpen }) {
                send(samples, connection)
            } else {
                state.withLock { $0.tape.recorded(samples) }
            }
        case .commitTurn:
            attempt { () throws(RealtimeError) in
                try connection.commitAudio()
                try connection.requestResponse()
            }
        case .stopAnswer: attempt { () throws(RealtimeError) in try connection.cancelResponse() }
        case .turnBegan(let turn): show(turn, isBargeIn: isSpeakingOver(turn), now: now)
        case .speechEnded(let turn):
            state.withLock {
                $0.presenter.tell("turn.ended", ["turn": .int(turn + 1)], at: now)
            }
        case .turnOver(let turn, let wasAnswered):
            let messages = connection.messages
            state.withLock { state in
                state.presenter.settle(messages, at: now)
                guard !wasAnswered else { return }
                state.presenter.show(
                    "turn.unanswered", "note", "turn \(turn + 1) was not answered",
                    ["turn": .int(turn + 1)], at: now)
            }
        case .finish: end(.completed)
        }
    }

    private func send(_ samples: [Int16], _ connection: RealtimeConnection) {
        state.withLock { state in
            state.tape.recorded(samples)
            state.summary.sentSeconds += Double(samples.count) / Double(UserTurn.rate)
        }
        attempt { () throws(RealtimeError) in
            try connection.sendAudio(
                PCM16.data(samples), from: AudioSourceFormat(rate: UserTurn.rate))
        }
    }

    private func attempt(_ call: () throws(RealtimeError) -> Void) {
        do throws(RealtimeError) {
            try call()
        } catch {
            // The end of the connection is told by its status.
            if error.code != .notConnected { report(error) }
        }
    }

    private func isSpeakingOver(_ turn: Int) -> Bool {
        state.withLock { turn > 0 && $0.taking.times[turn - 1].wasInterrupted }
    }

    private func show(_ turn: Int, isBargeIn: Bool, now: Duration) {
        state.withLock { state in
            if isBargeIn { state.bargeInStart = now }
            state.presenter.show(
                "turn.began", isBargeIn ? "barge-in" : "turn \(turn + 1)", turns[turn].label,
                [
                    "turn": .int(turn + 1), "label": .string(turns[turn].label),
                    "bargeIn": .bool(isBargeIn),
                ], at: now)
        }
    }

    func report(_ error: RealtimeError) {
        let now = now
        state.withLock { state in
            state.summary.errors += 1
            state.lastProviderError = error
            state.presenter.complain(error, at: now)
        }
    }
}
