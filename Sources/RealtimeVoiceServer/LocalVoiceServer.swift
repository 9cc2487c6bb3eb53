public import Foundation
public import RealtimeVoice
import Synchronization

/// A voice server on this machine that speaks the OpenAI GA realtime wire: it hears, thinks,
/// speaks, and needs no network.
///
/// Many sessions run at a time on shared engines. `GET /v1/realtime?model=…` opens one,
/// `POST /v1/realtime/client_secrets` makes a short-lived secret, `GET /healthz` tells that it
/// runs.
public final class LocalVoiceServer: Sendable {
    /// What a server is made of.
    public struct Configuration: Sendable {
        /// The address to listen on.
        public var host: String
        /// The port; 0 takes any that is free.
        public var port: UInt16
        /// Who hears and who speaks.
        public var engines: SpeechEngines
        /// Who answers.
        public var responder: any Responder
        /// The API key that clients must give; nil accepts any that isn't empty.
        public var apiKey: String?
        /// How fast answers are sent.
        public var pace: SpeechPace
        /// A turn of the user's that is longer is cut.
        public var maximumTurnDuration: Duration
        /// A session that is older is closed.
        public var maximumSessionDuration: Duration
        /// The most bytes that may wait for a slow client before it is dropped.
        public var maximumQueuedBytes: Int
        /// A PEM key for TLS, with ``certificatePEM``.
        public var privateKeyPEM: String?
        /// A PEM certificate chain for TLS, with ``privateKeyPEM``.
        public var certificatePEM: String?
        /// Every client event as it came, with the session's id; audio is left out. For tests.
        public var onClientEvent: (@Sendable (_ session: String, JSONValue) -> Void)?

        /// Creates a configuration.
        public init(
            host: String = "127.0.0.1",
            port: UInt16 = 0,
            engines: SpeechEngines,
            responder: any Responder = BuiltInResponder(),
            apiKey: String? = nil,
            pace: SpeechPace = .speaking,
            maximumTurnDuration: Duration = .seconds(30),
            maximumSessionDuration: Duration = .seconds(3_600),
            maximumQueuedBytes: Int = 32 << 20,
            privateKeyPEM: String? = nil,
            certificatePEM: String? = nil,
            onClientEvent: (@Sendable (_ session: String, JSONValue) -> Void)? = nil
        ) {
            self.host = host
            self.port = port
            self.engines = engines
            self.responder = responder
            self.apiKey = apiKey
            self.pace = pace
            self.maximumTurnDuration = maximumTurnDuration
            self.maximumSessionDuration = maximumSessionDuration
            self.maximumQueuedBytes = maximumQueuedBytes
            self.privateKeyPEM = privateKeyPEM
            self.certificatePEM = certificatePEM
            self.onClientEvent = onClientEvent
        }
    }

    private struct Running {
        var http: MicroHTTPServer
        var loop: SocketLoop
    }

    private struct State {
        var running: Running?
        /// Whether sessions may begin: from before the first request until `stop`.
        var isAccepting = false
        var isStopping = false
        var sessions: [String: (channel: SocketChannel, task: Task<Void, Never>)] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let configuration: Configuration
    private let state = Mutex(State())
    private let routes: Mutex<Routes>

    /// Creates a server that doesn't run yet.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        routes = Mutex(Routes(apiKey: configuration.apiKey, seed: .random(in: .min ... .max)))
    }

    /// The port it listens on; 0 while it doesn't run.
    public var port: UInt16 {
        state.withLock { $0.running?.http.port ?? 0 }
    }

    /// The base URL for clients, such as `http://127.0.0.1:8080/v1`.
    public var baseURL: URL {
        var parts = URLComponents()
        parts.scheme = configuration.privateKeyPEM == nil ? "http" : "https"
        parts.host =
            configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        parts.port = Int(port)
        parts.path = "/v1"
        return parts.url ?? URL(fileURLWithPath: "/")
    }

    /// The number of sessions that are open.
    public var sessionCount: Int { state.withLock { $0.sessions.count } }

    /// Listens and serves; the server then lives until ``stop()``.
    ///
    /// - Throws: `invalidInput` where the port is taken or the address can't be had, or where it
    ///   runs already.
    public func start() async throws(RealtimeError) {
        let mayStart = state.withLock { state in
            guard state.running == nil, !state.isStopping, !state.isAccepting else { return false }
            state.isAccepting = true
            return true
        }
        guard mayStart else { throw RealtimeError(.invalidInput, "The server runs already") }
        do throws(RealtimeError) {
            let running = try listen()
            state.withLock { $0.running = running }
        } catch {
            state.withLock { $0.isAccepting = false }
            throw error
        }
    }

    private func listen() throws(RealtimeError) -> Running {
        guard let loop = SocketLoop() else {
            throw RealtimeError(.connectFailed, "The system gives no more file descriptors")
        }
        var identity: MicroHTTPServer.Identity?
        if let key = configuration.privateKeyPEM, let certificate = configuration.certificatePEM {
            identity = MicroHTTPServer.Identity(key: key, certificate: certificate)
        }
        let http = try MicroHTTPServer(
            host: configuration.host, port: configuration.port, identity: identity
        ) { [self] request in
            // Strong: libmicrohttpd calls this until `stop`.
            reply(to: request, loop: loop)
        }
        loop.start()
        return Running(http: http, loop: loop)
    }

    /// Closes all sessions with 1001 and stops to listen. Returns when everything is over.
    public func stop() async {
        let running = state.withLock { state in
            defer {
                state.isStopping = state.running != nil
                state.isAccepting = false
                state.running = nil
            }
            return state.running
        }
        guard let running else { return }
        for session in state.withLock({ Array($0.sessions.values) }) {
            session.channel.close(code: 1001, reason: "The server is going away.")
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isDone = state.withLock { state in
                if state.sessions.isEmpty { return true }
                state.waiters.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
        running.loop.stop()
        // Waits for libmicrohttpd's threads: not on the cooperative pool.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                running.http.stop()
                continuation.resume()
            }
        }
        state.withLock { $0.isStopping = false }
    }

    // MARK: Sessions

    private func reply(to request: HTTPRequest, loop: SocketLoop) -> MicroHTTPServer.Reply {
        let now = Int(Date().timeIntervalSince1970)
        switch routes.withLock({ $0.reply(to: request, now: now) }) {
        case .respond(let response): return .respond(response)
        case .upgrade(let headers, let settings):
            return .upgrade(headers: headers) { [weak self] upgraded in
                self?.begin(settings, upgraded, loop: loop)
            }
        }
    }

    private func begin(
        _ settings: SessionSettings,
        _ upgraded: MicroHTTPServer.Upgraded,
        loop: SocketLoop
    ) {
        let machine = SessionMachine(
            settings: settings, seed: .random(in: .min ... .max),
            unixTime: Int(Date().timeIntervalSince1970),
            environment: SessionMachine.Environment(
                pace: configuration.pace,
                maximumTurnMilliseconds: Self.milliseconds(configuration.maximumTurnDuration),
                sessionMilliseconds: Self.milliseconds(configuration.maximumSessionDuration),
                makeDetector: configuration.engines.makeDetector))
        // The channel and its session know each other: the session through this weak box.
        let box = ChannelBox()
        let session = VoiceSession(
            machine: machine,
            links: VoiceSession.Links(
                engines: configuration.engines, responder: configuration.responder,
                send: { box.channel?.send($0) },
                close: { box.channel?.close(code: $0, reason: $1) },
                hasRoom: { box.channel?.resumeReading() },
                onClientEvent: configuration.onClientEvent))
        let channel = SocketChannel(
            handle: upgraded.handle, upgrade: upgraded.upgrade, firstBytes: upgraded.firstBytes,
            maximumQueue: configuration.maximumQueuedBytes,
            // With TLS the end of our side reaches the peer only when the socket is given back.
            lingerMilliseconds: configuration.privateKeyPEM == nil ? 1_000 : 100,
            wakeLoop: { [weak loop] in loop?.wake() },
            handlers: SocketChannel.Handlers(
                received: { session.received($0) },
                closed: { _ in session.ended() },
                released: { [weak self] in self?.forget(session.id) }))
        box.set(channel)
        let task = Task { await session.run() }
        let isAccepted = state.withLock { state in
            guard state.isAccepting else { return false }
            state.sessions[session.id] = (channel, task)
            return true
        }
        if isAccepted {
            loop.add(channel)
        } else {
            // The loop may be over already: nobody else would give the socket back.
            channel.release()
        }
    }

    private func forget(_ id: String) {
        let waiters = state.withLock { state in
            state.sessions[id] = nil
            guard state.sessions.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

/// Holds a channel weakly, for closures that are made before it.
private final class ChannelBox: Sendable {
    private struct Weak {
        weak var channel: SocketChannel?
    }

    private let box = Mutex(Weak())

    var channel: SocketChannel? { box.withLock { $0.channel } }

    func set(_ channel: SocketChannel) {
        box.withLock { $0.channel = channel }
    }
}
