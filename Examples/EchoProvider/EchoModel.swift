public import Foundation
public import RealtimeVoice

/// A provider that this library has never heard of, as one writes it outside the module.
///
/// Its wire is made up: one JSON object a message, with an `op` from the client and an `ev` from
/// the server. All that a provider needs stands in this folder.
public struct EchoModel: RealtimeModel {
    /// `echo`.
    public let provider = "echo"
    /// The model's name.
    public let modelID: String
    private let address: URL
    private let key: String

    /// Creates a model that is spoken to at an address.
    public init(_ modelID: String, at address: URL, key: String) {
        self.modelID = modelID
        self.address = address
        self.key = key
    }

    /// What is said here is known before anything is called, and refused with a typed error.
    public var capabilities: RealtimeCapabilities {
        RealtimeCapabilities(
            supportsTruncation: false, supportsItemDeletion: false, supportsAudioClear: false,
            echoesItems: false, acceptsItemIDs: false,
            defaultInputFormat: .pcm16kHz, defaultOutputFormat: .pcm16kHz)
    }

    /// Throws `unsupported`: the wire has none.
    public func createClientSecret(
        options: RealtimeClientSecretOptions
    ) async throws(RealtimeError) -> RealtimeClientSecret {
        throw RealtimeError(.unsupported, "echo has no client secrets")
    }

    /// How to connect with a secret that came from elsewhere.
    public func connectRequest(
        secret: RealtimeClientSecret
    ) throws(RealtimeError) -> RealtimeConnectRequest {
        RealtimeConnectRequest(url: secret.url, subprotocols: ["echo", secret.token])
    }

    /// How to connect with the key.
    public func connectRequest() throws(RealtimeError) -> RealtimeConnectRequest {
        RealtimeConnectRequest(url: address, headers: [("X-Echo-Key", key)])
    }

    /// The native session.
    public func encode(config: RealtimeSessionConfig) throws(RealtimeError) -> JSONValue {
        var native: [String: JSONValue] = ["model": .string(modelID)]
        native["prompt"] = config.instructions.map(JSONValue.string)
        native["functions"] = config.tools.map { .array($0.map { .string($0.name) }) }
        return JSONValue.object(native).merging(config.providerOptions ?? [:])
    }

    /// A codec for one connection.
    public func makeCodec() -> any RealtimeCodec { EchoCodec(model: self) }

    /// The wire has pings of its own.
    public func healthCheckResponse(for frame: RealtimeFrame) -> RealtimeFrame? {
        frame == RealtimeFrame(#"{"ev":"ping"}"#) ? RealtimeFrame(#"{"op":"pong"}"#) : nil
    }
}
