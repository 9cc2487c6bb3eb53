import Foundation
import RealtimeVoice

extension RealtimeReplay {
    // MARK: The app, in a scenario

    /// Does what an `app` line says.
    mutating func takeApp(_ call: JSONValue) {
        switch call["call"]?.stringValue {
        case "sendText": perform(.sendText(call["text"]?.stringValue ?? "", itemID: nil))
        case "sendAudio": perform(.appendAudio(audio(of: call)))
        case "commitAudio": perform(.commitAudio)
        case "clearAudioBuffer": perform(.clearAudio)
        case "requestResponse": perform(.requestResponse(options(of: call)))
        case "cancelResponse": perform(.cancelResponse)
        case "playbackInterrupted": playbackInterrupted(call)
        case "playbackProgressed":
            perform(.playbackProgressed(playedMilliseconds: played(call)))
        case "addToolOutput": perform(.toolOutput(output(of: call)))
        case "toolResult": register(output(of: call))
        case "disconnect": disconnect()
        case let name:
            result.errors.append(
                RealtimeError(
                    .invalidInput, "line \(line): there is no call \(name ?? "without a name")"))
        }
    }

    private mutating func playbackInterrupted(_ call: JSONValue) {
        guard let itemID = call["itemID"]?.stringValue else {
            perform(.playbackInterrupted(playedMilliseconds: played(call)))
            return
        }
        perform(
            .itemPlaybackInterrupted(
                itemID: itemID, contentIndex: call["contentIndex"]?.intValue ?? 0,
                playedMilliseconds: played(call)))
    }

    private func played(_ call: JSONValue) -> Int {
        call["playedMilliseconds"]?.doubleValue.map { Int(max(0, min($0, 1e12))) } ?? 0
    }

    /// `milliseconds` of silence in the configured format, or the audio itself.
    private func audio(of call: JSONValue) -> Data {
        if let text = call["base64"]?.stringValue { return Data(base64Encoded: text) ?? Data() }
        let format = engine.inputFormat
        let milliseconds = min(max(0, call["milliseconds"]?.intValue ?? 0), 600_000)
        let silence: UInt8 =
            switch format.type {
            case "audio/pcmu": 0xFF
            case "audio/pcma": 0xD5
            default: 0
            }
        return Data(repeating: silence, count: format.bytes(ofMilliseconds: milliseconds))
    }

    private func options(of call: JSONValue) -> RealtimeResponseOptions {
        RealtimeResponseOptions(
            instructions: call["instructions"]?.stringValue,
            outputModalities: call["outputModalities"]?.arrayValue?.compactMap(\.stringValue),
            metadata: call["metadata"]?.objectValue?.compactMapValues(\.stringValue),
            isOutOfBand: call["isOutOfBand"]?.boolValue ?? false)
    }

    private func output(of call: JSONValue) -> RealtimeToolOutput {
        let error = call["error"].flatMap { $0.isNull ? nil : $0 }
        let text = error?.stringValue ?? error?["message"]?.stringValue ?? error?.serialized()
        return RealtimeToolOutput(
            callID: call["callID"]?.stringValue ?? "", name: call["name"]?.stringValue ?? "",
            output: text.map(JSONValue.string) ?? call["output"] ?? .null, isError: text != nil)
    }

    // MARK: The recorded client

    /// Takes what a recorded client sent for what its app did.
    mutating func takeRecordedClient(_ frame: JSONValue) {
        if frame["type"]?.stringValue == "conversation.item.create" {
            guard let item = frame["item"],
                item["type"]?.stringValue == "function_call_output",
                let callID = item["call_id"]?.stringValue
            else { return }
            answer(callID, parsed(item["output"]))
            return
        }
        let reply = frame["toolResponse"] ?? frame["tool_response"]
        let answers = reply?["functionResponses"] ?? reply?["function_responses"]
        for entry in answers?.arrayValue ?? [] {
            guard let callID = entry["id"]?.stringValue else { continue }
            answer(callID, entry["response"]?["output"] ?? entry["response"] ?? .null)
        }
        showTyped(frame)
    }

    private func parsed(_ output: JSONValue?) -> JSONValue {
        guard let text = output?.stringValue else { return output ?? .null }
        guard let json = try? JSONValue(parsing: text), json.objectValue != nil else {
            return .string(text)
        }
        return json
    }

    private mutating func answer(_ callID: String, _ output: JSONValue) {
        let now = now
        drive { engine, effects in
            // An output for a call that this recording doesn't have is its client's affair.
            try? engine.perform(
                .toolOutput(RealtimeToolOutput(callID: callID, name: "", output: output)),
                now: now, into: &effects)
        }
    }

    /// Gemini doesn't repeat typed text, so it is shown as a session shows it.
    private mutating func showTyped(_ frame: JSONValue) {
        let input = frame["realtimeInput"] ?? frame["realtime_input"]
        if let text = input?["text"]?.stringValue {
            engine.reducer.apply(.userText(itemID: "typed_\(line)", text: text))
        }
        let content = frame["clientContent"] ?? frame["client_content"]
        for (index, turn) in (content?["turns"]?.arrayValue ?? []).enumerated() {
            let text = (turn["parts"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
                .joined(separator: " ")
            guard !text.isEmpty else { continue }
            let id = "typed_\(line)_\(index)"
            if turn["role"]?.stringValue == "model" {
                let item = RealtimeItem(
                    id: id, kind: .message(role: "assistant", content: [.text(text)]),
                    status: "completed")
                engine.reducer.reduce(
                    .conversationItemAdded(item, placement: .unspecified, raw: .none))
            } else {
                engine.reducer.apply(.userText(itemID: id, text: text))
            }
        }
    }
}
