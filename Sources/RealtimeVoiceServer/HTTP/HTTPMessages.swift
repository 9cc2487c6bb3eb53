import RealtimeVoice

/// A request as the routes see it.
struct HTTPRequest: Sendable {
    var method: String
    /// The path without the query.
    var path: String
    var query: [String: String] = [:]
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// The value of a header, by its name in any case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A response with a JSON body.
struct HTTPResponse: Sendable, Equatable {
    var status: Int
    var body: JSONValue

    /// The error body of the real service.
    static func refusal(_ status: Int, _ error: WireError) -> HTTPResponse {
        HTTPResponse(status: status, body: ["error": error.json])
    }
}
