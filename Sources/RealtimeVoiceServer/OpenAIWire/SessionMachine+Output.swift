import Foundation
import RealtimeVoice

/// The items and parts of a response.
extension SessionMachine {
    /// Begins the response's message, once.
    mutating func openMessage(in response: inout ResponseState) {
        guard response.messageIndex == nil else { return }
        var item = WireItem(
            id: ids.next("item"), kind: .message(role: "assistant", content: []),
            status: "in_progress")
        item.spokenFormat = response.options.format
        response.messageIndex = response.outputs.count
        addOutput(item, to: &response)
        let content: WireItem.Content = response.options.isSpoken ? .outputAudio : .outputText("")
        change(&response) { $0.kind = .message(role: "assistant", content: [content]) }
        let part: JSONValue =
            response.options.isSpoken
            ? ["type": "audio", "transcript": ""] : ["type": "text", "text": ""]
        sendPart("response.content_part.added", response, ["part": part])
    }

    mutating func addCall(_ name: String, _ arguments: String, to response: inout ResponseState) {
        let callID = ids.next("call", length: 16)
        var item = WireItem(
            id: ids.next("item"),
            kind: .functionCall(callID: callID, name: name, arguments: ""),
            status: "in_progress")
        let index = response.outputs.count
        addOutput(item, to: &response)
        let place: [String: JSONValue] = [
            "response_id": .string(response.id), "item_id": .string(item.id),
            "output_index": .int(index), "call_id": .string(callID),
        ]
        var rest = arguments[...]
        while !rest.isEmpty {
            let delta = rest.prefix(12)
            rest = rest.dropFirst(12)
            send(
                "response.function_call_arguments.delta",
                place.merging(["delta": .string(String(delta))]) { $1 })
        }
        send(
            "response.function_call_arguments.done",
            place.merging(["name": .string(name), "arguments": .string(arguments)]) { $1 })
        item.kind = .functionCall(callID: callID, name: name, arguments: arguments)
        item.status = "completed"
        response.outputs[index] = item
        if response.options.isInConversation {
            conversation.update(item.id) { [item] in $0 = item }
        }
        tellOutputDone(item, index: index, response)
    }

    mutating func addText(_ text: String, to response: inout ResponseState) {
        for word in text.split(separator: " ") {
            let before = response.text
            let delta = before.isEmpty ? String(word) : " \(word)"
            change(&response) {
                $0.kind = .message(role: "assistant", content: [.outputText(before + delta)])
            }
            sendPart("response.output_text.delta", response, ["delta": .string(delta)])
        }
    }

    mutating func send(_ word: WireItem.Word, of response: inout ResponseState) {
        var word = word
        if !response.text.isEmpty { word.text = " " + word.text }
        change(&response) { $0.spokenWords.append(word) }
        sendPart(
            "response.output_audio_transcript.delta", response, ["delta": .string(word.text)])
    }

    mutating func send(_ bytes: [UInt8], of response: inout ResponseState) {
        guard let index = response.messageIndex else { return }
        hasSpoken = true
        response.outputs[index].spokenByteCount += bytes.count
        if response.options.isInConversation {
            conversation.update(response.outputs[index].id) {
                $0.spokenByteCount += bytes.count
                $0.spokenBytes += bytes
            }
        }
        sendPart(
            "response.output_audio.delta", response,
            ["delta": .string(Data(bytes).base64EncodedString())])
    }

    /// Ends the message, as whole or as far as it came.
    mutating func closeMessage(in response: inout ResponseState, isWhole: Bool) {
        guard let index = response.messageIndex else { return }
        let text = response.text
        if response.options.isSpoken {
            sendPart("response.output_audio.done", response, [:])
            sendPart(
                "response.output_audio_transcript.done", response, ["transcript": .string(text)])
        } else {
            sendPart("response.output_text.done", response, ["text": .string(text)])
        }
        let part: JSONValue =
            response.options.isSpoken
            ? ["type": "audio", "transcript": .string(text)]
            : ["type": "text", "text": .string(text)]
        sendPart("response.content_part.done", response, ["part": part])
        change(&response) { $0.status = isWhole ? "completed" : "incomplete" }
        tellOutputDone(response.outputs[index], index: index, response)
    }

    // MARK: Helpers

    private mutating func addOutput(_ item: WireItem, to response: inout ResponseState) {
        send(
            "response.output_item.added",
            [
                "response_id": .string(response.id), "item": item.json,
                "output_index": .int(response.outputs.count),
            ])
        response.outputs.append(item)
        guard response.options.isInConversation else { return }
        conversation.append(item)
        tellAdded(item)
    }

    private mutating func tellOutputDone(_ item: WireItem, index: Int, _ response: ResponseState) {
        if response.options.isInConversation { tellDone(item) }
        send(
            "response.output_item.done",
            [
                "response_id": .string(response.id), "item": item.json,
                "output_index": .int(index),
            ])
    }

    /// Changes the message, here and in the conversation.
    private mutating func change(
        _ response: inout ResponseState,
        _ change: (inout WireItem) -> Void
    ) {
        guard let index = response.messageIndex else { return }
        change(&response.outputs[index])
        if response.options.isInConversation {
            conversation.update(response.outputs[index].id, change)
        }
    }

    private mutating func sendPart(
        _ type: String,
        _ response: ResponseState,
        _ members: [String: JSONValue]
    ) {
        guard let index = response.messageIndex else { return }
        var members = members
        members["response_id"] = .string(response.id)
        members["item_id"] = .string(response.outputs[index].id)
        members["output_index"] = .int(index)
        members["content_index"] = 0
        send(type, members)
    }
}
