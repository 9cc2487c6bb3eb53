import CMicroHTTPD
import Foundation
import RealtimeVoice
import Synchronization

/// HTTP, TLS and the upgrade by libmicrohttpd, with a thread of its own.
///
/// The daemon's address is written once, before anyone else sees it, and cleared by `stop`: the
/// lock makes both safe to do from any thread.
final class MicroHTTPServer: Sendable {
    /// A socket that was upgraded.
    struct Upgraded: Sendable {
        var handle: Int32
        /// libmicrohttpd's handle, as an address.
        var upgrade: Int
        /// What came behind the request's headers.
        var firstBytes: [UInt8]
    }

    /// What to do with a request.
    enum Reply: Sendable {
        case respond(HTTPResponse)
        case upgrade(
            headers: [(name: String, value: String)], onUpgrade: @Sendable (Upgraded) -> Void)
    }

    /// A larger body is refused with 413.
    static let maximumBody = 1 << 20

    /// PEM texts for TLS.
    struct Identity: Sendable {
        var key: String
        var certificate: String
    }

    let port: UInt16
    private let answer: @Sendable (HTTPRequest) -> Reply
    private let daemon = Mutex<Int>(0)

    /// Binds and starts to answer.
    ///
    /// - Throws: `invalidInput` for an address that can't be had, `connectFailed` where the
    ///   daemon doesn't start.
    init(
        host: String,
        port: UInt16,
        identity: Identity?,
        answer: @escaping @Sendable (HTTPRequest) -> Reply
    ) throws(RealtimeError) {
        let socket = unsafe cmhd_listen(host, port)
        guard socket >= 0 else { throw Self.bindError(host: host, port: port, errno: -socket) }
        self.port = cmhd_port(socket)
        self.answer = answer
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let started = unsafe cmhd_start(
            socket, accessCallback, context, completedCallback, identity?.key,
            identity?.certificate)
        guard let started = unsafe started else {
            close(socket)
            throw RealtimeError(
                .connectFailed,
                identity == nil
                    ? "The HTTP server did not start"
                    : "The HTTP server did not start: check the TLS key and certificate")
        }
        daemon.withLock { $0 = Int(bitPattern: started) }
    }

    private static func bindError(host: String, port: UInt16, errno: Int32) -> RealtimeError {
        switch errno {
        case EADDRINUSE:
            RealtimeError(.invalidInput, "Port \(port) is taken; choose another, or 0 for any")
        case EACCES:
            RealtimeError(.invalidInput, "Port \(port) needs more rights; choose one above 1023")
        default:
            RealtimeError(.invalidInput, "Can not listen on \(host):\(port)")
        }
    }

    /// Stops answering. All upgraded sockets must have been given back.
    func stop() {
        let address = daemon.withLock { address in
            defer { address = 0 }
            return address
        }
        if let running = unsafe OpaquePointer(bitPattern: address) {
            unsafe MHD_stop_daemon(running)
        }
    }

    // MARK: Requests

    /// A request that is arriving; libmicrohttpd keeps it from the first callback to the last.
    fileprivate final class Exchange {
        var body: [UInt8] = []
        var isTooLarge = false
        var onUpgrade: (@Sendable (Upgraded) -> Void)?
    }

    fileprivate func handle(
        _ connection: OpaquePointer,
        _ exchange: Exchange,
        method: String,
        path: String
    ) -> MHD_Result {
        if exchange.isTooLarge {
            let error = WireError(message: "The request's body is too large.")
            return unsafe respond(connection, .refusal(413, error))
        }
        var request = HTTPRequest(method: method, path: path, body: exchange.body)
        unsafe collect(connection, cmhd_headers) {
            request.headers.append((name: $0, value: $1))
        }
        unsafe collect(connection, cmhd_query) { request.query[$0] = $1 }
        switch answer(request) {
        case .respond(let response): return unsafe respond(connection, response)
        case .upgrade(let headers, let onUpgrade):
            exchange.onUpgrade = onUpgrade
            guard let response = unsafe MHD_create_response_for_upgrade(upgradedCallback, nil)
            else { return cmhd_no }
            defer { unsafe MHD_destroy_response(response) }
            for header in headers {
                _ = unsafe MHD_add_response_header(response, header.name, header.value)
            }
            return unsafe MHD_queue_response(connection, 101, response)
        }
    }

    private func respond(_ connection: OpaquePointer, _ reply: HTTPResponse) -> MHD_Result {
        let body = reply.body.serializedBytes()
        let response = unsafe body.withUnsafeBytes { bytes in
            unsafe cmhd_response(bytes.baseAddress, bytes.count)
        }
        guard let response = unsafe response else { return cmhd_no }
        defer { unsafe MHD_destroy_response(response) }
        _ = unsafe MHD_add_response_header(response, "Content-Type", "application/json")
        if reply.status == 401 {
            _ = unsafe MHD_add_response_header(response, "WWW-Authenticate", "Bearer")
        }
        return unsafe MHD_queue_response(connection, UInt32(reply.status), response)
    }

    /// Calls the body with each name and value of a kind.
    private func collect(
        _ connection: OpaquePointer,
        _ kind: MHD_ValueKind,
        _ body: (String, String) -> Void
    ) {
        var found: [(String, String)] = []
        unsafe withUnsafeMutablePointer(to: &found) { pointer in
            _ = unsafe MHD_get_connection_values(
                connection, kind,
                { context, _, name, value in
                    guard let context = unsafe context, let name = unsafe name else {
                        return cmhd_yes
                    }
                    let list = unsafe context.assumingMemoryBound(to: [(String, String)].self)
                    let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
                    unsafe list.pointee.append((unsafe String(cString: name), text))
                    return cmhd_yes
                }, pointer)
        }
        for (name, value) in found { body(name, value) }
    }
}

// MARK: - Callbacks

/// The first call of a request makes its exchange, which `completedCallback` releases; the calls
/// after it bring the body; the last has none left.
private let accessCallback: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, data, size, state in
    guard let context = unsafe context, let connection = unsafe connection,
        let url = unsafe url, let method = unsafe method, let state = unsafe state,
        let size = unsafe size
    else { return cmhd_no }
    guard let known = unsafe state.pointee else {
        let exchange = MicroHTTPServer.Exchange()
        unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return cmhd_yes
    }
    let exchange = unsafe Unmanaged<MicroHTTPServer.Exchange>.fromOpaque(known)
        .takeUnretainedValue()
    if unsafe size.pointee > 0 {
        let room = MicroHTTPServer.maximumBody - exchange.body.count
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(size.pointee))
        if bytes.count > room {
            exchange.isTooLarge = true
        } else {
            unsafe exchange.body += unsafe bytes
        }
        unsafe size.pointee = 0
        return cmhd_yes
    }
    let server = unsafe Unmanaged<MicroHTTPServer>.fromOpaque(context).takeUnretainedValue()
    return unsafe server.handle(
        connection, exchange, method: String(cString: method), path: String(cString: url))
}

private let completedCallback: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let state = unsafe state, let known = unsafe state.pointee else { return }
    unsafe Unmanaged<MicroHTTPServer.Exchange>.fromOpaque(known).release()
    unsafe state.pointee = nil
}

/// Must return at once: with TLS this thread forwards the bytes.
private let upgradedCallback: MHD_UpgradeHandler = { _, _, state, extra, size, socket, upgrade in
    guard let state = unsafe state, let upgrade = unsafe upgrade else { return }
    let exchange = unsafe Unmanaged<MicroHTTPServer.Exchange>.fromOpaque(state)
        .takeUnretainedValue()
    let first = unsafe Array(UnsafeRawBufferPointer(start: extra, count: Int(size)))
    exchange.onUpgrade?(
        MicroHTTPServer.Upgraded(
            handle: socket, upgrade: Int(bitPattern: upgrade), firstBytes: first))
    exchange.onUpgrade = nil
}
