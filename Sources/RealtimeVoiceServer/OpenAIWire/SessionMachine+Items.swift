import Foundation
import RealtimeVoice

/// The conversation's items.
extension SessionMachine {
    /// Puts a finished item at the end and tells so.
    mutating func add(_ item: WireItem) {
        conversation.append(item)
        tellAdded(item)
        tellDone(item)
    }

    mutating func tellAdded(_ item: WireItem) {
        let previous = conversation.predecessor(of: item.id).json
        send("conversation.item.added", ["item": item.json, "previous_item_id": previous])
    }

    mutating func tellDone(_ item: WireItem) {
        let previous = conversation.predecessor(of: item.id).json
        send("conversation.item.done", ["item": item.json, "previous_item_id": previous])
    }

    mutating func createItem(_ event: JSONValue) throws(WireError) {
        let value = event["item"] ?? .null
        try checkRole(value)
        let id = value["id"]?.stringValue ?? ids.next("item")
        guard var item = WireItem(value, id: id) else {
            throw .wrongType("item", expected: "an item", value)
        }
        if case .functionCallOutput(let callID, _) = item.kind, !conversation.hasCall(callID) {
            throw WireError(
                code: "invalid_tool_call_id",
                message: "Tool call ID '\(callID)' not found in conversation.",
                parameter: "item.call_id")
        }
        let audio = (value["content"]?.arrayValue ?? []).compactMap {
            $0["audio"]?.stringValue
        }.joined()
        if !audio.isEmpty {
            guard let bytes = Data(base64Encoded: audio) else {
                throw WireError(
                    code: "invalid_value",
                    message: "Invalid 'audio'. Expected base64-encoded audio bytes.",
                    parameter: "item.content")
            }
            var converter = InputConverter(format: settings.inputFormat)
            item.heardSamples = converter.convert(bytes)
        }
        let mustBeHeard = !item.heardSamples.isEmpty && item.heardText == nil
        try conversation.insert(item, after: event["previous_item_id"]?.stringValue)
        tellAdded(item)
        tellDone(item)
        if mustBeHeard {
            pendingHearing.insert(id)
            actions += [
                .beginHearing(item: id), .hear(item: id, samples: item.heardSamples),
                .finishHearing(item: id),
            ]
        }
    }

    /// Each role has its kinds of content.
    private func checkRole(_ item: JSONValue) throws(WireError) {
        guard item["type"] == "message", let role = item["role"]?.stringValue else { return }
        let supported =
            switch role {
            case "system": ["input_text"]
            case "user": ["input_text", "input_audio", "input_image"]
            default: ["output_text"]
            }
        for (index, part) in (item["content"]?.arrayValue ?? []).enumerated() {
            let type = part["type"]?.stringValue ?? ""
            guard supported.contains(type) else {
                throw .invalid("item.content[\(index)].type", type, supported: supported)
            }
        }
    }

    mutating func retrieveItem(_ id: String) throws(WireError) {
        guard let item = conversation.item(id) else { throw missingItem(id, "retrieve") }
        var json = item.json
        var audio: String?
        var format = item.spokenFormat
        if !item.heardSamples.isEmpty {
            format = settings.inputFormat
            let bytes = OutputConverter.bytes(item.heardSamples, sampleRate: 16_000, as: format)
            audio = Data(bytes).base64EncodedString()
        } else if !item.spokenBytes.isEmpty {
            audio = Data(item.spokenBytes).base64EncodedString()
        }
        if let audio, var part = json["content"]?[0]?.objectValue {
            part["audio"] = .string(audio)
            part["format"] = .string(format.type)
            json = json.merging(["content": [.object(part)]])
        }
        send("conversation.item.retrieved", ["item": json])
    }

    mutating func deleteItem(_ id: String) throws(WireError) {
        guard conversation.remove(id) else { throw missingItem(id, "delete") }
        send("conversation.item.deleted", ["item_id": .string(id)])
    }

    mutating func truncateItem(_ event: JSONValue) throws(WireError) {
        let id = event["item_id"]?.stringValue ?? ""
        let end = event["audio_end_ms"]?.intValue ?? 0
        guard let item = conversation.item(id) else { throw missingItem(id, "truncate") }
        guard item.isSpokenByAssistant, item.spokenByteCount > 0 else {
            throw WireError(
                code: "unsupported_content_type",
                message: "Only model output audio messages can be truncated",
                parameter: "item_id")
        }
        guard event["content_index"] == 0 else {
            throw .outOfRange("content_index", "the index of an audio part")
        }
        let length = item.spokenFormat.milliseconds(ofBytes: item.spokenByteCount)
        guard end <= length else {
            throw WireError(
                code: "invalid_value",
                message: "Audio content of \(length)ms is already shorter than \(end)ms",
                parameter: "audio_end_ms")
        }
        conversation.update(id) { $0.truncate(toMilliseconds: end) }
        send(
            "conversation.item.truncated",
            ["item_id": .string(id), "content_index": 0, "audio_end_ms": .int(end)])
    }

    private func missingItem(_ id: String, _ verb: String) -> WireError {
        let participle = verb.hasSuffix("e") ? verb.dropLast() + "ing" : verb + "ing"
        return WireError(
            code: "item_\(verb)_invalid_item_id",
            message: "Error \(participle) item: the item with id '\(id)' does not exist.",
            parameter: "item_id")
    }
}
