import Foundation
import RealtimeVoice
import Synchronization

/// Owns one session's machine and performs its actions: hears, asks, speaks, sends.
///
/// Everything that happens goes through one mailbox, in order, and is taken out by one task, off
/// the socket's thread. Decoding and synthesis run on the engines' own queues.
actor VoiceSession {
    /// What the session needs of the server and of its socket.
    struct Links: Sendable {
        var engines: SpeechEngines
        var responder: any Responder
        var send: @Sendable (JSONValue) -> Void
        var close: @Sendable (_ code: Int, _ reason: String) -> Void
        /// Called when the mailbox has room again after ``VoiceSession/received(_:)`` said no.
        var hasRoom: @Sendable () -> Void
        var onClientEvent: (@Sendable (String, JSONValue) -> Void)?
    }

    private enum Mail: Sendable {
        case frame(RealtimeFrame)
        case input(SessionMachine.Input)
        /// The alarm of this time rang.
        case alarm(milliseconds: Int)
    }

    private struct Inbox: Sendable {
        var waitingBytes = 0
        var isOver = false
    }

    private static let mailboxLimit = 4 << 20

    nonisolated let id: String
    private nonisolated let mailbox: AsyncStream<Mail>.Continuation
    private nonisolated let inbox = Mutex(Inbox())
    private let mails: AsyncStream<Mail>
    private let links: Links
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var machine: SessionMachine
    private var turns: [String: any SpeechRecognitionTurn] = [:]
    /// Turns whose words are still being found.
    private var finishing: [String: any SpeechRecognitionTurn] = [:]
    private var answers: [String: Task<Void, Never>] = [:]
    private var alarm: (milliseconds: Int, task: Task<Void, Never>)?

    init(machine: SessionMachine, links: Links) {
        self.id = machine.sessionID
        self.machine = machine
        self.links = links
        start = ContinuousClock().now
        (mails, mailbox) = AsyncStream.makeStream()
    }

    /// Takes a message of the client, from any thread; false where the mailbox is full and
    /// nothing more should be read.
    nonisolated func received(_ frame: RealtimeFrame) -> Bool {
        let total = inbox.withLock { inbox in
            inbox.waitingBytes += frame.bytes.count
            return inbox.waitingBytes
        }
        mailbox.yield(.frame(frame))
        return total < Self.mailboxLimit
    }

    /// The socket is over: nothing is sent any more.
    nonisolated func ended() {
        inbox.withLock { $0.isOver = true }
        mailbox.finish()
    }

    /// Lives until the socket is over.
    func run() async {
        perform(machine.handle(.opened, now: now))
        for await mail in mails {
            // What is still in the mailbox is for nobody.
            if inbox.withLock({ $0.isOver }) { break }
            switch mail {
            case .frame(let frame): take(frame)
            case .input(let input):
                if case .heard(let item, _) = input { finishing[item] = nil }
                perform(machine.handle(input, now: now))
            case .alarm(let milliseconds):
                // One that was replaced may still ring.
                guard alarm?.milliseconds == milliseconds else { continue }
                alarm = nil
                perform(machine.handle(.timePassed, now: max(now, milliseconds)))
            }
        }
        alarm?.task.cancel()
        for answer in answers.values { answer.cancel() }
        for turn in turns.values { turn.cancel() }
        for turn in finishing.values { turn.cancel() }
        (answers, turns, finishing) = ([:], [:], [:])
    }

    private var now: Int {
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private func take(_ frame: RealtimeFrame) {
        if let event = try? JSONValue(parsing: frame.bytes) {
            if let onClientEvent = links.onClientEvent {
                onClientEvent(id, Self.withoutAudio(event))
            }
            perform(machine.handle(.received(event), now: now))
        } else {
            perform(machine.handle(.receivedGarbage, now: now))
        }
        let hasRoom = inbox.withLock { inbox in
            let before = inbox.waitingBytes
            inbox.waitingBytes -= frame.bytes.count
            return before >= Self.mailboxLimit && inbox.waitingBytes < Self.mailboxLimit
        }
        if hasRoom { links.hasRoom() }
    }

    /// The event with every text of an `audio` member replaced by its length.
    private static func withoutAudio(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .int, .double, .string: return value
        case .array(let elements): return .array(elements.map(withoutAudio))
        case .object(let members):
            var members = members.mapValues(withoutAudio)
            if let audio = members["audio"]?.stringValue {
                members["audio"] = .string("(\(audio.utf8.count) characters)")
            }
            return .object(members)
        }
    }

    // MARK: Acting

    private func perform(_ actions: [SessionMachine.Action]) {
        for action in actions { perform(action) }
        setAlarm()
    }

    private func perform(_ action: SessionMachine.Action) {
        switch action {
        case .send(let event): links.send(event)
        case .close(let code, let reason): links.close(code, reason)
        case .beginHearing(let item):
            turns[item] = links.engines.recognizer.startTurn { [mailbox] text in
                mailbox.yield(.input(.heardPartial(item: item, text: text)))
            }
        case .hear(let item, let samples): turns[item]?.append(samples)
        case .tellPause(let item): turns[item]?.speechPaused()
        case .tellResume(let item): turns[item]?.speechResumed()
        case .dropHearing(let item): turns.removeValue(forKey: item)?.cancel()
        case .finishHearing(let item): finishHearing(item)
        case .ask(let response, let options, let history): ask(response, options, history)
        case .stopAsking(let response): answers.removeValue(forKey: response)?.cancel()
        case .synthesize(let response, let text, let options):
            synthesize(response, text, options)
        }
    }

    private func finishHearing(_ item: String) {
        guard let turn = turns.removeValue(forKey: item) else { return }
        finishing[item] = turn
        Task { [mailbox] in
            let text = try? await turn.finish()
            mailbox.yield(.input(.heard(item: item, text: text)))
        }
    }

    private func ask(
        _ response: String,
        _ options: ResponseOptions,
        _ history: [ResponderMessage]
    ) {
        let request = ResponderRequest(
            instructions: options.instructions, history: history, tools: options.definitions,
            toolChoice: options.choice, now: Date())
        answers[response] = Task { [mailbox, responder = links.responder] in
            var failure: String?
            do throws(RealtimeError) {
                try await responder.respond(to: request) { output in
                    mailbox.yield(.input(.answered(response: response, output)))
                }
            } catch {
                failure = error.message
            }
            mailbox.yield(.input(.answerEnded(response: response, failure: failure)))
        }
    }

    private func synthesize(_ response: String, _ text: String, _ options: ResponseOptions) {
        Task { [mailbox, synthesizer = links.engines.synthesizer] in
            let speech = try? await synthesizer.synthesize(
                text, voice: options.voiceName, speed: options.speed)
            let sentence = speech.map { OutputConverter.sentence($0, as: options.format) }
            mailbox.yield(.input(.spoke(response: response, sentence)))
        }
    }

    private func setAlarm() {
        guard alarm?.milliseconds != machine.nextWake else { return }
        alarm?.task.cancel()
        alarm = machine.nextWake.map { milliseconds in
            let deadline = start.advanced(by: .milliseconds(milliseconds))
            let task = Task { [mailbox] in
                // A cancelled alarm throws, and rings not.
                guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else {
                    return
                }
                mailbox.yield(.alarm(milliseconds: milliseconds))
            }
            return (milliseconds, task)
        }
    }
}
