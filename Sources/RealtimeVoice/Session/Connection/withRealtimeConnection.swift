/// Connects to a model, runs `body` once the session is configured, and disconnects, however
/// `body` ends.
///
/// - Parameters:
///   - model: The model to speak with.
///   - secret: A client secret; nil uses the model's API key.
///   - config: How the session listens, thinks and speaks.
///   - tools: Tools that the connection runs by itself.
///   - options: How the connection is made and kept.
///   - onToolCall: Answers calls of other tools; nil, as a result, answers later.
///   - body: What to do with the connection.
/// - Returns: What `body` returns.
/// - Throws: A `RealtimeError` where there is no session, and whatever `body` throws.
public func withRealtimeConnection<Result>(
    to model: any RealtimeModel,
    secret: RealtimeClientSecret? = nil,
    config: RealtimeSessionConfig = RealtimeSessionConfig(),
    tools: [RealtimeTool] = [],
    options: RealtimeConnectionOptions = RealtimeConnectionOptions(),
    onToolCall: (@Sendable (RealtimeToolCall) async throws -> JSONValue?)? = nil,
    _ body: (RealtimeConnection) async throws -> Result
) async throws -> Result {
    let connection = try RealtimeConnection.open(
        to: model, secret: secret, config: config, tools: tools, options: options,
        onToolCall: onToolCall)
    defer { connection.disconnect() }
    try await connection.waitUntilReady()
    return try await withTaskCancellationHandler {
        try await body(connection)
    } onCancel: {
        connection.disconnect()
    }
}

extension RealtimeConnection {
    /// Begins to connect and returns at once, for servers that keep their calls in objects.
    /// Whoever opens a connection disconnects it; it also ends when nobody holds it any more.
    ///
    /// - Parameters:
    ///   - model: The model to speak with.
    ///   - secret: A client secret; nil uses the model's API key.
    ///   - config: How the session listens, thinks and speaks.
    ///   - tools: Tools that the connection runs by itself.
    ///   - options: How the connection is made and kept.
    ///   - onToolCall: Answers calls of other tools; nil, as a result, answers later.
    /// - Returns: The connection; `waitUntilReady()` and `updates` tell how it goes.
    /// - Throws: `missingAPIKey` or `invalidInput` where there is nothing to connect with.
    public static func open(
        to model: any RealtimeModel,
        secret: RealtimeClientSecret? = nil,
        config: RealtimeSessionConfig = RealtimeSessionConfig(),
        tools: [RealtimeTool] = [],
        options: RealtimeConnectionOptions = RealtimeConnectionOptions(),
        onToolCall: (@Sendable (RealtimeToolCall) async throws -> JSONValue?)? = nil
    ) throws(RealtimeError) -> RealtimeConnection {
        let request: RealtimeConnectRequest
        if let secret {
            request = try model.connectRequest(secret: secret)
        } else {
            request = try model.connectRequest()
        }
        return RealtimeConnection(
            model: model, config: config, request: request, secretExpiry: secret?.expiresAt,
            options: options, tools: tools, onToolCall: onToolCall)
    }
}
