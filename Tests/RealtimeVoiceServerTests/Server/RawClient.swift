import Foundation
import RealtimeVoice
import Synchronization

@testable import RealtimeVoiceServer

/// A plain TCP client that speaks HTTP and WebSocket by hand; reads on a thread of its own.
final class RawClient: Sendable {
    /// What came, in order.
    enum Arrival: Sendable {
        case event(JSONValue)
        case closed(RealtimeClose)
    }

    struct ClientError: Error {
        var text: String
    }

    private struct State: ~Copyable {
        var codec = WebSocketConnectionMachine(role: .client, maximumMessageBytes: 64 << 20)
        var isOver = false
    }

    private let handle: Int32
    private let state = Mutex(State())
    private let arrivals: AsyncStream<Arrival>
    private let sink: AsyncStream<Arrival>.Continuation
    /// The response's head, and its body where it wasn't an upgrade.
    let response: String
    private let isReading: Bool

    /// Connects, sends a request and reads the head of the response, and its body where there
    /// is one.
    static func open(port: UInt16, request: String, reads: Bool = true) async throws -> RawClient {
        try await onThread { try RawClient(port: port, request: request, reads: reads) }
    }

    /// Runs what blocks on a thread of its own: a blocked pool thread could starve the server.
    static func onThread<Success: Sendable>(
        _ body: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result(catching: body)) }.start()
        }
    }

    private init(port: UInt16, request: String, reads: Bool) throws {
        handle = try Self.connect(port)
        isReading = reads
        (arrivals, sink) = AsyncStream.makeStream()
        try Self.write(Array(request.utf8), to: handle)
        var received = ""
        var rest: [UInt8] = []
        while let more = Self.read(handle) {
            rest += more
            guard let end = Self.endOfHead(rest) else { continue }
            received = String(decoding: rest[..<end], as: UTF8.self)
            let length = Self.contentLength(received)
            guard rest.count - end >= length else { continue }
            rest = Array(rest[end...])
            break
        }
        let isUpgraded = received.hasPrefix("HTTP/1.1 101")
        response = isUpgraded ? received : received + String(decoding: rest, as: UTF8.self)
        if isUpgraded, reads {
            let first = rest
            Thread { [self] in readAll(first) }.start()
        }
    }

    /// Opens a session.
    static func session(
        port: UInt16,
        headers: [String] = ["Authorization: Bearer key"],
        reads: Bool = true
    ) async throws -> RawClient {
        let lines =
            [
                "GET /v1/realtime?model=gpt-realtime HTTP/1.1", "Host: localhost",
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + headers
        return try await open(
            port: port, request: lines.joined(separator: "\r\n") + "\r\n\r\n", reads: reads)
    }

    deinit {
        _ = Foundation.close(handle)
    }

    func send(_ event: JSONValue) throws {
        var bytes: [UInt8] = []
        let isOpen = state.withLock {
            $0.codec.send(
                RealtimeFrame(event.serialized()), maskKey: .random(in: .min ... .max), to: &bytes)
        }
        guard isOpen else { throw ClientError(text: "the connection is over") }
        try Self.write(bytes, to: handle)
    }

    func requestClose() throws {
        var bytes: [UInt8] = []
        _ = state.withLock {
            $0.codec.requestClose(code: 1000, reason: "", maskKey: 7, to: &bytes)
        }
        try Self.write(bytes, to: handle)
    }

    /// Events up to and with the first of a type.
    func events(until type: String) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        for await arrival in arrivals {
            switch arrival {
            case .closed(let close): throw ClientError(text: "closed: \(close), got \(found.kinds)")
            case .event(let event):
                found.append(event)
                if event["type"]?.stringValue == type { return found }
            }
        }
        throw ClientError(text: "no \(type), got \(found.kinds)")
    }

    /// How the connection ended.
    func closing() async -> RealtimeClose? {
        for await arrival in arrivals {
            if case .closed(let close) = arrival { return close }
        }
        return nil
    }

    // MARK: The thread

    private func readAll(_ first: [UInt8]) {
        var bytes = first
        while true {
            if decode(bytes) { break }
            guard let more = Self.read(handle) else {
                if let close = state.withLock({ $0.codec.receiveEndOfFile() }) {
                    sink.yield(.closed(close))
                }
                break
            }
            bytes = more
        }
        sink.finish()
    }

    private func decode(_ bytes: [UInt8]) -> Bool {
        var control: [UInt8] = []
        var found: [Arrival] = []
        let isOver = state.withLock { state in
            unsafe bytes.withUnsafeBytes { input in
                var rest = unsafe input
                while true {
                    switch unsafe state.codec.receive(&rest, maskKey: 7, control: &control) {
                    case .readMore: return false
                    case .reportPong, .writeControl: continue
                    case .deliver(let frame):
                        if let event = try? JSONValue(parsing: frame.bytes) {
                            found.append(.event(event))
                        }
                    case .finish(let close):
                        found.append(.closed(close))
                        return true
                    }
                }
            }
        }
        for arrival in found { sink.yield(arrival) }
        if !control.isEmpty { try? Self.write(control, to: handle) }
        return isOver
    }

    // MARK: Sockets

    private static func connect(_ port: UInt16) throws -> Int32 {
        #if canImport(Glibc)
            let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let handle = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe Foundation.connect(handle, address, size)
            }
        }
        guard result == 0 else { throw ClientError(text: "no connection") }
        return handle
    }

    private static func write(_ bytes: [UInt8], to handle: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    unsafe Foundation.send(
                        handle, buffer.baseAddress.map { unsafe $0 + sent }, buffer.count - sent,
                        Int32(MSG_NOSIGNAL))
                #else
                    unsafe Foundation.send(
                        handle, buffer.baseAddress.map { unsafe $0 + sent }, buffer.count - sent,
                        0)
                #endif
            }
            guard count > 0 else { throw ClientError(text: "the socket is broken") }
            sent += count
        }
    }

    private static func read(_ handle: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(handle, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    private static func contentLength(_ head: String) -> Int {
        let line = head.split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-length:")
        }
        return line.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) } ?? 0
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4 else { return nil }
        for start in 0...(bytes.count - 4) where Array(bytes[start..<start + 4]) == mark {
            return start + 4
        }
        return nil
    }
}
