import RealtimeVoice

extension WalkServer {
    /// What a response will say and call, beat by beat.
    mutating func script(of responseID: String, dice: inout WalkDice) -> [Beat] {
        var scripts: [[Beat]] = []
        for _ in 0..<(1 + dice.roll(3)) {
            switch dice.roll(10) {
            case 0..<5: scripts.append(speech(of: responseID, dice: &dice))
            case 5..<7: scripts.append(text(of: responseID, dice: &dice))
            case 7: scripts.append(empty(of: responseID))
            default: scripts.append(call(of: responseID, dice: &dice))
            }
        }
        if dice.chance(5) { scripts = [] }
        let status: RealtimeResponse.Status =
            dice.chance(90) ? .completed : dice.chance(50) ? .incomplete : .failed
        return interleave(scripts, dice: &dice) + [.end(status)]
    }

    /// One item after the other, or mixed as gpt-realtime-2 does; each keeps its own order.
    private func interleave(_ scripts: [[Beat]], dice: inout WalkDice) -> [Beat] {
        guard dice.chance(30) else { return scripts.flatMap { $0 } }
        var rest = scripts.map { Array($0.reversed()) }
        var mixed: [Beat] = []
        // Items are announced in order.
        for index in rest.indices {
            if let first = rest[index].popLast() { mixed.append(first) }
        }
        while !rest.allSatisfy(\.isEmpty) {
            let index = dice.roll(rest.count)
            if let beat = rest[index].popLast() { mixed.append(beat) }
        }
        return mixed
    }

    private func message(
        _ id: String, _ content: [RealtimeItem.Content], _ status: String
    ) -> RealtimeItem {
        RealtimeItem(id: id, kind: .message(role: "assistant", content: content), status: status)
    }

    private mutating func speech(of responseID: String, dice: inout WalkDice) -> [Beat] {
        let id = newID("item")
        let content = RealtimeContentID(responseID: responseID, itemID: id)
        var beats: [Beat] = [
            .added(message(id, [], "in_progress")), .event(.contentPartAdded(content, raw: .none)),
        ]
        var words = ""
        for number in 0..<(1 + dice.roll(6)) {
            let word = "word\(number) "
            words += word
            if dice.chance(80) {
                beats.append(
                    .event(
                        .audioTranscriptDelta(
                            content, delta: word, startMilliseconds: nil, raw: .none)))
            }
            beats.append(.audio(content, bytes: 2_000 + dice.roll(20_000)))
        }
        beats += [
            .event(.audioDone(content, raw: .none)),
            .event(.audioTranscriptDone(content, transcript: words, raw: .none)),
            .event(.contentPartDone(content, raw: .none)),
            .done(message(id, [.audio(transcript: words)], "completed")),
        ]
        return beats
    }

    private mutating func text(of responseID: String, dice: inout WalkDice) -> [Beat] {
        let id = newID("item")
        let content = RealtimeContentID(responseID: responseID, itemID: id)
        var beats: [Beat] = [.added(message(id, [], "in_progress"))]
        // Some servers send no delta at all.
        for number in 0..<dice.roll(4) {
            beats.append(.event(.textDelta(content, delta: "text\(number) ", raw: .none)))
        }
        beats += [
            .event(.textDone(content, text: "the text of \(id)", raw: .none)),
            .done(message(id, [.text("the text of \(id)")], "completed")),
        ]
        return beats
    }

    private mutating func empty(of responseID: String) -> [Beat] {
        let id = newID("item")
        return [.added(message(id, [], "in_progress")), .done(message(id, [], "completed"))]
    }

    private mutating func call(of responseID: String, dice: inout WalkDice) -> [Beat] {
        let id = newID("item")
        let callID = newID("call")
        let arguments = [#"{"city":"Oslo"}"#, "", "{\n } \n", #"{"city":"#][dice.roll(4)]
        var beats: [Beat] = [
            .added(
                RealtimeItem(
                    id: id, kind: .functionCall(callID: callID, name: "look", arguments: ""),
                    status: "in_progress"))
        ]
        for _ in 0..<dice.roll(3) {
            beats.append(
                .event(
                    .functionCallArgumentsDelta(
                        responseID: responseID, itemID: id, callID: callID, name: nil, delta: "",
                        raw: .none)))
        }
        beats += [
            .event(
                .functionCallArgumentsDone(
                    responseID: responseID, itemID: id, callID: callID, name: "look",
                    arguments: arguments, raw: .none)),
            .done(
                RealtimeItem(
                    id: id, kind: .functionCall(callID: callID, name: "look", arguments: arguments),
                    status: "completed")),
        ]
        return beats
    }
}
