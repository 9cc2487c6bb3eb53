import Foundation
import RealtimeVoice

/// A small OpenAI Realtime, after wire/openai.md §4 and §5: it keeps items in order, runs one
/// response of the conversation at a time, hears speech, and refuses what the real one refuses.
/// As xAI it gives items ids of its own; as Gemini it answers of itself and tells little.
struct WalkServer {
    struct Item {
        enum Kind: Hashable {
            case user
            case answer
            case call
            case output
        }

        var kind: Kind
        var isDeleted = false
        /// The audio that there is of each part, in bytes.
        var audio: [Int: Int] = [:]
    }

    /// One thing that happens while a response runs.
    enum Beat {
        case added(RealtimeItem)
        case event(RealtimeServerEvent)
        case audio(RealtimeContentID, bytes: Int)
        case done(RealtimeItem)
        case end(RealtimeResponse.Status)
    }

    struct Response {
        var id: String
        var isOutOfBand = false
        /// Nobody asked for it.
        var isOwn = false
        /// The client may have taken one of the server's own for this one.
        var isMistakable = false
        /// What is still to happen, the next thing last.
        var beats: [Beat] = []
        var open: [RealtimeItem] = []
        var output: [RealtimeItem] = []
    }

    enum Speech: Hashable {
        case silence
        case speaking(item: String)
        /// The turn is committed, and its answer due.
        case answering
    }

    struct Call {
        var responseID: String
        var isAnswered = false
        /// Its result was no longer wanted, which the client may not know yet.
        var isTakenBack = false
    }

    let provider: WalkProvider
    var turnDetection: RealtimeTurnDetection
    /// What goes to the client, in order.
    var outbox: [RealtimeServerEvent] = []
    /// What a client that keeps the rules can't have brought about.
    var faults: [String] = []

    var items: [String: Item] = [:]
    /// The ids in order, deleted ones too.
    var order: [String] = []
    var active: Response?
    var outOfBand: [Response] = []
    var speech = Speech.silence
    /// User items whose transcript is still to come, in pieces.
    var transcripts: [(item: String, pieces: [String])] = []
    var calls: [String: Call] = [:]
    /// Outputs that came while their response still ran.
    var heldOutputs: [RealtimeToolOutput] = []
    var bufferedBytes = 0
    var isConfigured = false
    /// A response of the server's own began since the client's last one.
    var hasAnswered = false
    /// A request of the client's timed out, so it can't know any more what runs.
    var clientGaveUp = false
    private var count = 0

    init(provider: WalkProvider) {
        self.provider = provider
        turnDetection = provider.turnDetection
    }

    var isOpenAI: Bool { provider.kind == .openAI }
    var isGemini: Bool { provider.kind == .gemini }

    /// Whether nothing more would happen if nobody did anything.
    var isQuiet: Bool {
        active == nil && outOfBand.isEmpty && transcripts.isEmpty && speech == .silence
            && outbox.isEmpty
    }

    mutating func newID(_ kind: String) -> String {
        count += 1
        return "srv_\(kind)_\(count)"
    }

    mutating func emit(_ event: RealtimeServerEvent) { outbox.append(event) }

    mutating func refuse(
        _ code: String?, _ message: String, eventID: String? = nil, parameter: String? = nil
    ) {
        emit(
            .error(
                RealtimeError(
                    .provider, message, providerCode: code, providerType: "invalid_request_error",
                    parameter: parameter, eventID: provider.kind == .openAI ? eventID : nil),
                raw: .none))
    }

    // MARK: The conversation

    /// The place behind the last item that is still there.
    var endPlacement: RealtimeItemPlacement {
        order.last { items[$0]?.isDeleted == false }.map { .after($0) } ?? .first
    }

    mutating func append(_ id: String, _ kind: Item.Kind) -> RealtimeItemPlacement {
        let placement = endPlacement
        items[id] = Item(kind: kind)
        order.append(id)
        return placement
    }

    mutating func receive(_ event: RealtimeClientEvent, dice: inout WalkDice) {
        switch event {
        case .sessionUpdate(let config): update(config)
        case .inputAudioAppend(let audio): bufferedBytes += audio.count
        case .inputAudioCommit: commitBuffer()
        case .inputAudioClear:
            bufferedBytes = 0
            if case .speaking = speech, dice.chance(50) { speech = .silence }
            emit(.audioCleared(raw: .none))
        case .conversationItemCreate(let item, let placement):
            create(item, placement, dice: &dice)
        case .conversationItemTruncate(let itemID, let contentIndex, let milliseconds):
            truncate(itemID, contentIndex, milliseconds)
        case .conversationItemDelete(let itemID): delete(itemID)
        case .conversationItemRetrieve(let itemID): retrieve(itemID)
        case .functionCallOutput(let output): take(output, dice: &dice)
        case .responseCreate(let options): create(options, dice: &dice)
        case .responseCancel(let responseID): cancel(responseID)
        case .raw: refuse("unknown_parameter", "a raw event that nobody knows")
        }
    }

    private mutating func update(_ config: RealtimeSessionConfig) {
        if !isConfigured {
            isConfigured = true
            emit(.sessionUpdated(raw: .none))
            return
        }
        guard config.voice == nil else {
            refuse("cannot_update_voice", "the voice can't change after the first audio")
            return
        }
        if let detection = config.turnDetection {
            turnDetection = detection
            // What was being said is no turn any more.
            if detection.type == .disabled { speech = .silence }
        }
        emit(.sessionUpdated(raw: .none))
    }

    private mutating func commitBuffer() {
        guard bufferedBytes >= 4_800 else {
            refuse("input_audio_buffer_commit_empty", "buffer too small")
            return
        }
        commit(newID("user"))
    }

    /// The user's turn is over.
    mutating func commit(_ id: String) {
        bufferedBytes = 0
        let placement = append(id, .user)
        if !transcripts.contains(where: { $0.item == id }) {
            transcripts.append((id, ["well ", "said "]))
        }
        guard !isGemini else { return }
        emit(.audioCommitted(itemID: id, placement: placement, raw: .none))
        let item = RealtimeItem(
            id: id, kind: .message(role: "user", content: [.audio(transcript: nil)]),
            status: "completed")
        emit(.conversationItemAdded(item, placement: placement, raw: .none))
        emit(.conversationItemDone(item, raw: .none))
    }

    private mutating func create(
        _ item: RealtimeItem, _ placement: RealtimeItemPlacement, dice: inout WalkDice
    ) {
        guard !isGemini else {
            _ = append(newID("typed"), .user)
            interruptAndAnswer(dice: &dice)
            return
        }
        var item = item
        if provider.kind == .xAI || item.id.isEmpty { item.id = newID("typed") }
        guard items[item.id] == nil else {
            faults.append("an item is created twice: \(item.id)")
            return
        }
        item.status = "completed"
        let place: RealtimeItemPlacement
        switch placement {
        case .unspecified: place = append(item.id, .user)
        case .first:
            items[item.id] = Item(kind: .user)
            // What is gone keeps its place before what comes after it.
            let start = order.firstIndex { items[$0]?.isDeleted == false }
            order.insert(item.id, at: start ?? order.count)
            place = .first
        case .after(let previous):
            guard let index = order.firstIndex(of: previous), items[previous]?.isDeleted == false
            else {
                refuse(
                    "invalid_value", "no item \(previous) to stand behind",
                    parameter: "previous_item_id")
                return
            }
            items[item.id] = Item(kind: .user)
            order.insert(item.id, at: index + 1)
            place = placement
        }
        emit(.conversationItemAdded(item, placement: place, raw: .none))
        emit(.conversationItemDone(item, raw: .none))
    }

    private mutating func truncate(_ itemID: String, _ contentIndex: Int, _ milliseconds: Int) {
        guard isOpenAI else {
            faults.append("a wire without truncation got one")
            return
        }
        guard let item = items[itemID], !item.isDeleted else {
            faults.append("truncate of an unknown item \(itemID)")
            return
        }
        guard milliseconds > 0, let bytes = item.audio[contentIndex] else {
            faults.append("truncate of \(itemID) at \(milliseconds): unsupported_content_type")
            return
        }
        guard milliseconds <= bytes / 48 else {
            faults.append("\(bytes / 48) ms of \(itemID) already shorter than \(milliseconds)")
            return
        }
        items[itemID]?.audio[contentIndex] = milliseconds * 48
        emit(
            .itemTruncated(
                itemID: itemID, contentIndex: contentIndex, audioEndMilliseconds: milliseconds,
                transcript: nil, raw: .none))
    }

    private mutating func delete(_ itemID: String) {
        guard isOpenAI, items[itemID]?.isDeleted == false else {
            faults.append("delete of an unknown item \(itemID)")
            return
        }
        items[itemID]?.isDeleted = true
        emit(.itemDeleted(itemID: itemID, raw: .none))
    }

    private mutating func retrieve(_ itemID: String) {
        guard items[itemID]?.isDeleted == false else {
            refuse("item_not_found", "no item \(itemID)")
            return
        }
        let item = RealtimeItem(id: itemID, kind: .message(role: "user", content: []))
        emit(.conversationItemRetrieved(item, raw: .none))
    }

    // MARK: Outputs of tools

    private mutating func take(_ output: RealtimeToolOutput, dice: inout WalkDice) {
        guard let call = calls[output.callID] else {
            faults.append("an output for an unknown call \(output.callID)")
            return
        }
        if call.isTakenBack { return }
        guard !call.isAnswered else {
            faults.append("a second output for \(output.callID)")
            return
        }
        calls[output.callID]?.isAnswered = true
        if active?.id == call.responseID, !isGemini {
            heldOutputs.append(output)
        } else {
            add(output)
        }
        guard isGemini, active == nil,
            !calls.values.contains(where: { other in
                other.responseID == call.responseID && !other.isAnswered && !other.isTakenBack
            })
        else { return }
        begin(Response(id: newID("resp"), isOwn: true), dice: &dice)
    }

    mutating func add(_ output: RealtimeToolOutput) {
        let id = newID("output")
        let placement = append(id, .output)
        guard !isGemini else { return }
        let item = RealtimeItem(
            id: id,
            kind: .functionCallOutput(
                callID: output.callID, output: output.output.stringValue ?? "{}"),
            status: "completed")
        emit(.conversationItemAdded(item, placement: placement, raw: .none))
        emit(.conversationItemDone(item, raw: .none))
    }
}
