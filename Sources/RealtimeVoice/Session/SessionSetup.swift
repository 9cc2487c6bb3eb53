import Foundation

/// Asks a setup endpoint for a client secret, as the TypeScript client does.
enum SessionSetup {
    struct Reply: Sendable {
        var secret: RealtimeClientSecret
        var tools: [RealtimeToolDefinition]

        /// The session's tools with the reply's: a reply's tool replaces one of the same name.
        func merge(into own: [RealtimeToolDefinition]?) -> [RealtimeToolDefinition]? {
            guard !tools.isEmpty else { return own }
            let names = Set(tools.map(\.name))
            return (own ?? []).filter { !names.contains($0.name) } + tools
        }
    }

    static func fetch(
        endpoint: URL, headers: [String: String], config: RealtimeSessionConfig
    ) async throws(RealtimeError) -> Reply {
        let reply = try await ProviderHTTP.post(
            ProviderHTTPRequest(
                url: endpoint, headers: headers.map { ($0.key, $0.value) },
                body: ["sessionConfig": try json(of: config)]))
        return try parse(reply)
    }

    static func parse(_ reply: JSONValue) throws(RealtimeError) -> Reply {
        guard let token = reply["token"]?.stringValue, !token.isEmpty,
            let address = reply["url"]?.stringValue, let url = URL(string: address)
        else {
            throw RealtimeError(
                .decodingFailed, "the setup endpoint's reply has no token and url")
        }
        let tools = (reply["tools"]?.arrayValue ?? []).compactMap { tool in
            tool["name"]?.stringValue.map {
                RealtimeToolDefinition(
                    name: $0, description: tool["description"]?.stringValue,
                    parameters: tool["parameters"])
            }
        }
        return Reply(
            secret: RealtimeClientSecret(
                token: token, url: url, expiresAt: reply["expiresAt"]?.intValue),
            tools: tools)
    }

    private static func json(
        of config: RealtimeSessionConfig
    ) throws(RealtimeError) -> JSONValue {
        do {
            return try JSONValue(parsing: Array(JSONEncoder().encode(config)))
        } catch {
            throw RealtimeError(
                .invalidInput, "the configuration can't be encoded", cause: error)
        }
    }
}
