import Foundation

/// Writes the client messages of OpenAI, Azure and xAI.
enum OpenAIEncoder {
    /// The frames of an event, whose session configuration is the codec's affair.
    static func encode(
        _ event: RealtimeClientEvent, dialect: OpenAIDialect
    ) throws(RealtimeError) -> [RealtimeFrame] {
        if case .inputAudioAppend(let audio) = event { return append(audio, dialect: dialect) }
        try check(event, dialect: dialect)
        return [frame(try message(event, dialect: dialect))]
    }

    static func sessionUpdate(_ session: JSONValue) -> RealtimeFrame {
        frame(["type": "session.update", "session": session])
    }

    /// The wire takes 15 MiB of base64 at a time; a multiple of 6 keeps samples whole and needs
    /// no padding.
    static let maximumAppendBytes = 6 << 20

    private static func append(_ audio: Data, dialect: OpenAIDialect) -> [RealtimeFrame] {
        guard audio.count > maximumAppendBytes else { return [append(audio[...], dialect)] }
        return stride(from: 0, to: audio.count, by: maximumAppendBytes).map { offset in
            append(audio.dropFirst(offset).prefix(maximumAppendBytes), dialect)
        }
    }

    /// An append is written as bytes in one go: it is the message that goes out fifty times a
    /// second.
    private static func append(_ audio: Data, _ dialect: OpenAIDialect) -> RealtimeFrame {
        let head: StaticString =
            dialect.scope == .translation
            ? #"{"type":"session.input_audio_buffer.append","audio":""#
            : #"{"type":"input_audio_buffer.append","audio":""#
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

    /// What a session of this kind doesn't take.
    private static func check(
        _ event: RealtimeClientEvent, dialect: OpenAIDialect
    ) throws(RealtimeError) {
        let isTaken =
            switch (event, dialect.scope) {
            case (.conversationItemRetrieve, _) where !dialect.retrievesItems: false
            case (_, .conversation), (.raw, _), (.sessionUpdate, _), (.inputAudioAppend, _): true
            case (.inputAudioCommit, .transcription), (.inputAudioClear, .transcription),
                (.conversationItemDelete, .transcription),
                (.conversationItemRetrieve, .transcription):
                true
            case (_, .transcription), (_, .translation): false
            }
        guard isTaken else {
            throw RealtimeError(
                .unsupported, "\(dialect.name) has no such message in this kind of session")
        }
    }

    private static func message(
        _ event: RealtimeClientEvent, dialect: OpenAIDialect
    ) throws(RealtimeError) -> JSONValue {
        switch event {
        case .sessionUpdate, .inputAudioAppend:
            throw RealtimeError(.invalidInput, "this event is not encoded here")
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
        case .responseCreate(let options): try response(options, dialect: dialect)
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
            for part in content {
                parts.append(try self.content(part, role: role, dialect: dialect))
            }
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
        _ content: RealtimeItem.Content, role: String, dialect: OpenAIDialect
    ) throws(RealtimeError) -> JSONValue {
        let textType = role == "assistant" ? dialect.assistantTextType : "input_text"
        switch content {
        case .text(let text): return ["type": .string(textType), "text": .string(text)]
        // Assistant audio can't be created; what was said can, as text.
        case .audio(let transcript):
            return ["type": .string(textType), "text": .string(transcript ?? "")]
        case .image(let url):
            guard dialect.takesImages else {
                throw RealtimeError(.unsupported, "\(dialect.name) takes no images")
            }
            return ["type": "input_image", "image_url": .string(url)]
        case .other(let type):
            throw RealtimeError(
                .invalidInput, "a part of type \(type) can only be sent as a raw event")
        }
    }

    private static func response(
        _ options: RealtimeResponseOptions, dialect: OpenAIDialect
    ) throws(RealtimeError) -> JSONValue {
        var response: [String: JSONValue] = [:]
        response["instructions"] = options.instructions.map(JSONValue.string)
        if let modalities = options.outputModalities, !modalities.isEmpty {
            response[dialect.modalitiesKey] = try self.modalities(modalities, dialect: dialect)
        }
        response["metadata"] = options.metadata.map {
            .object($0.mapValues(JSONValue.string))
        }
        if options.isOutOfBand {
            guard dialect.hasOutOfBandResponses else {
                throw RealtimeError(
                    .unsupported, "\(dialect.name) has no responses out of the conversation",
                    parameter: "isOutOfBand")
            }
            response["conversation"] = "none"
        }
        var native = JSONValue.object(response)
        if let more = options.providerOptions { native = native.merging(more) }
        var message: [String: JSONValue] = ["type": "response.create"]
        message["event_id"] = options.eventID.map(JSONValue.string)
        if native != .object([:]) { message["response"] = native }
        return .object(message)
    }

    /// Speech brings its transcript along, so text beside it asks for nothing more.
    private static func modalities(
        _ modalities: [String], dialect: OpenAIDialect
    ) throws(RealtimeError) -> JSONValue {
        if modalities.contains("audio") { return dialect.speechModalities }
        guard dialect.answersWithText else {
            throw RealtimeError(
                .unsupported, "\(dialect.name) always answers with speech",
                parameter: "outputModalities")
        }
        return .array(modalities.map(JSONValue.string))
    }

    /// A tool's result as the wire wants it: text as it is, anything else as JSON.
    static func text(of output: RealtimeToolOutput) -> String {
        if output.isError {
            return JSONValue.object(["error": output.output]).serialized()
        }
        return output.output.stringValue ?? output.output.serialized()
    }
}
