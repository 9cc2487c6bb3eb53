import Foundation
import RealtimeVoice

/// Speaks the echo wire for one connection: it has turns but no items, so items are named here.
struct EchoCodec: RealtimeCodec {
    let model: EchoModel
    let configurationMoment = RealtimeConfigurationMoment.onSessionCreated
    private var turn = 0

    init(model: EchoModel) {
        self.model = model
    }

    // MARK: Reading

    mutating func decode(
        _ frame: RealtimeFrame
    ) throws(RealtimeError) -> [RealtimeServerEvent] {
        let message = try JSONValue(parsing: frame.bytes)
        guard let name = message["ev"]?.stringValue else {
            throw RealtimeError(.decodingFailed, "an echo message without ev")
        }
        let raw = RealtimeRawPayload(frame.bytes)
        switch name {
        case "hello": return [.sessionCreated(sessionID: nil, raw: raw)]
        case "ready": return [.sessionUpdated(raw: raw)]
        case "turn":
            turn += 1
            return [
                .responseCreated(
                    responseID: responseID, isOutOfBand: false, metadata: [:], raw: raw)
            ]
        case "say":
            let text = message["text"]?.stringValue ?? ""
            return [
                .audioTranscriptDelta(content, delta: text, startMilliseconds: nil, raw: raw)
            ]
        case "pcm":
            guard let text = message["data"]?.stringValue, let audio = Data(base64Encoded: text)
            else { throw RealtimeError(.decodingFailed, "audio that is not base64") }
            return [.audioDelta(content, audio: audio, format: nil, raw: raw)]
        case "call": return [call(message, raw)]
        case "end":
            return [.responseDone(RealtimeResponse(id: responseID, status: .completed), raw: raw)]
        default: return [.custom(rawType: name, raw: raw)]
        }
    }

    private var responseID: String { "turn_\(turn)" }

    private var content: RealtimeContentID {
        RealtimeContentID(responseID: responseID, itemID: "item_\(turn)")
    }

    private func call(_ message: JSONValue, _ raw: RealtimeRawPayload) -> RealtimeServerEvent {
        let id = message["id"]?.stringValue ?? ""
        return .functionCallArgumentsDone(
            responseID: responseID, itemID: "call_\(id)", callID: id,
            name: message["function"]?.stringValue,
            arguments: (message["arguments"] ?? [:]).serialized(), raw: raw)
    }

    // MARK: Writing

    mutating func encode(
        _ event: RealtimeClientEvent
    ) throws(RealtimeError) -> [RealtimeFrame] {
        let message: JSONValue =
            switch event {
            case .sessionUpdate(let config):
                ["op": "configure", "session": try model.encode(config: config)]
            case .inputAudioAppend(let audio):
                ["op": "pcm", "data": .string(audio.base64EncodedString())]
            case .inputAudioCommit: ["op": "over"]
            case .conversationItemCreate(let item, _): ["op": "text", "text": try text(of: item)]
            case .functionCallOutput(let output):
                ["op": "result", "id": .string(output.callID), "result": output.output]
            case .responseCreate: ["op": "answer"]
            case .responseCancel: ["op": "hush"]
            case .raw(let message): message
            // The enum may grow; what is not known here, the wire does not have.
            default: throw RealtimeError(.unsupported, "echo has no such message")
            }
        return [RealtimeFrame(message.serialized())]
    }

    private func text(of item: RealtimeItem) throws(RealtimeError) -> JSONValue {
        guard case .message("user", let content) = item.kind else {
            throw RealtimeError(.unsupported, "echo takes the user's words only")
        }
        let texts = content.compactMap { part in
            if case .text(let text) = part { text } else { nil as String? }
        }
        return .string(texts.joined(separator: " "))
    }
}
