import Foundation

@testable import RealtimeVoice

extension WalkWorld {
    // MARK: Steps

    /// What moves, and how often of a hundred times: frames down, frames up, the server, speech,
    /// the app, the player, tools; the rest is time. Each seed has one of these moods.
    private static let moods: [[Int]] = [
        [34, 16, 24, 4, 6, 4, 4], [20, 6, 30, 4, 16, 6, 4], [30, 14, 16, 14, 6, 4, 4],
        [40, 20, 24, 2, 3, 4, 1],
    ]

    mutating func step() {
        var left = dice.roll(100)
        let weights = Self.moods[Int(seed % 4)]
        let mover = weights.firstIndex { weight in
            left -= weight
            return left < 0
        }
        switch mover {
        case 0: deliverNext()
        case 1: serverReceives()
        case 2: serverMoves()
        case 3: server.speechMoves(dice: &dice)
        case 4: appActs()
        case 5: playerReports()
        case 6: toolAnswers()
        default:
            let time = Duration.milliseconds(dice.chance(3) ? 2_000 : dice.roll(250))
            if !dice.chance(15) { player.pass(time) }
            pass(time)
        }
    }

    mutating func deliverNext() {
        if !late.isEmpty, dice.chance(10) { deliver(late.removeFirst()) }
        guard !server.outbox.isEmpty else { return }
        let event = server.outbox.removeFirst()
        guard provider.isUnreliable, rules.isReady else { return deliver(event) }
        switch dice.roll(100) {
        case 0..<5:
            deliver(event)
            // Nobody could tell the copy of a piece of audio from the next piece.
            if case .audioDelta = event { return }
            deliver(event)
        case 5..<8 where isLosable(event): break
        case 8..<11 where isLosable(event) && canBeLate(event): late.append(event)
        default: deliver(event)
        }
    }

    /// Whatever ends something comes: nothing could make up for the loss of that.
    private func isLosable(_ event: RealtimeServerEvent) -> Bool {
        switch event {
        case .responseDone, .audioCommitted, .sessionUpdated, .error: false
        default: true
        }
    }

    /// Without its beginning, a response out of band looks like any other.
    private func canBeLate(_ event: RealtimeServerEvent) -> Bool {
        if case .responseCreated = event { return false }
        return true
    }

    mutating func serverReceives() {
        guard !upstream.isEmpty else { return }
        let event = wire.clientEvent(upstream.removeFirst())
        note("server gets \(event)")
        server.receive(event, dice: &dice)
    }

    mutating func serverMoves() {
        if dice.chance(20) { server.transcribe(dice: &dice) }
        if !server.outOfBand.isEmpty, dice.chance(30) {
            server.beat(outOfBand: dice.roll(server.outOfBand.count))
        }
        server.beat()
    }

    private mutating func playerReports() {
        switch dice.roll(10) {
        case 0..<5:
            if let played = player.takeReport() {
                ask(.playbackInterrupted(playedMilliseconds: played))
            }
        case 5..<8:
            if player.isPlaying {
                ask(.playbackProgressed(playedMilliseconds: player.playedMilliseconds))
            }
        case 8:
            // The user pressed the player's own stop button.
            guard player.isPlaying else { return }
            player.stop()
            ask(.playbackInterrupted(playedMilliseconds: player.takeReport() ?? 0))
        default:
            // A player that is wrong.
            let odd = [-5, 0, 1, 1 << 40, 700][dice.roll(5)]
            ask(.playbackInterrupted(playedMilliseconds: odd))
            player.stop()
            _ = player.takeReport()
        }
    }

    mutating func toolAnswers() {
        guard !tools.isEmpty else { return }
        let call = tools.remove(at: dice.roll(tools.count))
        answered.append(call.id)
        let output = RealtimeToolOutput(
            callID: call.id, name: call.name, output: "fine", isError: dice.chance(20))
        ask(.toolOutput(output))
        if dice.chance(10) { ask(.toolOutput(output)) }
    }

    private mutating func appActs() {
        let isReady = rules.isReady
        switch dice.roll(isReady ? 16 : 3) {
        case 0:
            typed += 1
            // Some things are said more than once.
            ask(.sendText(dice.chance(20) ? "yes" : "typed \(typed)", itemID: nil))
        case 1, 15: ask(.appendAudio(Data(count: 2_400 * (1 + dice.roll(3)))))
        case 2, 3, 4: ask(.requestResponse(RealtimeResponseOptions()))
        case 5:
            ask(.requestResponse(RealtimeResponseOptions(instructions: "now \(dice.roll(3))")))
        case 6:
            // Only OpenAI has responses beside the conversation.
            guard provider.kind == .openAI else { return }
            ask(.requestResponse(RealtimeResponseOptions(isOutOfBand: true)))
        case 7, 8: ask(.cancelResponse)
        case 9: ask(.commitAudio)
        case 10: ask(.clearAudio)
        case 11: addItem()
        case 12: changeSession()
        case 13:
            guard provider.kind == .openAI,
                let id = server.order.last(where: { server.items[$0]?.kind == .user }),
                rules.knownItems.contains(id), !rules.deletedItems.contains(id), dice.chance(30)
            else { return }
            ask(.deleteItem(id))
        default: ask(.retrieveItem(dice.pick(server.order) ?? "nobody"))
        }
    }

    private mutating func addItem() {
        guard provider.kind != .gemini else { return }
        typed += 1
        let item = RealtimeItem(
            id: "app_\(typed)",
            kind: .message(role: "user", content: [.text("added \(typed)")]))
        switch dice.roll(4) {
        case 0: ask(.addItem(item, .after("nobody")))
        case 1: ask(.addItem(item, .first))
        case 2:
            // To cut into an answer, as a race would, is beyond what a list of messages shows.
            guard server.isQuiet, upstream.isEmpty, let last = server.order.last,
                server.items[last]?.isDeleted == false
            else { return }
            ask(.addItem(item, .after(last)))
        default: ask(.addItem(item, .unspecified))
        }
    }

    private mutating func changeSession() {
        guard dice.chance(30) else { return }
        if dice.chance(50) {
            ask(.updateSession(RealtimeSessionConfig(voice: "another")))
        } else {
            let detections = [provider.turnDetection, .init(type: .disabled)]
            ask(.updateSession(RealtimeSessionConfig(turnDetection: dice.pick(detections))))
        }
    }

    // MARK: Quiet

    /// Lets everything that is under way come to its end, then looks whether all is well.
    mutating func settle() {
        for _ in 0..<12 {
            calm()
            pass(.seconds(6))
        }
        checkQuiet()
    }

    private mutating func calm() {
        for _ in 0..<400 {
            for event in late { deliver(event) }
            late = []
            while !server.outbox.isEmpty { deliver(server.outbox.removeFirst()) }
            while !upstream.isEmpty { serverReceives() }
            while !tools.isEmpty { toolAnswers() }
            if server.speech != .silence { server.speechMoves(dice: &dice) }
            if let played = player.takeReport() {
                ask(.playbackInterrupted(playedMilliseconds: played))
            }
            server.transcribe(dice: &dice)
            if !server.outOfBand.isEmpty { server.beat(outOfBand: 0) }
            server.beat()
            player.pass(.milliseconds(100))
            pass(.milliseconds(20))
            if server.isQuiet, upstream.isEmpty, tools.isEmpty { break }
        }
    }

    private mutating func checkQuiet() {
        guard server.isQuiet, upstream.isEmpty, tools.isEmpty else {
            rules.fail("it never becomes quiet: \(server.active?.id ?? "")")
            return
        }
        rules.checkQuiet()
        for part in engine.reducer.messages.flatMap(\.parts).compactMap(\.tool)
        where part.state == .inputStreaming || part.state == .inputAvailable {
            if engine.tools.name(of: part.toolCallID) != nil {
                rules.failIfReliable("the call \(part) is left as it was")
            }
        }
        let gate = engine.gate
        if gate.state != .idle || !gate.pending.isEmpty {
            rules.fail("the gate is stuck: \(gate.state), \(gate.floor), \(gate.pending)")
        }
        if !engine.tools.running.isEmpty { rules.fail("calls run for ever") }
        checkMessages()
        rules.created = rules.created.suffix(8)
    }

    mutating func checkMessages() {
        let messages = engine.reducer.messages
        if copy != messages { rules.fail("the copy differs from the list") }
        if Set(messages.map(\.id)).count != messages.count { rules.fail("an id stands twice") }
        guard !provider.isUnreliable, provider.kind != .gemini, upstream.isEmpty,
            server.outbox.isEmpty
        else { return }
        var seen: Set<String> = []
        let expected = server.order.compactMap { id -> String? in
            guard server.items[id]?.kind != .output, let owner = engine.reducer.owners[id],
                seen.insert(owner).inserted
            else { return nil }
            return owner
        }
        let actual = messages.map(\.id).filter { seen.contains($0) }
        if expected != actual {
            let index = zip(expected, actual).prefix { $0 == $1 }.count
            rules.fail(
                "out of order from \(index): \(actual.dropFirst(index).prefix(6)) "
                    + "instead of \(expected.dropFirst(index).prefix(6))")
        }
        checkListener(messages)
    }

    /// Whoever only listens to the provider sees the same conversation.
    private mutating func checkListener(_ messages: [UIMessage]) {
        let own = Set(engine.reducer.unconfirmed.map(\.messageID))
        let ours = messages.filter { !own.contains($0.id) }.map(Self.plain)
        let theirs = listener.messages.map(Self.plain)
        guard ours != theirs else { return }
        let index = zip(ours, theirs).prefix { $0 == $1 }.count
        rules.fail(
            "a listener sees another conversation from \(index): "
                + "\(ours.dropFirst(index).prefix(2)) != \(theirs.dropFirst(index).prefix(2))")
    }

    /// A message without what only this client knows: what was heard, and its tools' results.
    private static func plain(_ message: UIMessage) -> [String] {
        [message.role.rawValue, message.ending?.status ?? ""]
            + message.parts.map { part in
                if let text = part.text { return text.text + (text.unheardText ?? "") }
                return part.tool.map { "\($0.toolCallID) \($0.toolName)" } ?? "\(part)"
            }
    }
}
