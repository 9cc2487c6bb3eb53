import Foundation
import RealtimeVoice

/// One session on the OpenAI GA wire: what to send, to hear, to ask and to say.
///
/// A pure value. Time is passed in as milliseconds of any steady clock, ids come from the seeded
/// generator; the owner performs the actions in their order and feeds back what came of them.
///
/// Bad input: what a client may not send is answered by an `error` event and changes nothing;
/// results for turns and responses that are over are harmless and dropped; an unknown id from
/// the owner is the same, since cancelling races with finishing.
struct SessionMachine: Sendable {
    /// What happened.
    enum Input: Sendable {
        /// The socket is open.
        case opened
        /// A client event came, parsed.
        case received(JSONValue)
        /// Something came that isn't JSON.
        case receivedGarbage
        /// The recogniser has a guess of a turn.
        case heardPartial(item: String, text: String)
        /// The recogniser is done with a turn; nil where it failed.
        case heard(item: String, text: String?)
        /// The responder gave a piece of an answer.
        case answered(response: String, ResponderOutput)
        /// The responder is done.
        case answerEnded(response: String, failure: String?)
        /// The synthesizer is done with a sentence; nil where it failed.
        case spoke(response: String, SpokenSentence?)
        /// The time of ``SessionMachine/nextWake`` came.
        case timePassed
    }

    /// What to do.
    enum Action: Sendable, Equatable {
        case send(JSONValue)
        case beginHearing(item: String)
        case hear(item: String, samples: [Int16])
        case tellPause(item: String)
        case tellResume(item: String)
        case finishHearing(item: String)
        case dropHearing(item: String)
        case ask(response: String, ResponseOptions, history: [ResponderMessage])
        case stopAsking(response: String)
        case synthesize(response: String, text: String, ResponseOptions)
        case close(code: Int, reason: String)
    }

    /// What the server decides for all sessions.
    struct Environment: Sendable {
        var pace = SpeechPace.speaking
        var maximumTurnMilliseconds = 30_000
        var sessionMilliseconds = 3_600_000
        var makeDetector: @Sendable (Double) -> any VoiceActivityDetector = {
            BandDetector(threshold: $0)
        }
    }

    let environment: Environment
    let sessionID: String
    let conversationID: String
    let expiresAt: Int
    var ids: WireIDs
    var settings: SessionSettings
    var actions: [Action] = []

    var openedAt = 0
    var conversation = Conversation()
    var input = InputAudio()
    var converter: InputConverter
    var detector: TurnDetector?
    /// The user item that is being spoken, which isn't in the conversation yet.
    var turnItem: String?
    var prefixes: [String: StablePrefix] = [:]
    /// Items whose words aren't known yet.
    var pendingHearing: Set<String> = []
    var idleDeadline: Int?
    var idleStart = 0

    var responses: [String: ResponseState] = [:]
    /// The response of the conversation; others are out of band.
    var activeResponse: String?
    /// A turn ended while a response was running that may not be interrupted.
    var owesResponse = false
    var hasSpoken = false

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - settings: The model's defaults, or those of the client secret.
    ///   - seed: For the ids.
    ///   - unixTime: Seconds, for `expires_at`.
    ///   - environment: What the server decides for all sessions.
    init(
        settings: SessionSettings,
        seed: UInt64,
        unixTime: Int,
        environment: Environment
    ) {
        self.settings = settings
        self.environment = environment
        ids = WireIDs(seed: seed)
        sessionID = ids.next("sess")
        conversationID = ids.next("conv")
        expiresAt = unixTime + environment.sessionMilliseconds / 1_000
        converter = InputConverter(format: settings.inputFormat)
    }

    /// When to feed ``Input/timePassed``, nil where nothing waits for time.
    var nextWake: Int? {
        var times = responses.values.compactMap { $0.pacer.nextDue() }
        if let idleDeadline { times.append(idleDeadline) }
        times.append(openedAt + environment.sessionMilliseconds)
        return times.min()
    }

    /// Takes an input and gives what to do, in order.
    mutating func handle(_ input: Input, now: Int) -> [Action] {
        switch input {
        case .opened: open(now: now)
        case .received(let event): receive(event, now: now)
        case .receivedGarbage:
            refuse(
                WireError(
                    code: "invalid_json", message: "The event is not a valid JSON object."),
                eventID: nil)
        case .heardPartial(let item, let text): receivePartial(item, text)
        case .heard(let item, let text): receiveWords(item, text, now: now)
        case .answered(let id, let output): receiveAnswer(id, output, now: now)
        case .answerEnded(let id, let failure): endAnswer(id, failure: failure, now: now)
        case .spoke(let id, let sentence): receiveSpeech(id, sentence, now: now)
        case .timePassed: passTime(now: now)
        }
        defer { actions = [] }
        return actions
    }

    private mutating func open(now: Int) {
        openedAt = now
        if settings.isBeta {
            let message = "The beta wire is not supported any more. Use the GA wire."
            refuse(WireError(code: "beta_api_shape_disabled", message: message), eventID: nil)
            actions.append(.close(code: 4000, reason: "beta_api_shape_disabled"))
            return
        }
        resetDetector()
        send("session.created", ["session": sessionJSON])
    }

    // MARK: Client events

    private mutating func receive(_ event: JSONValue, now: Int) {
        let eventID = event["event_id"]?.stringValue
        do throws(WireError) {
            guard event.objectValue != nil else {
                throw WireError(
                    code: "invalid_json", message: "The event is not a valid JSON object.")
            }
            guard let type = event["type"] else { throw .missing("type") }
            guard let name = type.stringValue, let rule = WireRule.clientEvents[name] else {
                throw .invalid(
                    "type", type.stringValue ?? type.serialized(),
                    supported: WireRule.clientEvents.keys.sorted())
            }
            try rule.check(event, at: "")
            try dispatch(name, event, now: now)
        } catch {
            refuse(error, eventID: eventID)
        }
    }

    private mutating func dispatch(
        _ type: String,
        _ event: JSONValue,
        now: Int
    ) throws(WireError) {
        switch type {
        case "session.update": try updateSession(event["session"] ?? .null)
        case "input_audio_buffer.append": try append(event["audio"]?.stringValue ?? "", now: now)
        case "input_audio_buffer.commit": try commit()
        case "input_audio_buffer.clear": clear()
        case "conversation.item.create": try createItem(event)
        case "conversation.item.retrieve": try retrieveItem(event["item_id"]?.stringValue ?? "")
        case "conversation.item.delete": try deleteItem(event["item_id"]?.stringValue ?? "")
        case "conversation.item.truncate": try truncateItem(event)
        case "response.create": try createResponse(event["response"] ?? .null, now: now)
        case "response.cancel": try cancelResponse(event["response_id"]?.stringValue)
        default: assertionFailure("a client event without a handler: \(type)")
        }
    }

    private mutating func updateSession(_ patch: JSONValue) throws(WireError) {
        let before = settings
        try settings.update(patch, isVoiceLocked: hasSpoken)
        if settings.inputFormat != before.inputFormat {
            converter = InputConverter(format: settings.inputFormat)
        }
        if settings.turnDetection != before.turnDetection {
            resetDetector()
        }
        send("session.updated", ["session": sessionJSON])
    }

    var sessionJSON: JSONValue {
        settings.value.merging([
            "id": .string(sessionID), "object": "realtime.session", "expires_at": .int(expiresAt),
        ])
    }

    // MARK: Sending

    /// Sends an event with a fresh id.
    mutating func send(_ type: String, _ members: [String: JSONValue]) {
        var event = members
        event["type"] = .string(type)
        event["event_id"] = .string(ids.next("event"))
        actions.append(.send(.object(event)))
    }

    /// Answers a client event with an error.
    mutating func refuse(_ error: WireError, eventID: String?) {
        let echo: JSONValue = ["event_id": eventID.map { .string($0) } ?? .null]
        send("error", ["error": error.json.merging(echo)])
    }

    // MARK: Time

    private mutating func passTime(now: Int) {
        if now - openedAt >= environment.sessionMilliseconds {
            let minutes = environment.sessionMilliseconds / 60_000
            actions.append(
                .close(
                    code: 1001,
                    reason: "Your session hit the maximum duration of \(minutes) minutes."))
            return
        }
        for id in responses.keys.sorted() { pump(id, now: now) }
        if let deadline = idleDeadline, now >= deadline { triggerIdleTimeout(now: now) }
    }
}

extension String? {
    /// The text as JSON, null where there is none.
    var json: JSONValue { map { .string($0) } ?? .null }
}
