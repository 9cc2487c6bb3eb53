import Foundation

/// Lays an app's native options over what the neutral configuration became.
enum ProviderOptions {
    /// Objects merge member by member at every depth, an explicit null included; the
    /// top-level `tools` append.
    static func merge(_ options: JSONValue?, into session: JSONValue) -> JSONValue {
        guard let options, case .object(var members) = options else { return session }
        if case .array(let own)? = session["tools"], case .array(let more)? = members["tools"] {
            members["tools"] = .array(own + more)
        }
        return session.merging(.object(members))
    }
}

/// Reads API keys.
enum ProviderKey {
    /// The key from the argument or the first environment variable that has one.
    static func resolve(
        _ argument: String?, environment names: [String]
    ) throws(RealtimeError) -> String {
        if let argument, !argument.isEmpty { return argument }
        for name in names {
            if let value = ProcessInfo.processInfo.environment[name], !value.isEmpty {
                return value
            }
        }
        throw RealtimeError(
            .missingAPIKey,
            "no API key: pass one or set \(names.joined(separator: " or "))")
    }

    /// Whether a text can be part of a subprotocol's name, which is a token of RFC 9110.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
