import Foundation

@testable import RealtimeVoice

/// A client, a provider, a player, tools and time, of which a random one moves at each step.
struct WalkWorld {
    let provider: WalkProvider
    let seed: UInt64
    let wire: WalkWire
    var engine: ConversationEngine
    var server: WalkServer
    var rules: WalkRules
    var player = WalkPlayer()
    var dice: WalkDice
    var now = Duration.zero
    /// Frames on their way to the server.
    var upstream: [RealtimeFrame] = []
    /// Frames that an unreliable wire kept back.
    var late: [RealtimeServerEvent] = []
    var tools: [RealtimeToolCall] = []
    var answered: [String] = []
    /// The list of messages as an app has it, from changes alone.
    var copy: [UIMessage] = []
    /// What a reducer that sees only the provider's events makes of them.
    var listener = ConversationReducer()
    /// Typed items that the provider refused stand in the list without a place.
    var typed = 0
    var log: [String]?

    init(provider: WalkProvider, seed: UInt64, isLogging: Bool) {
        self.provider = provider
        self.seed = seed
        wire = WalkWire()
        dice = WalkDice(seed: seed)
        log = isLogging ? [] : nil
        let model = WalkModel(wire: wire, kind: provider.kind)
        var configuration = ConversationEngine.Configuration()
        configuration.session.turnDetection = provider.turnDetection
        configuration.cancelsToolsOnInterruption = seed.isMultiple(of: 3)
        configuration.toolTimeout = .seconds(30)
        engine = ConversationEngine(model: model, configuration: configuration, seed: "walk")
        server = WalkServer(provider: provider)
        rules = WalkRules(provider: provider, capabilities: model.capabilities)
        listener.apply(.connectionStarted)
        engine.started(openTimeout: .seconds(15), now: now)
        let moment = now
        drive { $0.opened(now: moment, into: &$1) }
        if provider.kind != .gemini {
            server.emit(.sessionCreated(sessionID: "walk", raw: .none))
        }
    }

    static let ignored = (ProcessInfo.processInfo.environment["REALTIME_WALK_IGNORE"] ?? "")
        .split(separator: "|").map(String.init)

    var faults: [String] {
        (rules.broken + server.faults).filter { fault in
            !Self.ignored.contains { fault.contains($0) }
        }
    }

    mutating func note(_ text: @autoclosure () -> String) {
        log?.append("[\(now)] \(text())")
    }

    // MARK: The client

    mutating func drive(_ body: (inout ConversationEngine, inout [EngineEffect]) -> Void) {
        var effects: [EngineEffect] = []
        body(&engine, &effects)
        for effect in effects { perform(effect) }
        let changes = engine.reducer.takeChanges()
        if !changes.isEmpty { copy.apply(changes) }
    }

    private mutating func perform(_ effect: EngineEffect) {
        switch effect {
        case .send(let frame, _):
            let event = wire.clientEvent(frame)
            note("  sends \(event)")
            rules.did(effect, event, now: now)
            upstream.append(frame)
            return
        case .play(let chunk):
            note("  plays \(chunk.data.count) of \(chunk.responseID ?? "")/\(chunk.itemID)")
            player.play(chunk)
        case .interruptPlayback(let interruption):
            note("  interrupts \(interruption)")
            player.stop()
        case .runTool(let call):
            if tools.contains(where: { $0.id == call.id }) || answered.contains(call.id) {
                rules.fail("\(call.id) runs twice")
            }
            tools.append(call)
        case .cancelTool(let callID): tools.removeAll { $0.id == callID }
        case .report(let error):
            note("  reports \(error)")
            if error.code == .timeout { server.clientGaveUp = true }
        case .event: return
        case .ready, .fail: note("  \(effect)")
        }
        rules.did(effect, nil, now: now)
    }

    mutating func ask(_ intent: ClientIntent) {
        var effects: [EngineEffect] = []
        note("app: \(intent)")
        do throws(RealtimeError) {
            try engine.perform(intent, now: now, into: &effects)
            rules.asked(intent)
        } catch {
            note("  throws \(error)")
        }
        let done = effects
        drive { $1 = done }
    }

    mutating func deliver(_ event: RealtimeServerEvent) {
        note("client gets \(event)")
        rules.delivered(event, now: now)
        listener.reduce(event)
        let frame = wire.frame(of: event)
        let moment = now
        drive { $0.received(frame, now: moment, into: &$1) }
        if case .responseDone(let response, _) = event { checkEnded(response.id) }
    }

    /// Nothing of an answer streams after its end, and what was not cut came out whole.
    private mutating func checkEnded(_ id: String) {
        if let messageID = engine.reducer.responses[id],
            let message = copy.first(where: { $0.id == messageID })
        {
            let isStreaming = message.parts.contains { part in
                part.text?.state == .streaming || part.tool?.state == .inputStreaming
            }
            if isStreaming { rules.fail("\(id) is over, yet streams: \(message)") }
        }
        guard !engine.cutOff.contains(id), !rules.outOfBand.contains(id) else { return }
        for (content, bytes) in rules.receivedBytes where content.responseID == id {
            let played = rules.playedBytes[content] ?? 0
            if played != bytes { rules.fail("\(played) of \(bytes) bytes of \(content) came out") }
        }
        guard !provider.isUnreliable else { return }
        let recent = rules.created.suffix(16)
        rules.receivedBytes = rules.receivedBytes.filter {
            recent.contains($0.key.responseID ?? "")
        }
    }

    /// Time passes; the engine is woken whenever it wants to be.
    mutating func pass(_ time: Duration) {
        let target = now + time
        var wakes = 0
        while let deadline = engine.deadline, deadline <= target {
            now = max(now, deadline)
            let moment = now
            drive { $0.advance(now: moment, into: &$1) }
            wakes += 1
            if wakes > 50 {
                rules.fail("the engine wants to be woken at \(deadline) again and again")
                break
            }
        }
        now = target
    }
}
