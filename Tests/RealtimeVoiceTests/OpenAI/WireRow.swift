import RealtimeVoice
import Testing

/// A server message and what comes of it.
struct ServerRow: Sendable, CustomTestStringConvertible {
    let frame: String
    let events: @Sendable (RealtimeRawPayload) -> [RealtimeServerEvent]

    init(
        _ frame: String,
        _ events: @escaping @Sendable (RealtimeRawPayload) -> [RealtimeServerEvent]
    ) {
        self.frame = frame
        self.events = events
    }

    var testDescription: String { String(frame.prefix(90)) }

    func check(_ model: any RealtimeModel) throws {
        var codec = model.makeCodec()
        let frame = RealtimeFrame(frame)
        #expect(try codec.decode(frame) == events(RealtimeRawPayload(frame.bytes)))
        // The same in a binary frame, which is not sent but tolerated.
        let binary = RealtimeFrame(kind: .binary, bytes: frame.bytes)
        #expect(try codec.decode(binary) == events(RealtimeRawPayload(frame.bytes)))
    }
}

/// A client event and the messages that it becomes.
struct ClientRow: Sendable, CustomTestStringConvertible {
    let event: RealtimeClientEvent
    let message: JSONValue

    init(_ event: RealtimeClientEvent, _ message: JSONValue) {
        self.event = event
        self.message = message
    }

    var testDescription: String { String(message.serialized().prefix(90)) }

    func check(_ model: any RealtimeModel) throws {
        var codec = model.makeCodec()
        #expect(try sent(event, by: &codec) == [message])
    }
}

/// The messages that an event becomes, each in a text frame.
func sent(
    _ event: RealtimeClientEvent, by codec: inout any RealtimeCodec
) throws -> [JSONValue] {
    try codec.encode(event).map { frame in
        #expect(frame.kind == .text)
        return try JSONValue(parsing: frame.bytes)
    }
}

/// The error that an event is refused with.
func refusal(
    of event: RealtimeClientEvent, by model: any RealtimeModel
) -> RealtimeError? {
    var codec = model.makeCodec()
    do throws(RealtimeError) {
        _ = try codec.encode(event)
        return nil
    } catch {
        return error
    }
}
