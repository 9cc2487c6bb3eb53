import Foundation

/// Writes the client messages of OpenAI, Azure and xAI.
enum OpenAIEncoder {
    static func encode(
        _ event: RealtimeClientEvent, dialect: OpenAIDialect,
        session: (RealtimeSessionConfig) throws(RealtimeError) -> JSONValue
    ) throws(RealtimeError) -> [RealtimeFrame] {
        if case .inputAudioAppend(let audio) = event { return [append(audio)] }
        return [frame(try message(event, dialect: dialect, session: session))]
    }

    /// An append is written as bytes in one go: it is the message that goes out fifty times a
    /// second.
    private static func append(_ audio: Data) -> RealtimeFrame {
        let head: StaticString = #"{"type":"input_audio_buffer.append","audio":""#
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.utf8CodeUnitCount + (audio.count + 2) / 3 * 4 + 2)
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(
                start: head.utf8Start, count: head.utf8CodeUnitCount))
        unsafe audio.withUnsafeBytes { unsafe Base64.append($0, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: "}"))
        return RealtimeFrame(kind: .text, bytes: bytes)
    }

    private static func frame(_ message: JSONValue) -> RealtimeFrame {
        RealtimeFrame(kind: .text, bytes: message.serializedBytes())
    }

    private static func message(
        _ event: RealtimeClientEvent, dialect: OpenAIDialect,
        session: (RealtimeSessionConfig) throws(RealtimeError) -> JSONValue
    ) throws(RealtimeError) -> JSONValue {
        switch event {
        case .sessionUpdate(let config):
            ["type": "session.update", "session": try session(config)]
        case .inputAudioAppend(let audio):
            [
                "type": "input_audio_buffer.append",
                "audio": .string(audio.base64EncodedString()),
            ]
        case .inputAudioCommit: ["type": "input_audio_buffer.commit"]
        case .inputAudioClear: ["type": "input_audio_buffer.clear"]
        case .conversationItemCreate(let item, let placement):
            create(try self.item(item, dialect: dialect), placement)
        case .conversationItemTruncate(let itemID, let contentIndex, let milliseconds):
            [
                "type": "conversation.item.truncate", "item_id": .string(itemID),
                "content_index": .int(contentIndex), "audio_end_ms": .int(milliseconds),
            ]
        case .conversationItemDelete(let itemID):
            ["type": "conversation.item.delete", "item_id": .string(itemID)]
        case .conversationItemRetrieve(let itemID):
            ["type": "conversation.item.retrieve", "item_id": .string(itemID)]
        case .functionCallOutput(let output):
            create(
                [
                    "type": "function_call_output", "call_id": .string(output.callID),
                    "output": .string(text(of: output)),
                ], .unspecified)
        case .responseCreate(let options): response(options, dialect: dialect)
        case .responseCancel(let responseID):
            responseID.map { ["type": "response.cancel", "response_id": .string($0)] }
                ?? ["type": "response.cancel"]
        case .raw(let message): message
        }
    }

    private static func create(
        _ item: JSONValue, _ placement: RealtimeItemPlacement
    ) -> JSONValue {
        var message: [String: JSONValue] = ["type": "conversation.item.create", "item": item]
        switch placement {
        case .first: message["previous_item_id"] = "root"
        case .after(let id): message["previous_item_id"] = .string(id)
        case .unspecified: break
        }
        return .object(message)
    }

    private static func item(
        _ item: RealtimeItem, dialect: OpenAIDialect
    ) throws(RealtimeError) -> JSONValue {
        var json: [String: JSONValue]
        switch item.kind {
        case .message(let role, let content):
            var parts: [JSONValue] = []
            for part in content { parts.append(try self.content(part, role: role)) }
            json = ["type": "message", "role": .string(role), "content": .array(parts)]
        case .functionCall(let callID, let name, let arguments):
            json = [
                "type": "function_call", "call_id": .string(callID), "name": .string(name),
                "arguments": .string(arguments),
            ]
        case .functionCallOutput(let callID, let output):
            json = [
                "type": "function_call_output", "call_id": .string(callID),
                "output": .string(output),
            ]
        case .other(let type):
            throw RealtimeError(
                .invalidInput, "an item of type \(type) can only be sent as a raw event")
        }
        if dialect.sendsItemIDs, !item.id.isEmpty, item.id.utf8.count <= 32 {
            json["id"] = .string(item.id)
        }
        return .object(json)
    }

    private static func content(
        _ content: RealtimeItem.Content, role: String
    ) throws(RealtimeError) -> JSONValue {
        switch content {
        case .text(let text):
            [
                "type": role == "assistant" ? "output_text" : "input_text",
                "text": .string(text),
            ]
        // Assistant audio can't be created; what was said can, as text.
        case .audio(let transcript):
            [
                "type": role == "assistant" ? "output_text" : "input_text",
                "text": .string(transcript ?? ""),
            ]
        case .image(let url): ["type": "input_image", "image_url": .string(url)]
        case .other(let type):
            throw RealtimeError(
                .invalidInput, "a part of type \(type) can only be sent as a raw event")
        }
    }

    private static func response(
        _ options: RealtimeResponseOptions, dialect: OpenAIDialect
    ) -> JSONValue {
        var response: [String: JSONValue] = [:]
        response["instructions"] = options.instructions.map(JSONValue.string)
        response[dialect.modalitiesKey] = options.outputModalities.map {
            .array($0.map(JSONValue.string))
        }
        response["metadata"] = options.metadata.map {
            .object($0.mapValues(JSONValue.string))
        }
        if options.isOutOfBand { response["conversation"] = "none" }
        var native = JSONValue.object(response)
        if let more = options.providerOptions { native = native.merging(more) }
        var message: [String: JSONValue] = ["type": "response.create"]
        message["event_id"] = options.eventID.map(JSONValue.string)
        if native != .object([:]) { message["response"] = native }
        return .object(message)
    }

    /// A tool's result as the wire wants it: text as it is, anything else as JSON.
    static func text(of output: RealtimeToolOutput) -> String {
        if output.isError {
            return JSONValue.object(["error": output.output]).serialized()
        }
        return output.output.stringValue ?? output.output.serialized()
    }
}
