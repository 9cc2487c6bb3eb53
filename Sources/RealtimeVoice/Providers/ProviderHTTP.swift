package import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One HTTP request to a provider, as a value that tests and replays can look at.
package struct ProviderHTTPRequest: Sendable {
    package var url: URL
    /// Values may be secret: never logged.
    package var headers: [(name: String, value: String)]
    package var body: JSONValue

    package init(url: URL, headers: [(name: String, value: String)], body: JSONValue) {
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension ProviderHTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Where it goes, without query and headers, which may be secret.
    package var description: String {
        "ProviderHTTPRequest(\(url.scheme ?? "")://\(url.host ?? "")\(url.path))"
    }

    package var customMirror: Mirror { Mirror(self, children: ["request": description]) }

    /// The credentials among the headers, which a refusal might repeat.
    package var secrets: [String] { Secrets.of(headers: headers) }
}

/// Finds what must not be told to anybody.
enum Secrets {
    /// Shorter values are no credentials, and too likely to stand in a text by chance.
    private static let leastLength = 8

    static func of(headers: [(name: String, value: String)]) -> [String] {
        headers.compactMap { header in
            header.value.split(separator: " ").last.map(String.init)
        }.filter { $0.utf8.count >= leastLength }
    }

    /// The credentials of a request to open a socket: in headers, subprotocols and the query.
    static func of(_ request: RealtimeConnectRequest) -> [String] {
        let tokens = request.subprotocols.compactMap { name in
            name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) }
        }
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems
        let values = (query ?? []).filter { ["key", "access_token"].contains($0.name) }
            .compactMap(\.value)
        return of(headers: request.headers)
            + (tokens + values).filter { $0.utf8.count >= leastLength }
    }
}

extension RealtimeError {
    /// This error without the secrets, should a provider have repeated one.
    package func redacting(_ secrets: [String]) -> RealtimeError {
        var error = self
        for secret in secrets {
            error.message = error.message.replacingOccurrences(of: secret, with: "<secret>")
            error.closeReason = error.closeReason?.replacingOccurrences(
                of: secret, with: "<secret>")
            error.httpBody = error.httpBody?.replacingOccurrences(of: secret, with: "<secret>")
        }
        return error
    }
}

/// Posts JSON to providers and setup endpoints.
package enum ProviderHTTP {
    /// The reply's body, parsed.
    ///
    /// - Throws: `httpStatus` with the provider's own message and code where the status isn't
    ///   2xx; `connectFailed` and `timeout`, retryable; `decodingFailed` for a body that isn't
    ///   JSON.
    package static func post(
        _ request: ProviderHTTPRequest, timeout: Duration = .seconds(30)
    ) async throws(RealtimeError) -> JSONValue {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = "POST"
        urlRequest.timeoutInterval = TimeInterval(timeout.components.seconds)
        urlRequest.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for header in request.headers {
            urlRequest.setValue(header.value, forHTTPHeaderField: header.name)
        }
        urlRequest.httpBody = Data(request.body.serializedBytes())
        let (data, status) = try await load(urlRequest)
        do throws(RealtimeError) {
            return try reply(status: status, body: Array(data))
        } catch {
            throw error.redacting(request.secrets)
        }
    }

    /// Reads a reply: its JSON, or the error that a refusal stands for.
    package static func reply(status: Int, body: [UInt8]) throws(RealtimeError) -> JSONValue {
        guard (200..<300).contains(status) else { throw refusal(status: status, body: body) }
        return try JSONValue(parsing: body)
    }

    /// The error that a refused request or upgrade stands for.
    package static func refusal(status: Int, body: [UInt8]) -> RealtimeError {
        let error = (try? JSONValue(parsing: body))?["error"]
        let message = error?["message"]?.stringValue ?? error?.stringValue
        return RealtimeError(
            .httpStatus,
            message ?? "the provider refused the request",
            isRetryable: status == 429 || status >= 500,
            providerCode: error?["code"]?.stringValue ?? error?["status"]?.stringValue,
            providerType: error?["type"]?.stringValue,
            parameter: error?["param"]?.stringValue,
            httpStatus: status,
            httpBody: String(decoding: body.prefix(16 << 10), as: UTF8.self)
        )
    }

    private static func load(
        _ request: URLRequest
    ) async throws(RealtimeError) -> (Data, Int) {
        let canceller = TaskCanceller()
        let result: Result<(Data, Int), RealtimeError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = URLSession.shared.dataTask(with: request) { data, response, error in
                    continuation.resume(returning: outcome(data, response, error))
                }
                canceller.start(task)
            }
        } onCancel: {
            canceller.cancel()
        }
        return try result.get()
    }

    private static func outcome(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<(Data, Int), RealtimeError> {
        if let response = response as? HTTPURLResponse {
            return .success((data ?? Data(), response.statusCode))
        }
        switch (error as? URLError)?.code {
        case .cancelled:
            return .failure(RealtimeError(.cancelled, "the request was cancelled"))
        case .timedOut:
            return .failure(
                RealtimeError(.timeout, "the server did not answer in time", isRetryable: true))
        default:
            return .failure(
                RealtimeError(
                    .connectFailed, "the server can't be reached", cause: error,
                    isRetryable: true))
        }
    }
}

/// Ends a request whose caller was cancelled, whichever of start and cancel comes first.
private final class TaskCanceller: Sendable {
    private struct State {
        var task: URLSessionDataTask?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func start(_ task: URLSessionDataTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
