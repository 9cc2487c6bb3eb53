public import Foundation

/// A short-lived credential that a server hands to an app, so that the API key stays there.
public struct RealtimeClientSecret: Sendable, Hashable, Codable {
    /// The secret itself.
    public var token: String
    /// The address to connect to with it.
    public var url: URL
    /// When it can no longer open a session, in seconds since 1970; nil where unknown.
    public var expiresAt: Int?

    /// Creates a secret.
    public init(token: String, url: URL, expiresAt: Int? = nil) {
        self.token = token
        self.url = url
        self.expiresAt = expiresAt
    }
}

extension RealtimeClientSecret: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Says nothing of the secret.
    public var description: String { "RealtimeClientSecret(token: <secret>)" }
    /// Says nothing of the secret.
    public var debugDescription: String { description }
    /// Shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: ["token": "<secret>"]) }
}

/// How long a client secret lives and what it fixes.
public struct RealtimeClientSecretOptions: Sendable, Hashable {
    /// The lifetime; nil takes the provider's default.
    public var expiresAfterSeconds: Int?
    /// A configuration bound to the secret, where the provider can.
    public var sessionConfig: RealtimeSessionConfig?

    /// Creates options.
    public init(expiresAfterSeconds: Int? = nil, sessionConfig: RealtimeSessionConfig? = nil) {
        self.expiresAfterSeconds = expiresAfterSeconds
        self.sessionConfig = sessionConfig
    }
}
