/// Gives the turns of a wire that has neither ids nor events for them an order and a name.
///
/// A provider's frame is never refused: a key of the wrong kind is a `custom` event, a
/// cancelled or finished turn that ends twice is dropped, and content between an interruption
/// and the end of the turn that it cut is dropped, as nobody should hear it.
struct GoogleConversation {
    /// Whether turns never end (live translation): nothing is accumulated then.
    let isContinuous: Bool
    /// Whether each piece of the user's transcript is an utterance (live transcription).
    let transcribesUtterances: Bool

    var turn: GoogleTurn?
    var user: GoogleUserTurn?
    var calls = GoogleCalls()
    /// The item that new ones stand behind.
    var lastItemID: String?
    /// The response that a usage report belongs to which comes after its end.
    private var lastResponseID: String?

    private var responseCount = 0
    private var itemCount = 0
    private var inputCount = 0

    /// Whether content still belongs to the turn that was cut.
    private var isDiscarding = false
    /// Whether the user spoke since the cut, so that content now can only be an answer to it.
    private var hasHeardSinceCut = false
    /// Whether the end of a cut turn is still to come.
    private var isCutEndDue = false
    /// What the client sent that the model answers of itself, and has not begun to.
    private(set) var pendingAnswer: PendingAnswer?

    /// What the model owes an answer to.
    enum PendingAnswer {
        case speech
        case message
    }

    init(isContinuous: Bool = false, transcribesUtterances: Bool = false) {
        self.isContinuous = isContinuous
        self.transcribesUtterances = transcribesUtterances
    }

    // MARK: The client's side

    /// The client sent what the model answers of itself.
    mutating func sentPrompt(_ prompt: PendingAnswer) {
        pendingAnswer = prompt
        isDiscarding = false
    }

    /// The client answered a call; within a turn the model just goes on with that turn.
    mutating func sentToolOutput() {
        if turn == nil { sentPrompt(.message) }
    }

    /// The client asks for a response; false where one is on its way for what it sent before.
    mutating func requestResponse() -> Bool {
        guard pendingAnswer == nil else {
            pendingAnswer = nil
            return false
        }
        sentPrompt(.message)
        return true
    }

    /// The client takes back what it asked for.
    mutating func cancelPending() {
        pendingAnswer = nil
    }

    /// A new turn of the user's begins: what is transcribed from now on isn't the old one's.
    mutating func sealInput() {
        user?.isSealed = true
        turn?.hasInput = true
    }

    // MARK: The server's side

    mutating func receive(
        _ content: GoogleContent, usage: inout RealtimeUsage?, into events: inout GoogleEvents
    ) {
        let ends = content.endsTurn
        if content.isInterrupted {
            interrupt(endsToo: content.isTurnComplete || ends, usage: &usage, into: &events)
        }
        receiveInput(content, into: &events)
        // 3.1 opens a turn with an empty object, whatever became of the one before.
        if content.isEmpty { isDiscarding = false }
        if content.hasOutput, !content.isInterrupted {
            if isDiscarding, hasHeardSinceCut { isDiscarding = false }
            if !isDiscarding { receiveOutput(content, into: &events) }
        }
        // A call has to be answered, whatever became of the words around it.
        for case .functionCall(let call) in content.parts { receiveCall(call, into: &events) }
        for name in content.others { events.addCustom(name) }
        if content.isGenerationComplete, !isDiscarding { closeContents(into: &events) }
        if content.isTurnComplete || ends {
            receiveEnd(content, ends: ends, usage: &usage, into: &events)
        } else if content.interactionStatus != nil {
            events.addCustom("interactionStatus")
        }
    }

    private mutating func receiveOutput(_ content: GoogleContent, into events: inout GoogleEvents) {
        for part in content.parts {
            switch part {
            case .audio(let data, let format): addAudio(data, format, into: &events)
            case .text(let text): addText(text, into: &events)
            case .thought(let text): addThought(text, into: &events)
            case .functionCall: break
            case .other(let name):
                openTurn(into: &events)
                events.addCustom(name)
            }
        }
        if let transcription = content.outputTranscription {
            addTranscript(transcription, into: &events)
        }
    }

    /// Opens a turn where none is open, and closes what the user said before it.
    mutating func openTurn(into events: inout GoogleEvents) {
        completeUser(into: &events)
        guard turn == nil else { return }
        let hasInput = pendingAnswer == .message || user.map { !$0.isSealed } ?? false
        let opened = GoogleTurn(
            responseID: "resp_\(responseCount)", precedingItemID: lastItemID,
            hasInput: hasInput)
        responseCount += 1
        turn = opened
        lastResponseID = opened.responseID
        pendingAnswer = nil
        isDiscarding = false
        isCutEndDue = false
        events.add(
            .responseCreated(
                responseID: opened.responseID, isOutOfBand: false, metadata: [:], raw: events.raw))
    }

    /// The message that content goes to, opened where it isn't.
    mutating func openMessage(into events: inout GoogleEvents) -> String {
        if let message = turn?.message, user?.isCompleted ?? true { return message.itemID }
        openTurn(into: &events)
        if let message = turn?.message { return message.itemID }
        let itemID = "item_\(itemCount)"
        itemCount += 1
        turn?.message = GoogleTurn.Message(itemID: itemID)
        lastItemID = itemID
        let item = RealtimeItem(
            id: itemID, kind: .message(role: "assistant", content: []), status: "in_progress")
        events.add(
            .outputItemAdded(responseID: turn?.responseID ?? "", item, raw: events.raw))
        return itemID
    }

    func contentID(_ itemID: String, _ index: Int) -> RealtimeContentID {
        RealtimeContentID(responseID: turn?.responseID, itemID: itemID, contentIndex: index)
    }

    // MARK: Ends

    private mutating func interrupt(
        endsToo: Bool, usage: inout RealtimeUsage?, into events: inout GoogleEvents
    ) {
        completeUser(into: &events)
        sealInput()
        events.add(.interrupted(responseID: turn?.responseID, raw: events.raw))
        isDiscarding = turn != nil && !endsToo
        isCutEndDue = !endsToo
        hasHeardSinceCut = false
        guard turn != nil else { return }
        finishTurn(.cancelled, reason: "interrupted", usage: &usage, into: &events)
    }

    private mutating func receiveEnd(
        _ content: GoogleContent, ends: Bool, usage: inout RealtimeUsage?,
        into events: inout GoogleEvents
    ) {
        completeUser(into: &events)
        sealInput()
        let endsCut = isDiscarding || (isCutEndDue && turn == nil) || content.isInterrupted
        isDiscarding = false
        isCutEndDue = false
        guard !endsCut else { return }
        let outcome = GoogleOutcome(reason: content.turnCompleteReason)
        guard ends else {
            closeMessage(status: "completed", into: &events)
            events.addCustom("interactionStatus")
            return
        }
        // An empty turn is told only where somebody waits for it, or where it has a reason.
        if turn == nil, pendingAnswer != nil || outcome.status != .completed {
            openTurn(into: &events)
        }
        guard turn != nil else { return }
        finishTurn(
            outcome.status, reason: outcome.reason, error: outcome.error, usage: &usage,
            into: &events)
    }

    private mutating func finishTurn(
        _ status: RealtimeResponse.Status, reason: String?, error: RealtimeError? = nil,
        usage: inout RealtimeUsage?, into events: inout GoogleEvents
    ) {
        closeMessage(
            status: status == .completed ? "completed" : "incomplete",
            tellsText: status != .cancelled, into: &events)
        guard let turn else { return }
        let response = RealtimeResponse(
            id: turn.responseID, status: status, reason: reason, error: error, usage: usage,
            output: turn.output)
        usage = nil
        self.turn = nil
        events.add(.responseDone(response, raw: events.raw))
    }

    /// Tells usage that no finished response took.
    func report(_ usage: RealtimeUsage, into events: inout GoogleEvents) {
        let responseID = turn?.responseID ?? lastResponseID
        events.add(.usage(usage, responseID: responseID, raw: events.raw))
    }

    // MARK: What the user said

    private mutating func receiveInput(_ content: GoogleContent, into events: inout GoogleEvents) {
        if let interim = content.interimInputTranscription?["text"]?.stringValue,
            !interim.isEmpty
        {
            openUser(into: &events)
            guard var open = user else { return }
            open.hasInterim = true
            user = open
            let text = (open.transcript + interim).trimmingFirstSpace
            events.add(
                .inputTranscriptionDelta(
                    open.contentID, text: text, mode: .replace, raw: events.raw))
        }
        guard let transcription = content.inputTranscription else { return }
        if let text = transcription["text"]?.stringValue, !text.isEmpty {
            hear(text, into: &events)
        }
        if transcription["finished"] == .bool(true) {
            completeUser(into: &events)
            user?.isSealed = true
        }
    }

    private mutating func hear(_ text: String, into events: inout GoogleEvents) {
        hasHeardSinceCut = true
        openUser(into: &events)
        guard var open = user else { return }
        let delta = open.hasText ? text : text.trimmingFirstSpace
        open.hasText = true
        if open.hasInterim {
            open.transcript += delta
            open.hasInterim = false
            events.add(
                .inputTranscriptionDelta(
                    open.contentID, text: open.transcript, mode: .replace, raw: events.raw))
        } else {
            if !isContinuous { open.transcript += delta }
            events.add(
                .inputTranscriptionDelta(
                    open.contentID, text: delta, mode: .append, raw: events.raw))
        }
        user = open
        if transcribesUtterances {
            completeUser(into: &events)
            user?.isSealed = true
        } else if open.isCompleted {
            tellTranscript(into: &events)
        }
    }

    /// Makes an item for a new turn of the user's, where the words don't belong to the old one.
    private mutating func openUser(into events: inout GoogleEvents) {
        if let user, !user.isSealed { return }
        completeUser(into: &events)
        var opened = GoogleUserTurn(itemID: "input_\(inputCount)")
        inputCount += 1
        var precedingItemID = lastItemID
        if let turn, !turn.hasInput {
            // The answer has begun, but these are the words that it answers.
            precedingItemID = turn.precedingItemID
            opened.isCompleted = !isContinuous
            self.turn?.hasInput = true
        }
        if lastItemID == precedingItemID { lastItemID = opened.itemID }
        user = opened
        let item = RealtimeItem(
            id: opened.itemID,
            kind: .message(role: "user", content: [.audio(transcript: nil)]))
        let placement = precedingItemID.map { RealtimeItemPlacement.after($0) } ?? .first
        events.add(.conversationItemAdded(item, placement: placement, raw: events.raw))
    }

    private mutating func completeUser(into events: inout GoogleEvents) {
        guard let user, !user.isCompleted, !isContinuous else { return }
        self.user?.isCompleted = true
        tellTranscript(into: &events)
    }

    private func tellTranscript(into events: inout GoogleEvents) {
        guard let user else { return }
        events.add(
            .inputTranscriptionCompleted(
                user.contentID, transcript: user.transcript, isFinal: true, usage: nil,
                raw: events.raw))
    }
}

extension String {
    /// The text without one leading space: transcripts begin with the gap before the word.
    var trimmingFirstSpace: String {
        hasPrefix(" ") ? String(dropFirst()) : self
    }
}
