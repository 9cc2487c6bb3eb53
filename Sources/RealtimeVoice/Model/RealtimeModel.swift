/// A provider's model: how to reach it and how to speak its wire.
///
/// A model is a stateless value that many sessions may share. What a wire must remember
/// between frames lives in the codec that the model makes for each connection. To add a
/// provider, conform a type of yours to this and to `RealtimeCodec`; nothing else is needed.
public protocol RealtimeModel: Sendable {
    /// A short name of the provider, such as `openai`.
    var provider: String { get }
    /// The provider's name of the model.
    var modelID: String { get }
    /// What the wire can do with this model.
    var capabilities: RealtimeCapabilities { get }

    /// Mints a short-lived secret with the API key. For servers only.
    ///
    /// - Throws: `missingAPIKey`; `httpStatus` with the provider's own message and code where it
    ///   refuses; `connectFailed` and `timeout`, retryable; `decodingFailed` for a reply without a
    ///   secret; `invalidInput` and `unsupported` for what the provider can't do.
    func createClientSecret(
        options: RealtimeClientSecretOptions
    ) async throws(RealtimeError) -> RealtimeClientSecret

    /// How to connect with a short-lived secret. Its age is not looked at: the provider refuses
    /// one that has expired.
    ///
    /// - Throws: `invalidInput` or `unsupported` where it can't be used.
    func connectRequest(
        secret: RealtimeClientSecret
    ) throws(RealtimeError) -> RealtimeConnectRequest

    /// How to connect with the API key that the model was given, or that the environment has.
    /// For servers and command lines only.
    ///
    /// - Throws: `missingAPIKey`.
    func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest

    /// The native session that a configuration becomes.
    ///
    /// - Throws: `invalidInput` or `unsupported`, with the field as `parameter`.
    func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue

    /// A codec for one connection.
    func makeCodec() -> any RealtimeCodec

    /// What to send at once in reply to a frame, for wires with pings of their own.
    func healthCheckResponse(for frame: RealtimeFrame) -> RealtimeFrame?
}

extension RealtimeModel {
    /// Nothing: most wires have no pings of their own.
    public func healthCheckResponse(for frame: RealtimeFrame) -> RealtimeFrame? { nil }
}

/// When a connection's configuration goes out.
public enum RealtimeConfigurationMoment: Sendable, Hashable {
    /// As soon as the socket is open; ready when the provider confirms it (Gemini).
    case onOpen
    /// When the provider has announced the session; ready at `sessionUpdated` (OpenAI, xAI).
    case onSessionCreated
}

/// Speaks a provider's wire for one connection. A pure value: no I/O, no clock.
public protocol RealtimeCodec: Sendable {
    /// When the configuration is to be sent.
    var configurationMoment: RealtimeConfigurationMoment { get }

    /// Reads one frame.
    ///
    /// - Returns: The events in order, possibly none.
    /// - Throws: `decodingFailed` where the frame can't be read at all. An unknown kind of
    ///   message is a `custom` event, never an error.
    mutating func decode(_ frame: RealtimeFrame) throws(RealtimeError) -> [RealtimeServerEvent]

    /// Writes what a client event becomes on the wire: no, one or several frames.
    ///
    /// - Throws: `unsupported` where the wire has nothing of the kind.
    mutating func encode(
        _ event: RealtimeClientEvent
    ) throws(RealtimeError) -> [RealtimeFrame]
}
