import Foundation
import RealtimeVoice
import Synchronization

/// A channel with the events that it told, to be awaited one by one.
final class Link: Sendable {
    let channel: any RealtimeTransportChannel
    private let events: AsyncStream<RealtimeTransportEvent>
    private let log: EventLog

    private final class EventLog: Sendable {
        let events = Mutex<[RealtimeTransportEvent]>([])
    }

    private init(
        _ request: RealtimeConnectRequest,
        _ transport: any RealtimeTransport
    ) {
        let (events, continuation) = AsyncStream.makeStream(of: RealtimeTransportEvent.self)
        let log = EventLog()
        self.events = events
        self.log = log
        channel = transport.open(request) { event in
            log.events.withLock { $0.append(event) }
            continuation.yield(event)
            switch event {
            case .closed, .failed: continuation.finish()
            case .opened, .received, .pong, .drained: break
            }
        }
    }

    static func open(
        _ request: RealtimeConnectRequest,
        _ transport: any RealtimeTransport = DefaultTransport.make()
    ) -> Link {
        Link(request, transport)
    }

    /// Everything told so far.
    var told: [RealtimeTransportEvent] { log.events.withLock { $0 } }

    /// The next event that was not awaited yet; nil after the last.
    func next() async -> RealtimeTransportEvent? {
        for await event in events { return event }
        return nil
    }

    /// All events that were not awaited yet, up to the last.
    func rest() async -> [RealtimeTransportEvent] {
        var rest: [RealtimeTransportEvent] = []
        for await event in events { rest.append(event) }
        return rest
    }
}

extension RealtimeTransportEvent {
    static func text(_ text: String) -> RealtimeTransportEvent {
        .received(RealtimeFrame(text))
    }

    static func closed(_ code: Int, _ reason: String = "", isClean: Bool = true) -> Self {
        .closed(RealtimeClose(code: code, reason: reason, isClean: isClean))
    }

    /// The error of a failure.
    var failure: RealtimeError? {
        guard case .failed(let error) = self else { return nil }
        return error
    }

    /// How the connection ended.
    var close: RealtimeClose? {
        guard case .closed(let close) = self else { return nil }
        return close
    }
}
