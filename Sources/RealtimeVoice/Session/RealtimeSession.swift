public import Foundation
public import Observation
import Synchronization

/// A conversation with a model, as an app holds it: observable state and a few calls.
///
/// It lives on the main actor; audio does not. `sendAudio(_:)` may be called from any thread,
/// and `audioOutput` delivers off the main actor, so a stalled main thread stalls no speech.
/// Calls that can't be done don't throw: they are reported to `onError`.
///
/// Calls right after `connect` wait their turn until the session is configured. `disconnect()`
/// is immediate and idempotent; `connect` on a live session closes the old one first.
@MainActor
@Observable
public final class RealtimeSession {
    /// How the session stands.
    public private(set) var status = RealtimeStatus.disconnected
    /// The conversation. Changes only when a message changed, at most sixty times a second.
    public private(set) var messages: [UIMessage] = []
    /// The provider's latest events, without audio: the last `maximumEvents`, or up to a quarter more.
    public private(set) var events: [RealtimeServerEvent] = []
    /// Who speaks, and whether the model thinks.
    public private(set) var activity = RealtimeActivity()

    /// Called with each event of the provider's, after it took effect.
    @ObservationIgnored public var onEvent: ((RealtimeServerEvent) -> Void)?
    /// Called with what failed: a refused connection, an error of the provider's, a call that
    /// could not be done.
    @ObservationIgnored public var onError: ((RealtimeError) -> Void)?
    /// Called when speech is cut off: stop the player at once, then tell how much it had played,
    /// of the items that the interruption names, with `playbackInterrupted(playedMilliseconds:)`.
    @ObservationIgnored public var onInterruption: ((RealtimeInterruption) -> Void)?

    /// The model that is spoken with.
    public nonisolated let model: any RealtimeModel
    /// How the session listens, thinks and speaks.
    @ObservationIgnored public internal(set) var sessionConfig: RealtimeSessionConfig
    private let maximumEvents: Int

    nonisolated let link: SessionLink
    private let tools: [RealtimeTool]
    private let options: RealtimeConnectionOptions
    private let onToolCall: ToolRunner.Handler?
    private var setup: Task<SessionSetup.Reply, any Error>?
    private var listener: Task<Void, Never>?
    private var isPublishing = false
    /// What the app did while the client secret was being fetched.
    private var waitingCalls: [(RealtimeConnection) throws(RealtimeError) -> Void] = []
    private static let maximumWaitingCalls = 256

    /// Creates a session; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - model: The model to speak with.
    ///   - sessionConfig: How the session listens, thinks and speaks.
    ///   - tools: Tools that the session runs by itself.
    ///   - options: How connections are made and kept.
    ///   - maximumEvents: How many events `events` keeps.
    ///   - onToolCall: Answers calls of other tools. Nil answers later, with `addToolOutput`.
    public init(
        model: any RealtimeModel,
        sessionConfig: RealtimeSessionConfig = RealtimeSessionConfig(),
        tools: [RealtimeTool] = [],
        options: RealtimeConnectionOptions = RealtimeConnectionOptions(),
        maximumEvents: Int = 500,
        onToolCall: (@Sendable (RealtimeToolCall) async throws -> JSONValue?)? = nil
    ) {
        self.model = model
        self.sessionConfig = sessionConfig
        self.tools = tools
        self.options = options
        self.maximumEvents = maximumEvents
        self.onToolCall = onToolCall
        link = SessionLink()
    }

    isolated deinit {
        setup?.cancel()
        listener?.cancel()
        link.replace(nil)?.disconnect()
        link.end()
    }

    // MARK: Connecting

    /// Connects with a client secret. Returns at once; `status` tells.
    public func connect(secret: RealtimeClientSecret) {
        disconnect()
        do throws(RealtimeError) {
            begin(try model.connectRequest(secret: secret), secretExpiry: secret.expiresAt)
        } catch {
            fail(error)
        }
    }

    /// Connects with the model's API key. For servers and command lines: an app must not hold
    /// an API key.
    public func connectWithAPIKey() {
        disconnect()
        do throws(RealtimeError) {
            begin(try model.connectRequest())
        } catch {
            fail(error)
        }
    }

    /// Asks a server of yours for a client secret, then connects with it.
    ///
    /// POSTs `{"sessionConfig": …}` and expects `{"token", "url", "expiresAt"?, "tools"?}`. The
    /// reply's tools join the session's. Until the secret is there, calls wait, at most 256;
    /// audio is dropped.
    ///
    /// - Parameters:
    ///   - tokenEndpoint: Your server's address.
    ///   - headers: What your server asks for, such as a login.
    /// - Throws: Why there is no secret. The connection itself is told by `status`.
    public func connect(
        tokenEndpoint: URL, headers: [String: String] = [:]
    ) async throws(RealtimeError) {
        disconnect()
        status = .connecting
        let config = configWithTools
        let task = Task {
            try await SessionSetup.fetch(endpoint: tokenEndpoint, headers: headers, config: config)
        }
        setup = task
        let generation = link.generation
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        // A disconnect, or another connect, meanwhile: this setup is nobody's any more.
        guard generation == link.generation else {
            throw RealtimeError(.cancelled, "the session was disconnected meanwhile")
        }
        setup = nil
        do {
            let reply = try result.get()
            sessionConfig.tools = reply.merge(into: sessionConfig.tools)
            begin(
                try model.connectRequest(secret: reply.secret),
                secretExpiry: reply.secret.expiresAt)
        } catch {
            let failure =
                error as? RealtimeError ?? RealtimeError(.cancelled, "the setup was cancelled")
            fail(failure)
            throw failure
        }
    }

    /// Ends the session at once: no audio goes in or out any more, tools are cancelled.
    public func disconnect() {
        setup?.cancel()
        setup = nil
        forgetWaitingCalls()
        listener?.cancel()
        listener = nil
        if let connection = link.replace(nil) {
            connection.disconnect()
            messages.apply(connection.takeMessageChanges())
            link.reducer = connection.conversation
        }
        activity = RealtimeActivity()
        if status != .disconnected { status = .disconnected }
    }

    private var configWithTools: RealtimeSessionConfig {
        var config = sessionConfig
        let known = Set((config.tools ?? []).map(\.name))
        let own = getRealtimeToolDefinitions(tools: tools).filter { !known.contains($0.name) }
        if !own.isEmpty { config.tools = (config.tools ?? []) + own }
        return config
    }

    private func begin(_ request: RealtimeConnectRequest, secretExpiry: Int? = nil) {
        let queue = BoundedQueue<RealtimeUpdate>(limit: 4_096)
        let connection = RealtimeConnection(
            model: model, config: sessionConfig, request: request, secretExpiry: secretExpiry,
            options: options, tools: tools, reducer: link.reducer, subscriber: queue,
            onToolCall: onToolCall)
        status = .connecting
        let updates = RealtimeUpdates(queue: queue)
        link.replace(connection)
        listener = Task { [weak self] in
            for await update in updates {
                guard let self, !Task.isCancelled else { return }
                self.take(update, from: connection)
            }
        }
        let calls = waitingCalls
        waitingCalls = []
        for call in calls { attempt(call) }
    }

    private func fail(_ error: RealtimeError) {
        status = .failed(error)
        onError?(error)
        forgetWaitingCalls()
    }

    /// Calls that waited for a client secret that never came are not lost silently.
    private func forgetWaitingCalls() {
        guard !waitingCalls.isEmpty else { return }
        let count = waitingCalls.count
        waitingCalls = []
        onError?(
            RealtimeError(
                .notConnected, "\(count) calls were never sent: there was no connection"))
    }

    // MARK: What happens

    private func take(_ update: RealtimeUpdate, from connection: RealtimeConnection) {
        guard link.connection === connection else { return }
        switch update {
        case .status(let new):
            publishMessages(of: connection)
            status = new
            if case .failed(let error) = new { onError?(error) }
        case .event(let event):
            log(event)
            onEvent?(event)
        case .interruption(let interruption): onInterruption?(interruption)
        case .failure(let error): onError?(error)
        case .activity(let activity): self.activity = activity
        case .messagesChanged: publishSoon(connection)
        }
    }

    private func log(_ event: RealtimeServerEvent) {
        if case .audioDelta = event { return }
        events.append(event)
        // Now and then a few at once: taking one from the front each time would move all.
        if events.count > maximumEvents + maximumEvents / 4 {
            events.removeFirst(events.count - maximumEvents)
        }
    }

    /// Publishes once for all that happens within a frame of the screen.
    private func publishSoon(_ connection: RealtimeConnection) {
        guard !isPublishing else { return }
        isPublishing = true
        Task { [weak self, weak connection] in
            try? await Task.sleep(for: .milliseconds(16))
            guard let self else { return }
            self.isPublishing = false
            guard let connection, self.link.connection === connection else { return }
            self.publishMessages(of: connection)
        }
    }

    private func publishMessages(of connection: RealtimeConnection) {
        let changes = connection.takeMessageChanges()
        if !changes.isEmpty { messages.apply(changes) }
    }

    // MARK: Calls

    /// Does a call, and reports what it throws.
    func attempt(
        _ call: @escaping (RealtimeConnection) throws(RealtimeError) -> Void
    ) {
        guard let connection = link.connection else {
            if setup != nil, waitingCalls.count < Self.maximumWaitingCalls {
                waitingCalls.append(call)
                return
            }
            onError?(RealtimeError(.notConnected, "the session is not connected"))
            return
        }
        do throws(RealtimeError) {
            try call(connection)
        } catch {
            onError?(error)
        }
    }
}
