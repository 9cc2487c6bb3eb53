import RealtimeVoice

/// Decides who speaks: feeds the microphone, notices when a turn was answered, and begins the
/// next.
///
/// The microphone's time is the number of samples that it gave; at each tick it gives as many as
/// have become due. A turn is over when a response to it ended, no other one is under way or
/// expected, and the player has played it all; or when nothing happens for a while.
///
/// Bad input is harmless: an event of a response that is not known changes nothing.
struct TurnTaking {
    /// How turns are taken.
    struct Rules: Equatable {
        /// The app ends turns itself.
        var pushesToTalk = false
        /// When to speak over an answer, after its first audio.
        var bargeInAfter: Duration?
        /// The silence before the first turn and behind an answer.
        var pause = Duration.milliseconds(400)
        /// What belongs to an answer may come so long behind its last event.
        var quiet = Duration.milliseconds(80)
        /// After so long without an event, a turn is given up.
        var patience = Duration.seconds(15)
    }

    /// What is to be done.
    enum Action: Equatable {
        /// Send these samples of a turn, then so many of silence.
        case sendSpeech(turn: Int, range: Range<Int>, silence: Int)
        case sendSilence(Int)
        case commitTurn
        case stopAnswer
        case turnBegan(Int)
        case speechEnded(Int)
        case turnOver(Int, wasAnswered: Bool)
        case finish
    }

    /// What was measured of a turn.
    struct Times: Equatable {
        var began: Duration?
        var speechEnded: Duration?
        var firstOutput: Duration?
        var firstHeard: Duration?
        var wasAnswered = false
        var wasInterrupted = false
    }

    private enum Phase: Equatable {
        case pausing(until: Duration)
        case speaking(offset: Int)
        case awaiting
        case finished
    }

    static let rate = 24_000
    /// The length of a piece of the microphone's audio: 20 ms.
    static let chunk = 480

    private(set) var times: [Times]
    /// The samples that the microphone gave.
    private(set) var microphoneSamples = 0
    private let lengths: [Int]
    private let rules: Rules
    private var phase: Phase
    private var turn = -1
    private var active: Set<String> = []
    /// Responses that began before the present turn was spoken to its end.
    private var stale: Set<String> = []
    private var expectsFollowUp = false
    private var lastEvent = Duration.zero

    init(lengths: [Int], rules: Rules) {
        self.lengths = lengths
        self.rules = rules
        times = lengths.map { _ in Times() }
        phase = .pausing(until: rules.pause)
    }

    /// Whether silence is sent, too.
    var isMicrophoneOpen: Bool { !rules.pushesToTalk }

    // MARK: Time

    /// Time went on.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isPlayerIdle: Whether the player has nothing left.
    ///   - firstHeard: When the answer that is audible began to be heard.
    /// - Returns: What is to be done, in order.
    mutating func ticked(
        now: Duration, isPlayerIdle: Bool, firstHeard: Duration?
    ) -> [Action] {
        var actions: [Action] = []
        noteHeard(firstHeard)
        switch phase {
        case .pausing(let moment):
            if now >= moment { begin(now: now, into: &actions) }
        case .speaking: break
        case .awaiting: judge(now: now, isPlayerIdle: isPlayerIdle, into: &actions)
        case .finished: return []
        }
        // After a long stall the microphone goes on from here: nobody spoke meanwhile.
        let due = now.microseconds * Self.rate / 1_000_000 / Self.chunk * Self.chunk
        while microphoneSamples + Self.chunk <= due, phase != .finished { feed(into: &actions) }
        return actions
    }

    private mutating func noteHeard(_ moment: Duration?) {
        guard times.indices.contains(turn), let moment, let end = times[turn].speechEnded,
            times[turn].firstHeard == nil, times[turn].firstOutput != nil, moment >= end
        else { return }
        times[turn].firstHeard = moment
    }

    private mutating func begin(now: Duration, into actions: inout [Action]) {
        turn += 1
        times[turn].began = now
        phase = .speaking(offset: 0)
        expectsFollowUp = false
        actions.append(.turnBegan(turn))
    }

    private mutating func feed(into actions: inout [Action]) {
        microphoneSamples += Self.chunk
        guard case .speaking(let offset) = phase else {
            actions.append(.sendSilence(Self.chunk))
            return
        }
        let end = min(offset + Self.chunk, lengths[turn])
        let silence = offset + Self.chunk - end
        actions.append(.sendSpeech(turn: turn, range: offset..<end, silence: silence))
        guard end == lengths[turn] else {
            phase = .speaking(offset: end)
            return
        }
        let moment = Duration.microseconds(
            (microphoneSamples - silence) * 1_000_000 / Self.rate)
        phase = .awaiting
        times[turn].speechEnded = moment
        lastEvent = moment
        stale = active
        actions.append(.speechEnded(turn))
        if rules.pushesToTalk { actions.append(.commitTurn) }
    }

    private mutating func judge(
        now: Duration, isPlayerIdle: Bool, into actions: inout [Action]
    ) {
        if let delay = rules.bargeInAfter, turn + 1 < lengths.count,
            let heard = times[turn].firstHeard, now >= heard + delay, !isPlayerIdle
        {
            times[turn].wasInterrupted = true
            times[turn].wasAnswered = true
            if rules.pushesToTalk { actions.append(.stopAnswer) }
            begin(now: now, into: &actions)
            return
        }
        if !isPlayerIdle {
            lastEvent = max(lastEvent, now)
            return
        }
        let isQuiet = now - lastEvent >= rules.quiet
        if times[turn].wasAnswered, active.isEmpty, !expectsFollowUp, isQuiet {
            end(now: now, into: &actions)
        } else if now - lastEvent > rules.patience {
            active = []
            end(now: now, into: &actions)
        }
    }

    private mutating func end(now: Duration, into actions: inout [Action]) {
        actions.append(.turnOver(turn, wasAnswered: times[turn].wasAnswered))
        if turn + 1 < lengths.count {
            phase = .pausing(until: now + rules.pause)
        } else {
            phase = .finished
            actions.append(.finish)
        }
    }

    // MARK: Events

    /// The provider told something.
    mutating func received(_ event: RealtimeServerEvent, now: Duration) {
        lastEvent = now
        switch event {
        case .responseCreated(let id, let isOutOfBand, _, _):
            if !isOutOfBand { active.insert(id) }
        case .responseDone(let response, _):
            guard active.remove(response.id) != nil else { return }
            ended(response)
        case .audioDelta(let content, _, _, _), .textDelta(let content, _, _):
            noteOutput(content, now: now)
        default: break
        }
    }

    private mutating func noteOutput(_ content: RealtimeContentID, now: Duration) {
        guard phase == .awaiting, times[turn].firstOutput == nil,
            !stale.contains(content.responseID ?? "")
        else { return }
        times[turn].firstOutput = now
    }

    private mutating func ended(_ response: RealtimeResponse) {
        let calls = response.output.contains { item in
            if case .functionCall = item.kind { true } else { false }
        }
        expectsFollowUp = response.status == .completed && calls
        // A response to half a turn, or to the turn before, is cancelled by speech and followed
        // by another one.
        let isAnswer = response.status != .cancelled && !stale.contains(response.id)
        if phase == .awaiting, isAnswer { times[turn].wasAnswered = true }
    }
}
