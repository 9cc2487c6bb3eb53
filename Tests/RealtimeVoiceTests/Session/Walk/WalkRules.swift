@testable import RealtimeVoice

/// What a client may do, judged only by what has reached it: design.md §5 as a referee.
///
/// Told of everything in the order in which it happens at the client; keeps what is wrong.
struct WalkRules {
    /// A reason to ask for a response.
    struct Wish {
        var options: RealtimeResponseOptions
        /// False where something else may have answered it.
        var isDue = true
        /// The typed item, or the outputs, that the answer is to know.
        var needs: Set<String> = []
    }

    /// A request that is under way, with the wishes that it is for.
    struct Outstanding {
        var eventID: String?
        var wishes: [Wish]
        var isCancelled = false
    }

    struct Call {
        var responseID: String?
        var outputs = 0
        var isTakenBack = false
        var hasRun = false
    }

    enum Floor {
        case free
        case speaking
        case due(since: Duration)
    }

    let provider: WalkProvider
    let capabilities: RealtimeCapabilities
    var answersSpeech: Bool
    var interruptsAnswers: Bool
    private(set) var broken: [String] = []

    var isReady = false
    var hasTimedOut = false
    var created: [String] = []
    var ended: Set<String> = []
    var outOfBand: Set<String> = []
    /// Responses whose end was asked for, by us or by speech.
    var cancelled: Set<String> = []
    /// What an interruption silenced.
    var silenced: Set<String> = []
    var floor = Floor.free
    var wishes: [Wish] = []
    var outOfBandWishes = 0
    /// Of what waited for the session, the first request goes out alone.
    var isFirst = true
    var outstanding: Outstanding?
    /// A request that seems to have been taken up.
    var accepted: Outstanding?

    var receivedBytes: [RealtimeContentID: Int] = [:]
    var playedBytes: [RealtimeContentID: Int] = [:]
    var truncated: [String: Int] = [:]
    var knownItems: Set<String> = []
    var deletedItems: Set<String> = []
    var sentIDs: Set<String> = []
    var refusedIDs: Set<String> = []
    var calls: [String: Call] = [:]
    /// How each response with calls ended.
    var turns: [String: RealtimeResponse.Status] = [:]
    var followedUp: Set<String> = []

    init(provider: WalkProvider, capabilities: RealtimeCapabilities) {
        self.provider = provider
        self.capabilities = capabilities
        answersSpeech = provider.answersSpeech
        interruptsAnswers = provider.interruptsAnswers
    }

    mutating func fail(_ fault: String) { broken.append(fault) }

    /// A rule that only holds where no frame is lost or doubled.
    mutating func failIfReliable(_ fault: String) {
        if !provider.isUnreliable { fail(fault) }
    }

    var running: [String] { created.suffix(8).filter { !ended.contains($0) } }

    // MARK: What reaches the client

    mutating func delivered(_ event: RealtimeServerEvent, now: Duration) {
        if isReady { isFirst = false }
        switch event {
        case .sessionUpdated: isReady = true
        case .speechStarted:
            if answersSpeech { floor = .speaking }
            if interruptsAnswers { cancelled.formUnion(running) }
        case .speechStopped, .audioCommitted:
            if case .speaking = floor { floor = .due(since: now) }
        case .audioCleared: if case .speaking = floor { floor = .free }
        case .conversationItemAdded(let item, _, _):
            knownItems.insert(item.id)
            if case .functionCallOutput(let callID, _) = item.kind { knownItems.insert(callID) }
        case .responseCreated(let id, let isOutOfBand, _, _):
            if isOutOfBand { outOfBand.insert(id) } else { responseCreated(id) }
        case .audioDelta(let content, let audio, _, _):
            receivedBytes[content, default: 0] += audio.count
        case .outputItemAdded(_, let item, _): knownItems.insert(item.id)
        case .functionCallArgumentsDone(let responseID, _, let callID, _, _, _):
            guard !outOfBand.contains(responseID ?? "") else { return }
            if calls[callID] == nil { calls[callID] = Call(responseID: responseID) }
        case .toolCallCancelled(let callIDs, _):
            for callID in callIDs { calls[callID]?.isTakenBack = true }
        case .responseDone(let response, _): responseDone(response)
        case .error(let error, _): refused(error)
        default: break
        }
    }

    private mutating func responseCreated(_ id: String) {
        guard !created.contains(id) else { return }
        created.append(id)
        if let outstanding {
            accepted = outstanding
            self.outstanding = nil
            if outstanding.isCancelled { cancelled.insert(id) }
        } else if case .free = floor {
            accepted = nil
        } else {
            accepted = nil
            // It answers whatever was in the conversation when it began.
            for index in wishes.indices
            where wishes[index].isPlain && wishes[index].needs.isSubset(of: knownItems) {
                wishes[index].isDue = false
            }
        }
        // The answer to a turn is one; words that are still being said are not answered yet.
        if case .due = floor { floor = .free }
    }

    private mutating func responseDone(_ response: RealtimeResponse) {
        guard !outOfBand.contains(response.id), ended.insert(response.id).inserted else { return }
        accepted = nil
        if response.reason == "turn_detected", answersSpeech {
            for index in wishes.indices where wishes[index].isPlain { wishes[index].isDue = false }
        }
        guard calls.values.contains(where: { $0.responseID == response.id }) else { return }
        turns[response.id] = response.status
        turnMayBeComplete(response.id)
    }

    private mutating func refused(_ error: RealtimeError) {
        let isBusy = error.providerCode == "conversation_already_has_active_response"
        let isForCreate = isBusy || error.message == "a request that is refused"
        guard isForCreate, let refused = outstanding ?? accepted else { return }
        if outstanding != nil { outstanding = nil } else { accepted = nil }
        // A refusal for another reason is told to the app, and that is the end of it.
        if isBusy, let eventID = refused.eventID { refusedIDs.insert(eventID) }
        if isBusy, !refused.isCancelled { wishes = refused.wishes + wishes }
    }

    /// A turn with calls is followed up once all are answered, if it was completed.
    private mutating func turnMayBeComplete(_ responseID: String) {
        let own = calls.values.filter { $0.responseID == responseID }
        guard turns[responseID] == .completed, capabilities.requiresResponseCreate,
            !followedUp.contains(responseID),
            own.allSatisfy({ call in
                call.outputs > 0 || call.isTakenBack
                    || !call.hasRun && cancelled.contains(responseID)
            })
        else { return }
        followedUp.insert(responseID)
        let answered = calls.filter { $1.responseID == responseID && $1.outputs > 0 }
        wishes.append(
            Wish(
                options: RealtimeResponseOptions(), isDue: !cancelled.contains(responseID),
                needs: Set(answered.keys)))
    }

    // MARK: What the app asks

    mutating func asked(_ intent: ClientIntent) {
        switch intent {
        case .sendText:
            waive(strictly: false)
            if capabilities.requiresResponseCreate {
                wishes.append(Wish(options: RealtimeResponseOptions()))
            }
        case .requestResponse(let options):
            if options.isOutOfBand {
                outOfBandWishes += 1
            } else if capabilities.requiresResponseCreate {
                wishes.append(Wish(options: options))
            }
        case .cancelResponse: waive(strictly: true)
        case .playbackInterrupted, .itemPlaybackInterrupted: waive(strictly: false)
        case .updateSession(let config):
            guard config.voice == nil, let detection = config.turnDetection else { return }
            let next = WalkProvider(turnDetection: detection)
            answersSpeech = next.answersSpeech
            interruptsAnswers = next.interruptsAnswers
            if !answersSpeech { floor = .free }
        default: break
        }
    }

    /// The app stops what is under way: the wishes for it need no response any more.
    private mutating func waive(strictly: Bool) {
        cancelled.formUnion(running)
        if strictly, outstanding != nil {
            outstanding?.isCancelled = true
        } else {
            for index in outstanding?.wishes.indices ?? 0..<0 {
                outstanding?.wishes[index].isDue = false
            }
        }
        for index in accepted?.wishes.indices ?? 0..<0 { accepted?.wishes[index].isDue = false }
    }

    // MARK: What the client does

    mutating func did(_ effect: EngineEffect, _ sent: RealtimeClientEvent?, now: Duration) {
        switch effect {
        case .send: if let sent { didSend(sent, now: now) }
        case .report(let error):
            if error.code == .timeout {
                hasTimedOut = true
                outstanding = nil
            } else if error.code == .queueFull {
                wishes.removeAll(where: \.isPlain)
            }
        case .play(let chunk): didPlay(chunk)
        case .interruptPlayback: silenced.formUnion(created)
        case .fail(let error): failIfReliable("the connection failed: \(error)")
        case .runTool(let call): calls[call.id]?.hasRun = true
        case .ready, .event, .cancelTool: break
        }
    }

    private mutating func didPlay(_ chunk: RealtimeAudioChunk) {
        let responseID = chunk.responseID ?? ""
        if silenced.contains(responseID) {
            fail("\(chunk.data.count) bytes of \(responseID) come out after an interruption")
        }
        if outOfBand.contains(responseID) { fail("\(responseID) is out of band, yet heard") }
        playedBytes[chunk.content, default: 0] += chunk.data.count
    }

    private mutating func didSend(_ event: RealtimeClientEvent, now: Duration) {
        if !isReady {
            guard case .sessionUpdate = event else {
                fail("before the session is configured: \(event)")
                return
            }
        }
        switch event {
        case .responseCreate(let options): didCreate(options, now: now)
        case .responseCancel(let id): didCancel(id)
        case .conversationItemCreate(let item, _):
            if !item.id.isEmpty, !sentIDs.insert(item.id).inserted { fail("id twice: \(item.id)") }
            didType(item)
        case .conversationItemTruncate(let itemID, let index, let milliseconds):
            didTruncate(itemID, index, milliseconds)
        case .conversationItemDelete(let itemID):
            if !knownItems.contains(itemID) { fail("an item never heard of is deleted: \(itemID)") }
            if !deletedItems.insert(itemID).inserted { fail("\(itemID) is deleted twice") }
        case .functionCallOutput(let output): didAnswer(output)
        default: break
        }
    }

    /// Where the wire keeps our ids, an answer can be seen to come too early for a typed text.
    private mutating func didType(_ item: RealtimeItem) {
        guard capabilities.acceptsItemIDs, item.id.hasPrefix("item_"),
            let index = wishes.lastIndex(where: { $0.isPlain && $0.needs.isEmpty })
        else { return }
        wishes[index].needs = [item.id]
    }

    private mutating func didCreate(_ options: RealtimeResponseOptions, now: Duration) {
        var plain = options
        plain.eventID = nil
        // What was refused as too early may go out again as it was.
        if let id = options.eventID, !sentIDs.insert(id).inserted, refusedIDs.remove(id) == nil {
            fail("event id twice: \(id)")
        }
        guard !options.isOutOfBand else {
            outOfBandWishes -= 1
            if outOfBandWishes < 0 { fail("an out-of-band response that nobody asked for") }
            return
        }
        guard capabilities.requiresResponseCreate else { return }
        if let outstanding {
            failIfReliable("asked again while \(outstanding.eventID ?? "") is outstanding")
        }
        if let active = running.first { failIfReliable("asked while \(active) is active") }
        switch floor {
        case .free: break
        case .speaking: failIfReliable("asked while the user speaks and will be answered")
        case .due(let since):
            if now < since + ResponseGate.answerDueTimeout {
                failIfReliable("asked while the provider's answer is due")
            }
        }
        var matches = wishes.filter { $0.options == plain }
        if matches.isEmpty { failIfReliable("asked for no reason: \(plain)") }
        if plain == RealtimeResponseOptions(), !isFirst {
            wishes.removeAll(where: \.isPlain)
        } else if let index = wishes.firstIndex(where: { $0.options == plain }) {
            matches = [wishes.remove(at: index)]
        }
        isFirst = false
        outstanding = Outstanding(eventID: options.eventID, wishes: matches)
    }

    private mutating func didCancel(_ id: String?) {
        guard let id else { return }
        if ended.contains(id) { failIfReliable("\(id) is cancelled after its end") }
        if !created.contains(id) { failIfReliable("\(id) is cancelled, but was never created") }
    }

    private mutating func didTruncate(_ itemID: String, _ index: Int, _ milliseconds: Int) {
        let content = receivedBytes.keys.first { $0.itemID == itemID && $0.contentIndex == index }
        let received = (content.flatMap { receivedBytes[$0] } ?? 0) / 48
        if !capabilities.supportsTruncation { fail("a wire without truncation got one") }
        if milliseconds <= 0 { fail("\(itemID) is truncated at \(milliseconds)") }
        if milliseconds > received { fail("\(itemID): \(milliseconds) of \(received) ms") }
        if !knownItems.contains(itemID) { failIfReliable("unknown, yet truncated: \(itemID)") }
        if deletedItems.contains(itemID) { fail("a deleted item is truncated: \(itemID)") }
        if let before = truncated[itemID], before < milliseconds {
            fail("\(itemID) is truncated at \(milliseconds) after \(before)")
        }
        truncated[itemID] = milliseconds
    }

    private mutating func didAnswer(_ output: RealtimeToolOutput) {
        guard let call = calls[output.callID] else {
            failIfReliable("an output for no call: \(output.callID)")
            return
        }
        if call.outputs > 0 { fail("\(output.callID) is answered twice") }
        calls[output.callID]?.outputs += 1
        if let responseID = call.responseID { turnMayBeComplete(responseID) }
    }

    // MARK: Quiet

    /// What must hold when nothing is under way any more and much time has passed.
    mutating func checkQuiet() {
        let due = wishes.filter(\.isDue)
        if !due.isEmpty { failIfReliable("never asked for, and nobody told: \(due)") }
        if let outstanding { failIfReliable("\(outstanding) is outstanding for ever") }
        for (callID, call) in calls where call.outputs == 0 && !call.isTakenBack {
            // What a response that broke off had called, nobody runs and nobody waits for.
            let status = turns[call.responseID ?? ""]
            guard call.hasRun || status == .completed else { continue }
            failIfReliable("\(callID) of \(call.responseID ?? "") is never answered")
        }
        wishes = []
    }
}

extension WalkRules.Wish {
    var isPlain: Bool { options == RealtimeResponseOptions() }
}
