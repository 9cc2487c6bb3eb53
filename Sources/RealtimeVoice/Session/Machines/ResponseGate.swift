/// Sees to it that at most one response is asked for at a time.
///
/// The provider's turn detection is a second writer: it makes responses too, and cancels them.
/// So the gate knows three states (idle, requested, active) and, beside them, whether the user
/// holds the floor, during which the provider is about to answer by itself.
///
/// Bad input: a `created` without a request is the provider's own response; a `done` without
/// `created`, or of a response that was superseded, is harmless; a request that is neither
/// created nor refused in time is the provider's fault and frees the gate.
package struct ResponseGate: Sendable {
    /// One wish for a response.
    package struct Request: Sendable, Hashable {
        package var options: RealtimeResponseOptions
        package var eventID: String

        package init(options: RealtimeResponseOptions = .init(), eventID: String) {
            self.options = options
            self.eventID = eventID
        }

        /// Whether any response will do, so that several such wishes are one.
        var isPlain: Bool { options == RealtimeResponseOptions() }
    }

    enum State: Sendable, Hashable {
        case idle
        case requested(Request, isDiscarded: Bool, since: Duration)
        case active(id: String, request: Request?, isCancelled: Bool)
    }

    /// Who has the floor.
    enum Floor: Sendable, Hashable {
        case free
        case userSpeaks(since: Duration)
        case answerDue(since: Duration)
    }

    package enum RequestAction: Sendable, Hashable {
        case send(Request)
        case wait
        case merge
        case refuse
    }

    package enum CancelAction: Sendable, Hashable {
        case sendCancel(responseID: String)
        case remember
        case doNothing
    }

    package enum CreatedAction: Sendable, Hashable {
        case doNothing
        case sendCancel(responseID: String)
    }

    package enum FreedAction: Sendable, Hashable {
        case doNothing
        case send(Request)
    }

    /// So long may a request stay unanswered.
    package static let requestTimeout = Duration.seconds(15)
    /// So long after the end of speech may the provider take to start its own response.
    package static let answerDueTimeout = Duration.seconds(4)
    /// So long may the user be thought to speak without any word of it.
    package static let speechTimeout = Duration.seconds(60)
    private static let maximumPending = 16

    private(set) var state = State.idle
    private(set) var floor = Floor.free
    private(set) var pending: [Request] = []
    private var ended: [String] = []
    /// Since when a response runs whose id nobody told.
    private var namelessSince: Duration?

    /// Whether the provider starts responses at the end of the user's speech.
    private var providerAnswersSpeech: Bool

    package init(providerAnswersSpeech: Bool) {
        self.providerAnswersSpeech = providerAnswersSpeech
    }

    /// The running response, where its id is known.
    package var activeID: String? {
        guard case .active(let id, _, _) = state, !id.isEmpty else { return nil }
        return id
    }

    package var isIdle: Bool { state == .idle }

    /// Whether a request of ours is on its way.
    package var isRequested: Bool {
        if case .requested = state { return true }
        return false
    }

    package var isActive: Bool {
        if case .active = state { return true }
        return false
    }

    /// Whether an answer is asked for or expected, but none has begun.
    package var isWaiting: Bool {
        if case .requested = state { return true }
        if case .answerDue = floor { return state == .idle }
        return false
    }

    // MARK: Requests

    package mutating func request(_ request: Request, now: Duration) -> RequestAction {
        if request.isPlain, pending.contains(where: \.isPlain) { return .merge }
        guard pending.count < Self.maximumPending else { return .refuse }
        pending.append(request)
        guard case .send(let next) = sendNext(now: now) else { return .wait }
        return .send(next)
    }

    /// The request couldn't be sent: what waits behind it may be.
    package mutating func requestFailed(now: Duration) -> FreedAction {
        guard case .requested = state else { return .doNothing }
        state = .idle
        return sendNext(now: now)
    }

    package mutating func cancel() -> CancelAction {
        switch state {
        case .idle: return .doNothing
        case .requested(let request, _, let since):
            state = .requested(request, isDiscarded: true, since: since)
            return .remember
        case .active(let id, let request, false):
            state = .active(id: id, request: request, isCancelled: true)
            return id.isEmpty ? .doNothing : .sendCancel(responseID: id)
        case .active(_, _, true): return .doNothing
        }
    }

    /// The provider will cancel the running response by itself: no cancel of ours may follow.
    package mutating func providerCancels() {
        guard case .active(let id, let request, _) = state else { return }
        state = .active(id: id, request: request, isCancelled: true)
    }

    // MARK: What the provider tells

    /// `coversPending` tells whether everything that was asked about is in the provider's
    /// conversation, so that a response of its own answers it.
    package mutating func responseCreated(
        _ id: String, coversPending: Bool = true
    ) -> CreatedAction {
        guard !ended.contains(id) else { return .doNothing }
        switch state {
        case .idle:
            // A response of the provider's own answers what was asked for while it was due.
            if floor != .free, coversPending { pending.removeAll(where: \.isPlain) }
            state = .active(id: id, request: nil, isCancelled: false)
        case .requested(let request, let isDiscarded, _):
            // What was given up must not come back, should this turn out not to be it.
            state = .active(
                id: id, request: isDiscarded ? nil : request, isCancelled: isDiscarded)
            answerBegan()
            if isDiscarded { return .sendCancel(responseID: id) }
        case .active(let old, let request, let isCancelled):
            guard old != id else { return .doNothing }
            if old.isEmpty {
                state = .active(id: id, request: request, isCancelled: isCancelled)
            } else {
                remember(old)
                state = .active(id: id, request: nil, isCancelled: false)
            }
        }
        answerBegan()
        return .doNothing
    }

    /// An answer that was due has begun; a user who goes on speaking keeps the floor.
    private mutating func answerBegan() {
        if case .answerDue = floor { floor = .free }
    }

    /// Whether a response is over, or was superseded by a later one.
    package func hasEnded(_ id: String) -> Bool { ended.contains(id) }

    package mutating func responseDone(
        _ id: String, reason: String?, now: Duration
    ) -> FreedAction {
        let isKnown = ended.contains(id)
        remember(id)
        guard !isKnown else { return .doNothing }
        switch state {
        case .idle: return .doNothing
        case .active(let active, _, _):
            guard active == id || active.isEmpty || id.isEmpty else { return .doNothing }
        case .requested: break
        }
        state = .idle
        // The user is talking: the provider will answer that, and plain wishes with it.
        if reason == "turn_detected", providerAnswersSpeech { pending.removeAll(where: \.isPlain) }
        return sendNext(now: now)
    }

    /// The provider refused something. Frees the gate if it was the outstanding request.
    package mutating func errorReceived(
        _ error: RealtimeError, now: Duration
    ) -> FreedAction {
        let isBusy = error.providerCode == "conversation_already_has_active_response"
        switch state {
        case .requested(let request, let isDiscarded, _):
            guard error.eventID == request.eventID || error.eventID == nil && mayAnswer(error)
            else { return .doNothing }
            if isBusy {
                if !isDiscarded { askAgain(request) }
                namelessSince = now
                state = .active(id: "", request: nil, isCancelled: isDiscarded)
                return .doNothing
            }
            state = .idle
            return sendNext(now: now)
        case .active(let id, let request?, let isCancelled):
            // The response that seemed to be ours is the provider's own: ours was refused.
            guard isBusy, error.eventID == request.eventID || error.eventID == nil else {
                return .doNothing
            }
            state = .active(id: id, request: nil, isCancelled: isCancelled)
            askAgain(request)
            return .doNothing
        case .active, .idle: return .doNothing
        }
    }

    /// Keeps a refused request for later, under an id of its own, so that a late error for this
    /// try isn't taken for one of the next.
    private mutating func askAgain(_ request: Request) {
        if request.isPlain, pending.contains(where: \.isPlain) { return }
        pending.insert(Request(options: request.options, eventID: request.eventID + "r"), at: 0)
    }

    /// Whether an error that names no event may answer a request: it does unless it plainly
    /// speaks of something else.
    private func mayAnswer(_ error: RealtimeError) -> Bool {
        if BenignErrors.contains(error) || error.providerCode == "cannot_update_voice" {
            return false
        }
        let others = ["session", "item", "previous_item_id", "call_id", "audio", "content_index"]
        return !others.contains { error.parameter?.hasPrefix($0) == true }
    }

    // MARK: The user's floor

    package mutating func speechStarted(now: Duration) {
        if providerAnswersSpeech { floor = .userSpeaks(since: now) }
    }

    package mutating func speechStopped(now: Duration) {
        if case .userSpeaks = floor { floor = .answerDue(since: now) }
    }

    /// What the user is saying is thrown away: no answer to it will come. One that is due for
    /// what was said before still comes.
    package mutating func speechDropped(now: Duration) -> FreedAction {
        if case .userSpeaks = floor { floor = .free }
        return sendNext(now: now)
    }

    /// The provider's turn detection is another from now on.
    package mutating func turnDetectionChanged(
        providerAnswersSpeech: Bool, now: Duration
    ) -> FreedAction {
        self.providerAnswersSpeech = providerAnswersSpeech
        if !providerAnswersSpeech { floor = .free }
        return sendNext(now: now)
    }

    // MARK: Time

    /// When `advance(now:)` next has something to do.
    package var deadline: Duration? {
        var deadlines: [Duration] = []
        if case .requested(_, _, let since) = state {
            deadlines.append(since + Self.requestTimeout)
        }
        if let floorDeadline { deadlines.append(floorDeadline) }
        if let namelessDeadline { deadlines.append(namelessDeadline) }
        return deadlines.min()
    }

    private var namelessDeadline: Duration? {
        guard case .active("", _, _) = state, let namelessSince else { return nil }
        return namelessSince + Self.requestTimeout * 2
    }

    private var floorDeadline: Duration? {
        switch floor {
        case .free: nil
        case .userSpeaks(let since): since + Self.speechTimeout
        case .answerDue(let since): since + Self.answerDueTimeout
        }
    }

    package enum AdvanceAction: Sendable, Hashable {
        case doNothing
        case send(Request)
        case reportTimeout(Request, then: Request?)
    }

    package mutating func advance(now: Duration) -> AdvanceAction {
        if let floorDeadline, now >= floorDeadline { floor = .free }
        // The provider said that a response runs, but nothing was ever heard of it.
        if let namelessDeadline, now >= namelessDeadline { state = .idle }
        if case .requested(let request, _, let since) = state, now >= since + Self.requestTimeout {
            state = .idle
            guard case .send(let next) = sendNext(now: now) else {
                return .reportTimeout(request, then: nil)
            }
            return .reportTimeout(request, then: next)
        }
        guard case .send(let next) = sendNext(now: now) else { return .doNothing }
        return .send(next)
    }

    private mutating func sendNext(now: Duration) -> FreedAction {
        guard state == .idle, floor == .free, !pending.isEmpty else { return .doNothing }
        let next = pending.removeFirst()
        state = .requested(next, isDiscarded: false, since: now)
        return .send(next)
    }

    private mutating func remember(_ id: String) {
        guard !id.isEmpty, !ended.contains(id) else { return }
        ended.append(id)
        if ended.count > 64 { ended.removeFirst() }
    }
}

/// Errors that follow from races which nobody lost: they are events, but no failures.
package enum BenignErrors {
    private static let codes: Set<String> = [
        "response_cancel_not_active", "input_audio_buffer_commit_empty",
        "unsupported_content_type", "item_not_found", "item_truncate_invalid_item_id",
        "item_delete_invalid_item_id", "invalid_item_id",
    ]

    package static func contains(_ error: RealtimeError) -> Bool {
        if let code = error.providerCode, codes.contains(code) { return true }
        return error.message.contains("already shorter than")
            || error.message.contains("Cancellation failed")
    }
}
