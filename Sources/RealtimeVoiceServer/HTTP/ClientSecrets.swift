import RealtimeVoice

/// The short-lived secrets that were handed out, with the session configuration of each.
///
/// A pure value; times are Unix seconds. A secret opens any number of sessions until it expires.
struct ClientSecrets: Sendable {
    struct Secret: Sendable, Equatable {
        var value: String
        var expiresAt: Int
        var settings: SessionSettings
    }

    private var secrets: [String: Secret] = [:]
    private var ids: WireIDs

    init(seed: UInt64) {
        ids = WireIDs(seed: seed)
    }

    /// Makes a secret, and forgets those that have expired.
    mutating func issue(seconds: Int, settings: SessionSettings, now: Int) -> Secret {
        secrets = secrets.filter { $0.value.expiresAt > now }
        let secret = Secret(
            value: ids.next("ek", length: 32), expiresAt: now + seconds, settings: settings)
        secrets[secret.value] = secret
        return secret
    }

    /// The secret of this value, nil where it is unknown or has expired.
    func secret(_ value: String, now: Int) -> Secret? {
        secrets[value].flatMap { $0.expiresAt > now ? $0 : nil }
    }

    /// An id for the session that is shown with a secret.
    mutating func makeSessionID() -> String {
        ids.next("sess")
    }
}
