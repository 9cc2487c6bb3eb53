import Foundation
import RealtimeVoice

/// Reads hand-made frames and tells the events in one line each, so that a test shows a whole
/// exchange.
struct GoogleTrace {
    var codec: any RealtimeCodec

    init(_ modelID: String = "gemini-2.5-flash-native-audio-latest", isVertex: Bool = false) {
        codec = GoogleRealtimeModel(
            modelID, apiKey: "k", options: .init(isVertex: isVertex)
        ).makeCodec()
    }

    mutating func events(_ frames: String...) throws -> [RealtimeServerEvent] {
        var events: [RealtimeServerEvent] = []
        for frame in frames { events += try codec.decode(RealtimeFrame(frame)) }
        return events
    }

    /// What frames become, as lines.
    mutating func receive(_ frames: String...) throws -> [String] {
        var events: [RealtimeServerEvent] = []
        for frame in frames { events += try codec.decode(RealtimeFrame(frame)) }
        return events.map(Self.line)
    }

    /// What an event becomes on the wire, as JSON.
    mutating func send(_ event: RealtimeClientEvent) throws -> [JSONValue] {
        try codec.encode(event).map { try JSONValue(parsing: $0.bytes) }
    }

    mutating func configure(_ config: RealtimeSessionConfig = .init()) throws {
        _ = try codec.encode(.sessionUpdate(config))
        _ = try codec.decode(RealtimeFrame(#"{"setupComplete":{}}"#))
    }

    static func line(_ event: RealtimeServerEvent) -> String {
        switch event {
        case .sessionCreated(let id, _): "sessionCreated \(id ?? "-")"
        case .responseCreated(let id, _, _, _): "responseCreated \(id)"
        case .outputItemAdded(let id, let item, _): "added \(id) \(line(item))"
        case .outputItemDone(let id, let item, _): "done \(id) \(line(item))"
        case .conversationItemAdded(let item, let placement, _):
            "item \(line(item)) \(line(placement))"
        case .audioDelta(let id, let audio, let format, _):
            "audio \(line(id)) \(audio.count) \(format?.rate.map(String.init) ?? "-")"
        case .audioDone(let id, _): "audioDone \(line(id))"
        case .audioTranscriptDelta(let id, let delta, _, _): "said \(line(id)) '\(delta)'"
        case .audioTranscriptDone(let id, let text, _):
            "saidDone \(line(id)) \(text.map { "'\($0)'" } ?? "-")"
        case .textDelta(let id, let delta, _): "text \(line(id)) '\(delta)'"
        case .textDone(let id, let text, _):
            "textDone \(line(id)) \(text.map { "'\($0)'" } ?? "-")"
        case .reasoningDelta(let id, let delta, _): "thought \(line(id)) '\(delta)'"
        case .functionCallArgumentsDone(_, let item, let call, let name, let arguments, _):
            "call \(item) \(call) \(name ?? "-") \(arguments)"
        case .responseDone(let response, _):
            "responseDone \(response.id) \(response.status.rawValue) \(response.reason ?? "-") "
                + "\(response.usage?.totalTokens.map(String.init) ?? "-")"
        case .inputTranscriptionDelta(let id, let text, let mode, _):
            "heard \(id.itemID) \(mode) '\(text)'"
        case .inputTranscriptionCompleted(let id, let text, _, _, _):
            "heardDone \(id.itemID) '\(text)'"
        case .interrupted(let id, _): "interrupted \(id ?? "-")"
        case .usage(let usage, let id, _):
            "usage \(id ?? "-") \(usage.totalTokens.map(String.init) ?? "-")"
        case .goingAway(let left, _): "goingAway \(left.map { "\($0)" } ?? "-")"
        case .toolCallCancelled(let ids, _): "cancelled \(ids.joined(separator: ","))"
        case .speechStarted(_, let offset, _):
            "speechStarted \(offset.map(String.init) ?? "-")"
        case .speechStopped(_, let offset, _):
            "speechStopped \(offset.map(String.init) ?? "-")"
        case .error(let error, _):
            "error \(error.providerCode ?? "-") \(error.isRetryable) \(error.message)"
        case .custom(let rawType, _): "custom \(rawType)"
        default: event.name
        }
    }

    private static func line(_ id: RealtimeContentID) -> String {
        "\(id.itemID)/\(id.contentIndex)"
    }

    private static func line(_ item: RealtimeItem) -> String {
        switch item.kind {
        case .message(let role, _): "\(item.id) \(role) \(item.status ?? "-")"
        case .functionCall(let callID, let name, _):
            "\(item.id) \(name)(\(callID)) \(item.status ?? "-")"
        default: item.id
        }
    }

    private static func line(_ placement: RealtimeItemPlacement) -> String {
        switch placement {
        case .first: "first"
        case .after(let id): "after \(id)"
        case .unspecified: "unspecified"
        }
    }
}

/// Frames as the service writes them.
enum GoogleFrames {
    static func content(_ fields: String, usage: Int? = nil) -> String {
        let report = usage.map { #","usageMetadata":{"totalTokenCount":\#($0)}"# } ?? ""
        return #"{"serverContent":{\#(fields)}\#(report)}"#
    }

    static func parts(_ parts: String) -> String { content(#""modelTurn":{"parts":[\#(parts)]}"#) }

    /// Three bytes of audio.
    static let audio = parts(#"{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":"AAAA"}}"#)
    static let interrupted = content(#""interrupted":true"#)
    static let generated = content(#""generationComplete":true"#)

    static func said(_ text: String) -> String {
        content(#""outputTranscription":{"text":"\#(text)"}"#)
    }

    static func heard(_ text: String) -> String {
        content(#""inputTranscription":{"text":"\#(text)"}"#)
    }

    static func done(usage: Int? = nil) -> String {
        content(#""turnComplete":true"#, usage: usage)
    }

    static func call(_ name: String, id: String?, args: String = "{}") -> String {
        let id = id.map { #","id":"\#($0)""# } ?? ""
        return #"{"toolCall":{"functionCalls":[{"name":"\#(name)","args":\#(args)\#(id)}]}}"#
    }
}
