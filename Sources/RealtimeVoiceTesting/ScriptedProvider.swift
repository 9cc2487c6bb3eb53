public import RealtimeVoice

/// The server half of an OpenAI session over an `InMemoryTransport`, played line by line.
///
/// ```swift
/// let provider = ScriptedProvider()
/// let session = RealtimeSession(model: provider.model, options: provider.options())
/// session.connect(secret: provider.secret)
/// try await provider.configure()
/// provider.send(["type": "response.created", "response": ["id": "r1"]])
/// let sent = try await provider.next("response.cancel")
/// ```
public final class ScriptedProvider: Sendable {
    /// What connects to this provider.
    public let transport = InMemoryTransport()
    /// A model that speaks the wire this provider plays.
    public let model = OpenAIRealtimeModel("scripted", apiKey: "scripted")
    private let connection = ConnectionBox()

    /// Creates a provider that nobody has connected to yet.
    public init() {}

    /// Options that connect to this provider.
    public func options(
        clock: any RealtimeClock = SystemRealtimeClock()
    ) -> RealtimeConnectionOptions {
        RealtimeConnectionOptions(transport: transport, clock: clock)
    }

    /// A secret that connects to this provider.
    public var secret: RealtimeClientSecret {
        RealtimeClientSecret(
            token: "ek_scripted", url: ProviderEndpoint.constant("ws://scripted/v1/realtime"))
    }

    /// Accepts the next connection, announces the session and confirms its configuration.
    ///
    /// - Returns: The `session.update` that the client sent.
    /// - Throws: `connectionClosed` where the client went away.
    @discardableResult
    public func configure() async throws(RealtimeError) -> JSONValue {
        try await accept()
        send(["type": "session.created", "session": ["id": "sess_scripted"]])
        let update = try await next("session.update")
        send(["type": "session.updated", "session": update["session"] ?? .null])
        return update
    }

    /// Accepts the next connection and says nothing.
    public func accept() async throws(RealtimeError) {
        guard let next = await transport.nextConnection() else { throw Self.gone }
        connection.replace(next)
        next.accept(subprotocol: next.request.subprotocols.first)
    }

    /// The connection that was accepted last.
    public var current: InMemoryConnection? { connection.current }

    /// Sends an event to the client.
    public func send(_ event: JSONValue) {
        current?.send(RealtimeFrame(event.serialized()))
    }

    /// Sends events to the client, one after the other.
    public func send(_ events: [JSONValue]) {
        for event in events { send(event) }
    }

    /// The next event that the client sends.
    public func next() async throws(RealtimeError) -> JSONValue {
        while let element = await current?.next() {
            if case .message(let frame) = element { return try JSONValue(parsing: frame.bytes) }
        }
        throw Self.gone
    }

    /// The next event of a type that the client sends; others before it are passed over.
    public func next(_ type: String) async throws(RealtimeError) -> JSONValue {
        while true {
            let event = try await next()
            if event["type"]?.stringValue == type { return event }
        }
    }

    private static let gone = RealtimeError(.connectionClosed, "the client went away")
}
