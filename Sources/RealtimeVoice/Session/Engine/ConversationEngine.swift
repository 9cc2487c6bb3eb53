package import Foundation

/// What the app asks of a connection.
package enum ClientIntent: Sendable, Hashable {
    case appendAudio(Data)
    case commitAudio
    case clearAudio
    case sendText(String, itemID: String?)
    case addItem(RealtimeItem, RealtimeItemPlacement)
    case requestResponse(RealtimeResponseOptions)
    case cancelResponse
    case playbackInterrupted(playedMilliseconds: Int)
    case itemPlaybackInterrupted(itemID: String, contentIndex: Int, playedMilliseconds: Int)
    case playbackProgressed(playedMilliseconds: Int)
    case toolOutput(RealtimeToolOutput)
    case updateSession(RealtimeSessionConfig)
    case deleteItem(String)
    case retrieveItem(String)
    case raw(JSONValue)

    var isAudio: Bool {
        if case .appendAudio = self { return true }
        return false
    }
}

/// What a connection's owner has to do, in order.
package enum EngineEffect: Sendable, Equatable {
    /// A frame goes to the provider; audio gives way when the socket is slow.
    case send(RealtimeFrame, isAudio: Bool)
    /// The session is configured: what the app does from now on goes out at once.
    case ready
    /// The connection can't go on.
    case fail(RealtimeError)
    /// Tell the app.
    case event(RealtimeServerEvent)
    /// Something went wrong that ends nothing.
    case report(RealtimeError)
    /// Give a piece of speech to the player.
    case play(RealtimeAudioChunk)
    /// Throw away all speech that is queued, and tell the player.
    case interruptPlayback(RealtimeInterruption)
    case runTool(RealtimeToolCall)
    case cancelTool(callID: String)
}

/// Tells a player to stop at once and to throw away what it holds.
public struct RealtimeInterruption: Sendable, Hashable {
    /// Why speech is cut off.
    public enum Cause: String, Sendable, Hashable {
        /// The user began to speak.
        case speech
        /// The app sent text, or cancelled.
        case client
        /// The provider stopped by itself.
        case provider
    }

    /// Why speech is cut off.
    public var cause: Cause
    /// The items that were audible or queued, in order: what a player reports is what was heard
    /// of these, added up.
    public var itemIDs: [String]

    /// Creates an interruption.
    public init(cause: Cause, itemIDs: [String]) {
        self.cause = cause
        self.itemIDs = itemIDs
    }
}

/// What user interfaces show of a connection beside its messages.
public struct RealtimeActivity: Sendable, Hashable {
    /// The provider hears the user speak.
    public var isUserSpeaking = false
    /// An answer is asked for or begun, and nothing of it is audible or visible yet.
    public var isModelThinking = false
    /// The model's speech is audible, as far as that is known here.
    public var isModelSpeaking = false

    /// Nothing happens.
    public init() {}
}

/// One connection's conversation, without its socket: bytes and intents in, effects out.
///
/// It owns the codec, the machines and the reducer, and lets each do its part. It has no clock,
/// no lock and no task; a live connection and a replay drive the very same code.
package struct ConversationEngine: Sendable {
    package struct Configuration: Sendable {
        package var session = RealtimeSessionConfig()
        package var setupTimeout = Duration.seconds(20)
        package var toolTimeout: Duration? = .seconds(60)
        package var cancelsToolsOnInterruption = false
        package var maximumWaitingAudioBytes = 480_000

        package init() {}
    }

    let model: any RealtimeModel
    let capabilities: RealtimeCapabilities
    let configuration: Configuration
    var session: RealtimeSessionConfig
    var codec: any RealtimeCodec
    var life: ConnectionLife
    var gate: ResponseGate
    var tools: ToolTurns
    var ledger = PlaybackLedger()
    var ids: IDSource
    package var reducer: ConversationReducer
    package internal(set) var waiting: WaitingRoom
    package internal(set) var undecodableFrames = 0
    package internal(set) var lateAudioBytes = 0
    package internal(set) var activity = RealtimeActivity()

    /// Responses that were cut off: what still comes of them is not played.
    var cutOff: [String] = []
    var outOfBand: Set<String> = []
    var heardTexts: [RealtimeContentID: HeardText] = [:]
    var heardTextOrder: [RealtimeContentID] = []
    /// The half of a sample that a piece of audio ended with.
    var splitSamples: [RealtimeContentID: (byte: UInt8, format: RealtimeAudioFormat)] = [:]
    var inputBytes = 0
    var itemsUnderWay = ItemsUnderWay()
    /// Whether a conversation from before is being continued, so that the provider may repeat
    /// it.
    let isResuming: Bool

    package init(
        model: any RealtimeModel, configuration: Configuration, seed: String,
        reducer: ConversationReducer = ConversationReducer()
    ) {
        self.model = model
        self.configuration = configuration
        capabilities = model.capabilities
        session = configuration.session
        codec = model.makeCodec()
        life = ConnectionLife(
            moment: codec.configurationMoment, setupTimeout: configuration.setupTimeout)
        gate = ResponseGate(
            providerAnswersSpeech: configuration.session.providerAnswersSpeech)
        tools = ToolTurns(timeout: configuration.toolTimeout)
        ids = IDSource(seed: seed)
        waiting = WaitingRoom(maximumAudioBytes: configuration.maximumWaitingAudioBytes)
        isResuming = !reducer.messages.isEmpty
        self.reducer = reducer
        self.reducer.apply(.connectionStarted)
    }

    package var isReady: Bool { life.isReady }

    /// What the wire takes as the user's audio.
    package var inputFormat: RealtimeAudioFormat {
        session.inputAudioFormat ?? capabilities.defaultInputFormat
    }

    /// What the wire sends as speech where a piece doesn't say otherwise.
    var outputFormat: RealtimeAudioFormat {
        session.outputAudioFormat ?? capabilities.defaultOutputFormat
    }

    /// Counts the session as configured, for replays of excerpts that lack the confirmation.
    package mutating func assumeReady(now: Duration, into effects: inout [EngineEffect]) {
        act(on: life.sessionUpdated(), now: now, into: &effects)
    }

    // MARK: The socket

    package mutating func started(openTimeout: Duration, now: Duration) {
        life.started(openTimeout: openTimeout, now: now)
    }

    package mutating func opened(now: Duration, into effects: inout [EngineEffect]) {
        act(on: life.opened(now: now), now: now, into: &effects)
    }

    /// The socket is gone, or the app wants it gone.
    package mutating func closed(into effects: inout [EngineEffect]) {
        life.closed()
        if waiting.calls > 0 {
            effects.append(
                .report(
                    RealtimeError(
                        .notConnected,
                        "\(waiting.calls) calls were never sent: the session did not get ready")))
            _ = waiting.takeAll()
        }
        flushSplitSamples(into: &effects)
        perform(tools.disconnected(), now: .zero, into: &effects)
        reducer.apply(.connectionEnded)
        activity = RealtimeActivity()
    }

    package mutating func received(
        _ frame: RealtimeFrame, now: Duration, into effects: inout [EngineEffect]
    ) {
        guard !life.isOver else { return }
        if let reply = model.healthCheckResponse(for: frame) {
            effects.append(.send(reply, isAudio: false))
        }
        do throws(RealtimeError) {
            for event in try codec.decode(frame) {
                process(event, now: now, into: &effects)
            }
        } catch {
            undecodableFrames += 1
        }
        updateActivity(now: now)
    }

    // MARK: Time

    /// When `advance(now:)` next has something to do.
    package var deadline: Duration? {
        var earliest = life.deadline
        for other in [gate.deadline, tools.deadline] {
            guard let other else { continue }
            earliest = min(earliest ?? other, other)
        }
        if activity.isModelSpeaking, let end = ledger.audibleUntil {
            earliest = min(earliest ?? end, end)
        }
        return earliest
    }

    package mutating func advance(now: Duration, into effects: inout [EngineEffect]) {
        act(on: life.advance(now: now), now: now, into: &effects)
        perform(tools.advance(now: now), now: now, into: &effects)
        switch gate.advance(now: now) {
        case .doNothing: break
        case .send(let request): send(request, now: now, into: &effects)
        case .reportTimeout(_, let next):
            effects.append(
                .report(
                    RealtimeError(
                        .timeout, "the provider did not begin the response in time",
                        isRetryable: true)))
            if let next { send(next, now: now, into: &effects) }
        }
        updateActivity(now: now)
    }

    mutating func updateActivity(now: Duration) {
        activity.isModelSpeaking = ledger.isAudible(now: now)
        activity.isModelThinking =
            !activity.isModelSpeaking && (gate.isWaiting || gate.isActive && !hasOutput)
    }

    private var hasOutput: Bool {
        gate.activeID.map { reducer.responses[$0] != nil } ?? false
    }

    // MARK: Life

    mutating func act(
        on action: ConnectionLife.Action, now: Duration, into effects: inout [EngineEffect]
    ) {
        switch action {
        case .doNothing: break
        case .sendConfiguration:
            do throws(RealtimeError) {
                try send(.sessionUpdate(session), into: &effects)
            } catch {
                life.closed()
                effects.append(.fail(error))
            }
        case .becomeReady:
            effects.append(.ready)
            for intent in waiting.takeAll() {
                do throws(RealtimeError) {
                    try execute(intent, now: now, into: &effects)
                } catch {
                    effects.append(.report(error))
                }
            }
        case .fail(let error): effects.append(.fail(error))
        }
    }

    // MARK: Sending

    mutating func send(
        _ event: RealtimeClientEvent, into effects: inout [EngineEffect]
    ) throws(RealtimeError) {
        let isAudio =
            if case .inputAudioAppend = event { true } else { false }
        for frame in try codec.encode(event) {
            effects.append(.send(frame, isAudio: isAudio))
        }
    }

    /// Sends what this engine decided on by itself; a wire that can't is reported.
    mutating func attempt(
        _ event: RealtimeClientEvent, into effects: inout [EngineEffect]
    ) {
        do throws(RealtimeError) {
            try send(event, into: &effects)
        } catch {
            effects.append(.report(error))
        }
    }

    /// Sends a request; one that the wire can't express is reported and doesn't hold up others.
    mutating func send(
        _ request: ResponseGate.Request, now: Duration, into effects: inout [EngineEffect]
    ) {
        var action = ResponseGate.FreedAction.send(request)
        while case .send(let request) = action {
            var options = request.options
            options.eventID = request.eventID
            do throws(RealtimeError) {
                try send(.responseCreate(options), into: &effects)
                return
            } catch {
                effects.append(.report(error))
                action = gate.requestFailed(now: now)
            }
        }
    }
}

extension RealtimeSessionConfig {
    /// Whether the provider answers by itself when the user has spoken.
    var providerAnswersSpeech: Bool {
        turnDetection?.type != .disabled && turnDetection?.createResponse != false
    }

    /// Whether the provider stops its answer by itself when the user speaks.
    var providerInterruptsAnswers: Bool {
        turnDetection?.type != .disabled && turnDetection?.interruptResponse != false
    }
}
