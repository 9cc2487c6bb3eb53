/// Turns what a provider tells, and what the app does, into the messages of a conversation.
///
/// Pure: the same inputs give the same messages, from a live session as from a recording.
/// Messages stand in the order of the provider's items, however late a transcript comes; an
/// answer is one message, whose parts are keyed by item and content index. Each event costs
/// the same however long the conversation is.
///
/// Bad input is harmless here: an event that names nothing known either creates what it names
/// or changes nothing.
public struct ConversationReducer: Sendable {
    /// What the app did, or learned from its player.
    @nonexhaustive
    public enum Action: Sendable, Hashable {
        /// The user typed; shown at once, before the provider confirms the item.
        case userText(itemID: String, text: String)
        /// A tool answered, or failed.
        case toolOutput(RealtimeToolOutput)
        /// A call will have no output; why.
        case toolFailed(callID: String, reason: String)
        /// Of this part only so many characters were heard, and nothing of what comes yet; nil
        /// where all of it was.
        case heard(RealtimeContentID, characters: Int?)
        /// An item is gone from the provider's conversation; what it showed stays.
        case itemDeleted(itemID: String)
        /// A new connection begins; earlier messages stay before whatever it brings.
        case connectionStarted
        /// The connection is over: nothing streams any more.
        case connectionEnded
    }

    /// Names a part of a message, whatever position it has.
    struct PartKey: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case text
            case reasoning
            case tool
        }

        var itemID: String
        var contentIndex: Int
        var kind: Kind
    }

    /// What is known of an answer's make-up beside its message.
    struct Answer: Sendable {
        var responseID: String?
        /// The key of each part, in the order of the parts.
        var keys: [PartKey] = []
        /// The order in which the items were announced.
        var ranks: [String: Int] = [:]
        /// Whether the response is over, so that nothing of it streams any more.
        var isFinished = false
    }

    var list = MessageList()
    /// The message that shows an item, of either side.
    var owners: [String: String] = [:]
    /// The message behind which an item's successor stands: the one that shows it, unless the
    /// item stands behind a later one.
    var anchors: [String: String] = [:]
    /// The message that shows a response.
    var responses: [String: String] = [:]
    /// The call that a message shows, by call id.
    var calls: [String: (messageID: String, itemID: String)] = [:]
    var answers: [String: Answer] = [:]
    /// What a tool's arguments have come to so far.
    var arguments: [String: String] = [:]
    /// Typed messages whose item the provider hasn't confirmed yet.
    var unconfirmed: [(messageID: String, text: String)] = []
    /// Answers that still stream.
    var open: Set<String> = []
    /// The user's messages whose transcript isn't final yet.
    var openTranscripts: Set<String> = []
    /// Where parts that have no text yet were cut off.
    var cuts: [PartKey: Int] = [:]
    /// Items that the provider's conversation no longer has.
    var deleted: Set<String> = []
    /// Responses that are kept out of the conversation.
    var outOfBand: Set<String> = []
    /// The first position that belongs to the present connection.
    var connectionStart = 0

    /// Creates an empty conversation.
    public init() {}

    /// The messages in order.
    public var messages: [UIMessage] { list.messages }

    /// Changes whenever `messages` does.
    package var revision: Int { list.revision }

    package mutating func takeChanges() -> [MessageChange] { list.takeChanges() }

    /// Takes in one event of the provider's.
    public mutating func reduce(_ event: RealtimeServerEvent) {
        if let responseID = event.responseID, outOfBand.contains(responseID) {
            if case .responseDone = event { outOfBand.remove(responseID) }
            return
        }
        switch event {
        case .audioCommitted, .conversationItemAdded, .conversationItemDone,
            .inputTranscriptionDelta, .inputTranscriptionCompleted, .inputTranscriptionFailed:
            reduceItem(event)
        case .responseCreated(let responseID, let isOutOfBand, _, _):
            if isOutOfBand {
                outOfBand.insert(responseID)
            } else {
                closeAnswers(before: responseID)
            }
        case .responseDone(let response, _): finish(response)
        case .outputItemAdded, .outputItemDone, .contentPartAdded, .contentPartDone, .audioDelta,
            .audioDone, .audioTranscriptDelta, .audioTranscriptDone, .textDelta, .textDone,
            .reasoningDelta:
            reduceOutput(event)
        case .functionCallArgumentsDelta, .functionCallArgumentsDone, .toolCallCancelled:
            reduceCall(event)
        case .interrupted(let responseID, _): interrupt(responseID)
        case .itemTruncated(let itemID, let contentIndex, _, let transcript?, _):
            cut(itemID: itemID, contentIndex: contentIndex, heard: transcript)
        case .itemDeleted(let itemID, _): deleted.insert(itemID)
        case .sessionCreated, .sessionUpdated, .speechStarted, .speechStopped, .audioCleared,
            .conversationItemRetrieved, .itemTruncated, .usage, .goingAway, .error,
            .custom:
            break
        }
    }

    /// Takes in what the app did.
    public mutating func apply(_ action: Action) {
        switch action {
        case .userText(let itemID, let text): addUserText(itemID: itemID, text: text)
        case .toolOutput(let output): setOutput(output)
        case .toolFailed(let callID, let reason): failCall(callID, reason: reason)
        case .heard(let content, let characters): cut(content, toCharacters: characters)
        case .itemDeleted(let itemID): deleted.insert(itemID)
        case .connectionStarted: startConnection()
        case .connectionEnded: endConnection()
        }
    }

    // MARK: Connections

    private mutating func startConnection() {
        endConnection()
        connectionStart = list.messages.count
        owners = [:]
        anchors = [:]
        responses = [:]
        calls = [:]
        arguments = [:]
        outOfBand = []
        unconfirmed = []
        deleted = []
        cuts = [:]
    }

    private mutating func endConnection() {
        for messageID in open { close(messageID, status: "incomplete", reason: "disconnected") }
        for messageID in openTranscripts { list.update(messageID) { $0.finishStreaming() } }
        openTranscripts = []
    }

    /// Closes answers whose end never came: one answer runs at a time.
    mutating func closeAnswers(before responseID: String) {
        for messageID in open where answers[messageID]?.responseID != responseID {
            close(messageID, status: "cancelled", reason: "superseded")
        }
    }

    private mutating func close(_ messageID: String, status: String, reason: String) {
        open.remove(messageID)
        answers[messageID]?.isFinished = true
        list.update(messageID) { message in
            message.finishStreaming()
            message.ending = message.ending ?? UIMessage.Ending(status: status, reason: reason)
        }
    }

    /// An id for a new message: the wire's own, unless an earlier connection used it, as happens
    /// where a codec counts.
    func unused(_ id: String) -> String {
        guard list.position(of: id) != nil else { return id }
        var number = 2
        while list.position(of: "\(id)-\(number)") != nil { number += 1 }
        return "\(id)-\(number)"
    }

    // MARK: Placing

    /// The position that an item asks for, in the list without the message itself; nil where
    /// the message may stay.
    private func target(
        of messageID: String?, _ placement: RealtimeItemPlacement
    ) -> Int? {
        switch placement {
        case .unspecified: return nil
        case .first: return behindDeleted(from: connectionStart)
        case .after(let itemID):
            guard let previous = anchors[itemID] ?? owners[itemID], previous != messageID,
                let position = list.position(of: previous)
            else { return nil }
            let own = messageID.flatMap { list.position(of: $0) }
            let target = behindDeleted(from: position + 1)
            return own.map { $0 < target ? target - 1 : target } ?? target
        }
    }

    /// What the provider deleted keeps its place before what comes after it.
    private func behindDeleted(from position: Int) -> Int {
        var target = position
        while target < list.messages.count, isDeleted(list.messages[target].id) { target += 1 }
        return target
    }

    private func isDeleted(_ messageID: String) -> Bool {
        guard let items = answers[messageID]?.ranks.keys, !items.isEmpty else {
            return deleted.contains(messageID)
        }
        return items.allSatisfy(deleted.contains)
    }

    /// Adds a message where its item stands, or moves it there.
    mutating func place(
        _ messageID: String, role: UIMessage.Role, placement: RealtimeItemPlacement
    ) {
        let exists = list.position(of: messageID) != nil
        let target = target(of: exists ? messageID : nil, placement)
        if exists {
            if let target { list.move(messageID, to: target) }
        } else {
            list.insert(
                UIMessage(id: messageID, role: role), at: target ?? list.messages.count)
        }
    }
}

extension UIMessage {
    mutating func finishStreaming() {
        for index in parts.indices { parts[index].finishStreaming() }
    }
}

extension UIMessagePart {
    mutating func finishStreaming() {
        switch self {
        case .text(var part):
            part.state = .done
            if part.unheardText?.isEmpty == true { part.unheardText = nil }
            self = .text(part)
        case .reasoning(var part):
            part.state = .done
            self = .reasoning(part)
        case .tool(var part):
            if part.state == .inputStreaming {
                part.state = .outputError
                part.errorText = "the answer ended before the call was complete"
                self = .tool(part)
            }
        case .other: break
        }
    }

    mutating func setState(_ state: UITextPart.State) {
        guard case .text(var part) = self else { return }
        part.state = state
        self = .text(part)
    }

    /// Appends in place: the text is moved out and back, never copied.
    mutating func append(_ delta: String) {
        switch consume self {
        case .text(var part):
            part.append(delta)
            self = .text(part)
        case .reasoning(var part):
            part.append(delta)
            self = .reasoning(part)
        case .tool(let part): self = .tool(part)
        case .other(let json): self = .other(json)
        }
    }
}

extension UITextPart {
    /// What comes after the cut was not heard either.
    mutating func append(_ delta: String) {
        if unheardText == nil {
            text += delta
        } else {
            unheardText?.append(delta)
        }
    }
}
