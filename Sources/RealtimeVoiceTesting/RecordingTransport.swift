public import Foundation
public import RealtimeVoice
import Synchronization

/// A transport that writes down what goes over another one, for `realtime replay` and for bug
/// reports.
///
/// Addresses, headers and subprotocols are left out, so no secret can get into a recording.
/// What people say is in it: mind whom you send it to.
public final class RecordingTransport: RealtimeTransport {
    private let base: any RealtimeTransport
    private let lines: Mutex<[JSONValue]>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - base: What really connects.
    ///   - model: The model of the session, for the recording's header.
    public init(_ base: any RealtimeTransport, model: any RealtimeModel) {
        self.base = base
        lines = Mutex([
            [
                "provider": .string(model.provider), "model": .string(model.modelID),
                "scenario": "recorded",
            ]
        ])
    }

    /// Opens a connection whose messages are written down.
    public func open(
        _ request: RealtimeConnectRequest,
        onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
    ) -> any RealtimeTransportChannel {
        let channel = base.open(request) { [self] event in
            switch event {
            case .received(let frame): note("recv", frame)
            case .closed(let close):
                note([
                    "dir": "close", "code": .int(close.code), "reason": .string(close.reason),
                    "clean": .bool(close.isClean),
                ])
            case .opened, .pong, .drained, .failed: break
            }
            onEvent(event)
        }
        return RecordingChannel(channel) { [self] frame in note("send", frame) }
    }

    private func note(_ direction: JSONValue, _ frame: RealtimeFrame) {
        let json = try? JSONValue(parsing: frame.bytes)
        note([
            "dir": direction,
            "frame": json ?? .string(String(decoding: frame.bytes, as: UTF8.self)),
        ])
    }

    private func note(_ line: JSONValue) {
        lines.withLock { $0.append(line) }
    }

    /// The recording so far: one JSON object a line.
    public var recording: Data {
        Data(lines.withLock { $0 }.map { $0.serialized() + "\n" }.joined().utf8)
    }
}

/// A channel that tells what it sends.
private final class RecordingChannel: RealtimeTransportChannel {
    private let base: any RealtimeTransportChannel
    private let onSend: @Sendable (RealtimeFrame) -> Void

    init(
        _ base: any RealtimeTransportChannel, onSend: @escaping @Sendable (RealtimeFrame) -> Void
    ) {
        self.base = base
        self.onSend = onSend
    }

    func send(_ frame: RealtimeFrame) throws(RealtimeError) {
        try base.send(frame)
        onSend(frame)
    }

    func ping() { base.ping() }
    var queuedBytes: Int { base.queuedBytes }
    func close(code: Int, reason: String) { base.close(code: code, reason: reason) }
    func cancel() { base.cancel() }
}
