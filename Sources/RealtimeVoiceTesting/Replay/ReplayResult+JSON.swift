import Foundation
public import RealtimeVoice

extension ReplayResult {
    /// The result as one JSON object.
    public var json: JSONValue {
        [
            "provider": .string(provider),
            "eventTypes": .array(eventTypes.map(JSONValue.string)),
            "messages": messagesJSON,
            "userTranscripts": .object(userTranscripts.mapValues(JSONValue.string)),
            "assistantTexts": .object(assistantTexts.mapValues(Self.json)),
            "toolCalls": .array(toolCalls.map(Self.json)),
            "audio": .array(audio.map(Self.json)),
            "responses": .array(responses.map(Self.json)),
            "errors": .array(errors.map(Self.json)),
            "closes": .array(closes.map(Self.json)),
            "usage": usage.json,
            "transcriptionUsage": transcriptionUsage.json,
            "custom": .object(custom.mapValues(JSONValue.int)),
            "undecodable": .int(undecodable),
            "sent": .array(
                sent.map { ["afterLine": .int($0.afterLine), "frame": $0.frame] }),
            "interruptions": .array(
                interruptions.map { line, interruption in
                    [
                        "afterLine": .int(line),
                        "cause": .string(interruption.cause.rawValue),
                        "itemIDs": .array(interruption.itemIDs.map(JSONValue.string)),
                    ]
                }),
            "http": .array(
                http.map { check, fault in
                    ["check": .string(check), "fault": fault.map(JSONValue.string) ?? .null]
                }),
            "mismatches": .array(mismatches.map(JSONValue.string)),
        ]
    }

    private var messagesJSON: JSONValue {
        guard let data = try? JSONEncoder().encode(messages) else { return .null }
        return (try? JSONValue(parsing: Array(data))) ?? .null
    }

    private static func json(_ texts: [Int: String]) -> JSONValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: texts.map { (String($0.key), JSONValue.string($0.value)) }))
    }

    private static func json(_ call: UIToolPart) -> JSONValue {
        [
            "callID": .string(call.toolCallID), "name": .string(call.toolName),
            "arguments": call.input ?? .null,
        ]
    }

    private static func json(_ audio: Audio) -> JSONValue {
        [
            "responseID": audio.content.responseID.map(JSONValue.string) ?? .null,
            "itemID": .string(audio.content.itemID),
            "contentIndex": .int(audio.content.contentIndex), "bytes": .int(audio.bytes),
            "sha256": .string(audio.sha256),
        ]
    }

    private static func json(_ response: Response) -> JSONValue {
        [
            "id": .string(response.id), "status": .string(response.status),
            "reason": response.reason.map(JSONValue.string) ?? .null,
        ]
    }

    private static func json(_ error: RealtimeError) -> JSONValue {
        [
            "code": .string(error.code.rawValue), "message": .string(error.message),
            "providerCode": error.providerCode.map(JSONValue.string) ?? .null,
            "providerType": error.providerType.map(JSONValue.string) ?? .null,
            "parameter": error.parameter.map(JSONValue.string) ?? .null,
            "eventID": error.eventID.map(JSONValue.string) ?? .null,
        ]
    }

    private static func json(_ close: RealtimeClose) -> JSONValue {
        [
            "code": .int(close.code), "reason": .string(close.reason),
            "clean": .bool(close.isClean),
        ]
    }
}

extension UsageSum {
    var json: JSONValue {
        [
            "input": Self.json(input), "output": Self.json(output),
            "totalTokens": .int(totalTokens), "seconds": .double(seconds),
            "raw": .object(raw.mapValues(Self.number)),
        ]
    }

    private static func number(_ value: Double) -> JSONValue {
        Int(exactly: value).map(JSONValue.int) ?? .double(value)
    }

    private static func json(_ tokens: RealtimeUsage.Tokens) -> JSONValue {
        var json: [String: JSONValue] = [:]
        json["total"] = tokens.total.map(JSONValue.int)
        json["text"] = tokens.text.map(JSONValue.int)
        json["audio"] = tokens.audio.map(JSONValue.int)
        json["image"] = tokens.image.map(JSONValue.int)
        json["cached"] = tokens.cached.map(JSONValue.int)
        json["reasoning"] = tokens.reasoning.map(JSONValue.int)
        return .object(json)
    }
}
