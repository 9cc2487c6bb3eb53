import Foundation
import Synchronization

/// One live conversation with a model: ordered, callable from any thread, off the main actor.
///
/// Every call returns at once. Calls made before the session is configured wait their turn;
/// audio beyond the limit of `RealtimeConnectionOptions` falls out, oldest first, and is
/// counted. What a call that waited fails with comes as `RealtimeUpdate.failure`. A connection
/// that ended stays ended; make a new one to go on.
///
/// Servers use it through `withRealtimeConnection(to:…)`, which closes it on every path.
public final class RealtimeConnection: Sendable {
    struct State: Sendable {
        var engine: ConversationEngine
        var status = RealtimeStatus.connecting
        var channel: (any RealtimeTransportChannel)?
        /// What is still to be done, in order; one thread at a time does it.
        var effects: [EngineEffect] = []
        var isPerforming = false
        var outbound: OutboundQueue
        var isSocketSlow = false
        /// The socket is free again, but what was held back has not gone out yet.
        var isSocketFree = false
        var nextWake: Duration?
        var converter: AudioConverter?
        var subscribers: [BoundedQueue<RealtimeUpdate>] = []
        var readyWaiters: [CheckedContinuation<Result<Void, RealtimeError>, Never>] = []
        var levels = RealtimeLevels()
        var followsInterruption = false
        var hasEnded = false
        /// The state of the messages, and the activity, that were last told of.
        var revision = 0
        var activity = RealtimeActivity()
    }

    /// The model that is spoken with.
    public let model: any RealtimeModel
    let state: Mutex<State>
    let speech: BoundedQueue<RealtimeAudioChunk>
    let tools: ToolRunner
    let clock: any RealtimeClock
    /// So much may wait at the socket before audio is held back here, where it can give way.
    private let socketHighWater: Int
    /// What no error may repeat.
    private let secrets: [String]
    /// When the client secret expires, in seconds since 1970.
    private let secretExpiry: Int?

    /// Begins to connect. A subscriber that is given here misses nothing, however soon it comes.
    init(
        model: any RealtimeModel, config: RealtimeSessionConfig,
        request: RealtimeConnectRequest, secretExpiry: Int? = nil,
        options: RealtimeConnectionOptions, tools: [RealtimeTool],
        reducer: ConversationReducer = ConversationReducer(),
        subscriber: BoundedQueue<RealtimeUpdate>? = nil,
        onToolCall: ToolRunner.Handler?
    ) {
        var session = config
        if !tools.isEmpty {
            let known = Set((config.tools ?? []).map(\.name))
            let own = getRealtimeToolDefinitions(tools: tools)
            session.tools = (config.tools ?? []) + own.filter { !known.contains($0.name) }
        }
        self.model = model
        clock = options.clock
        let inputFormat = config.inputAudioFormat ?? model.capabilities.defaultInputFormat
        socketHighWater = request.highWaterMark
        secrets = Secrets.of(request)
        self.secretExpiry = secretExpiry
        let output = config.outputAudioFormat ?? model.capabilities.defaultOutputFormat
        speech = BoundedQueue(
            limit: output.bytes(ofMilliseconds: options.maximumQueuedSpeech.wholeMilliseconds),
            size: \.data.count)
        self.tools = ToolRunner(tools: tools, handler: onToolCall)
        var configuration = ConversationEngine.Configuration()
        configuration.session = session
        configuration.setupTimeout = options.setupTimeout
        configuration.toolTimeout = options.toolTimeout
        configuration.cancelsToolsOnInterruption = options.cancelsToolsOnInterruption
        configuration.maximumWaitingAudioBytes =
            inputFormat.bytes(ofMilliseconds: options.maximumWaitingAudio.wholeMilliseconds)
        let engine = ConversationEngine(
            model: model, configuration: configuration, seed: IDSource.randomSeed(),
            reducer: reducer)
        state = Mutex(
            State(
                engine: engine,
                outbound: OutboundQueue(
                    maximumAudioBytes: configuration.maximumWaitingAudioBytes / 3 * 4),
                subscribers: subscriber.map { [$0] } ?? []))
        open(request, options)
    }

    deinit {
        disconnect()
    }

    private func open(_ request: RealtimeConnectRequest, _ options: RealtimeConnectionOptions) {
        var request = request
        request.timeout = options.openTimeout
        request.certificateAuthorityFile =
            options.certificateAuthorityFile ?? request.certificateAuthorityFile
        request.proxy = options.proxy ?? request.proxy
        let now = clock.now
        state.withLock { state in
            state.engine.started(openTimeout: options.openTimeout, now: now)
            // The provider may be quicker than the channel is stored: what is to be sent waits.
            state.isPerforming = true
        }
        let channel = options.transport.open(request) { [weak self] event in
            self?.receive(event)
        }
        let hasEnded = state.withLock { state in
            state.isPerforming = false
            guard !state.hasEnded else { return true }
            state.channel = channel
            return false
        }
        if hasEnded { channel.cancel() }
        perform()
    }

    // MARK: The socket

    private func receive(_ event: RealtimeTransportEvent) {
        let now = clock.now
        switch event {
        case .opened: advance { $0.opened(now: now, into: &$1) }
        case .received(let frame): advance { $0.received(frame, now: now, into: &$1) }
        case .pong: break
        case .drained: socketDrained()
        case .closed(let close):
            end(
                .failed(
                    RealtimeError(
                        .connectionClosed, "the connection was closed", isRetryable: true,
                        closeCode: close.code, closeReason: close.reason)))
        case .failed(let error): end(.failed(error))
        }
    }

    /// Lets the engine take something in, then does what follows.
    private func advance(
        _ body: (inout ConversationEngine, inout [EngineEffect]) -> Void
    ) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            body(&state.engine, &state.effects)
        }
        perform()
    }

    private func socketDrained() {
        state.withLock { $0.isSocketFree = true }
        perform()
    }

    // MARK: Effects

    /// Does what is to be done, in order, outside the lock. Whoever finds somebody else at it
    /// leaves it to them, so nobody waits.
    func perform() {
        if state.withLock({ $0.beginPerforming() }) {
            var batch: [EngineEffect] = []
            while state.withLock({ $0.takeBatch(&batch) }) {
                sendHeldFrames()
                for effect in batch { perform(effect) }
                for news in state.withLock({ $0.takeNews() }) { publish(news) }
            }
        }
        // What has no effect yet, such as an opening socket, may still have a deadline.
        arrangeWake()
    }

    /// Sends what was held back while the socket was slow, before anything newer.
    private func sendHeldFrames() {
        let held = state.withLock { state -> [(frame: RealtimeFrame, isAudio: Bool)] in
            guard state.isSocketFree else { return [] }
            state.isSocketFree = false
            state.isSocketSlow = false
            return state.outbound.takeAll()
        }
        for (frame, isAudio) in held { send(frame, isAudio: isAudio) }
    }

    private func perform(_ effect: EngineEffect) {
        switch effect {
        case .send(let frame, let isAudio): send(frame, isAudio: isAudio)
        case .ready: becomeReady()
        case .fail(let error): end(.failed(error))
        case .event(let event): publish(.event(event))
        case .report(let error): publish(.failure(error.redacting(secrets)))
        case .play(let chunk): play(chunk)
        case .interruptPlayback(let interruption):
            speech.removeAll()
            state.withLock { $0.followsInterruption = true }
            publish(.interruption(interruption))
        case .runTool(let call):
            tools.run(call) { [weak self] output in
                try? self?.perform(.toolOutput(output))
            }
        case .cancelTool(let callID): tools.cancel(callID: callID)
        }
    }

    private func play(_ chunk: RealtimeAudioChunk) {
        var chunk = chunk
        let level = LevelMeter.level(of: chunk.data)
        let isLive = state.withLock { state in
            chunk.followsInterruption = state.followsInterruption
            state.followsInterruption = false
            state.levels.output = level
            return !state.hasEnded
        }
        if isLive { speech.push(chunk) }
    }

    private func send(_ frame: RealtimeFrame, isAudio: Bool) {
        let channel: (any RealtimeTransportChannel)? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            if let channel = state.channel, !state.isSocketSlow,
                channel.queuedBytes <= socketHighWater
            {
                return channel
            }
            state.isSocketSlow = true
            if !state.outbound.hold(frame, isAudio: isAudio) {
                state.effects.append(.report(Self.outboundFull))
            }
            return nil
        }
        do throws(RealtimeError) {
            try channel?.send(frame)
        } catch {
            // The microphone goes on for a moment after the peer has closed; that is told once,
            // by the close itself.
            if isAudio, error.code == .notConnected { return }
            publish(.failure(error))
        }
    }

    private static let outboundFull = RealtimeError(
        .queueFull, "the socket is too slow: a message could not be sent")

    private func becomeReady() {
        let waiters = state.withLock { state in
            state.status = .connected
            defer { state.readyWaiters = [] }
            return state.readyWaiters
        }
        for waiter in waiters { waiter.resume(returning: .success(())) }
        publish(.status(.connected))
    }

    // MARK: Time

    /// Sees to it that the engine is woken when it has something to do. A wake that turns out
    /// too early only looks again.
    private func arrangeWake() {
        let deadline: Duration? = state.withLock { state in
            guard !state.hasEnded, let deadline = state.engine.deadline else { return nil }
            if let next = state.nextWake, next <= deadline { return nil }
            state.nextWake = deadline
            return deadline
        }
        guard let deadline else { return }
        clock.wake(at: deadline) { [weak self] in self?.wake() }
    }

    private func wake() {
        let now = clock.now
        state.withLock { state in
            state.nextWake = nil
            guard !state.hasEnded else { return }
            state.engine.advance(now: now, into: &state.effects)
        }
        perform()
    }

    // MARK: The end

    /// Ends the connection at once: nothing is sent, played or told any more. Idempotent.
    public func disconnect() {
        end(.disconnected)
    }

    private func end(_ outcome: RealtimeStatus) {
        let status = explained(outcome)
        var leftover: [EngineEffect] = []
        let ended: State? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            state.status = status
            state.engine.closed(into: &leftover)
            let copy = state
            state.effects = []
            state.subscribers = []
            state.readyWaiters = []
            state.channel = nil
            return copy
        }
        guard let ended else { return }
        for case .play(let chunk) in leftover { speech.push(chunk) }
        speech.finish()
        tools.end()
        if case .disconnected = status {
            speech.removeAll()
            ended.channel?.close(code: 1000, reason: "")
        } else {
            ended.channel?.cancel()
        }
        for waiter in ended.readyWaiters {
            waiter.resume(returning: .failure(Self.error(of: status)))
        }
        for subscriber in ended.subscribers {
            if status != .disconnected {
                for case .report(let error) in leftover { subscriber.push(.failure(error)) }
            }
            subscriber.push(.messagesChanged)
            subscriber.push(.status(status))
            subscriber.finish()
        }
    }

    /// A failure without secrets, and with the client secret's expiry as its cause where that is
    /// evident.
    private func explained(_ status: RealtimeStatus) -> RealtimeStatus {
        guard case .failed(var error) = status else { return status }
        let isExpired =
            error.httpStatus == 401
            && secretExpiry.map { Double($0) < Date.now.timeIntervalSince1970 } == true
        if isExpired || error.closeCode == Self.expiredCloseCode { error.code = .secretExpired }
        return .failed(error.redacting(secrets))
    }

    /// xAI closes the socket with this code when a client secret has expired.
    private static let expiredCloseCode = 4_401

    static func error(of status: RealtimeStatus) -> RealtimeError {
        if case .failed(let error) = status { return error }
        return RealtimeError(.cancelled, "the connection was ended")
    }

    func publish(_ update: RealtimeUpdate) {
        let subscribers = state.withLock { $0.subscribers }
        for subscriber in subscribers { subscriber.push(update) }
    }
}

extension RealtimeConnection.State {
    private var hasWork: Bool {
        !effects.isEmpty || isSocketFree || engine.reducer.revision != revision
            || engine.activity != activity
    }

    /// What is different since it was last told of.
    mutating func takeNews() -> [RealtimeUpdate] {
        var news: [RealtimeUpdate] = []
        if engine.reducer.revision != revision { news.append(.messagesChanged) }
        if engine.activity != activity { news.append(.activity(engine.activity)) }
        revision = engine.reducer.revision
        activity = engine.activity
        return news
    }

    /// Whether there is something to do and nobody at it; the caller is then.
    mutating func beginPerforming() -> Bool {
        guard !isPerforming, hasWork else { return false }
        isPerforming = true
        return true
    }

    /// Hands over what is to be done next; false where nothing is left, and the caller is done.
    mutating func takeBatch(_ batch: inout [EngineEffect]) -> Bool {
        batch.removeAll(keepingCapacity: true)
        guard hasWork else {
            isPerforming = false
            return false
        }
        swap(&batch, &effects)
        return true
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    package var wholeMilliseconds: Int {
        let parts = components
        return Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }
}
