public import Foundation
public import RealtimeVoice
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A responder that asks any OpenAI-compatible chat-completions endpoint, and speaks its answer
/// sentence by sentence while it streams.
public struct ChatCompletionsResponder: Responder {
    private let url: URL
    private let model: String
    private let apiKey: String?
    private let timeout: Duration

    /// Creates a responder.
    ///
    /// - Parameters:
    ///   - baseURL: Such as `http://localhost:11434/v1`; `/chat/completions` is appended.
    ///   - model: The endpoint's name of the model.
    ///   - apiKey: Sent as a bearer token where given; never logged.
    ///   - timeout: How long the endpoint may be silent.
    public init(
        baseURL: URL,
        model: String,
        apiKey: String? = nil,
        timeout: Duration = .seconds(60)
    ) {
        url = baseURL.appendingPathComponent("chat/completions")
        self.model = model
        self.apiKey = apiKey
        self.timeout = timeout
    }

    /// The model and where it runs.
    public var name: String { "\(model) at \(url.host ?? "?")" }

    /// Streams an answer.
    ///
    /// - Throws: `httpStatus` where the endpoint refuses, `connectFailed` where it isn't there.
    public func respond(
        to request: ResponderRequest,
        emit: @escaping @Sendable (ResponderOutput) -> Void
    ) async throws(RealtimeError) {
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        post.timeoutInterval = Double(timeout.components.seconds)
        post.setValue("application/json", forHTTPHeaderField: "Content-Type")
        post.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        if let apiKey { post.setValue("Bearer \(apiKey)", forHTTPHeaderField: "Authorization") }
        let body = ChatCompletionsRequest.body(request, model: model)
        post.httpBody = Data(body.serializedBytes())
        let exchange = StreamingExchange(emit: emit)
        let result = await withTaskCancellationHandler {
            await exchange.run(post)
        } onCancel: {
            exchange.cancel()
        }
        try result.get()
    }
}

/// One streamed reply: decodes on the URL session's own queue.
private final class StreamingExchange: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var stream = ChatCompletionsStream()
        var status = 0
        /// The beginning of a refusal's body.
        var refusal: [UInt8] = []
        var failure: RealtimeError?
        var isCancelled = false
        var session: URLSession?
        var continuation: CheckedContinuation<Result<Void, RealtimeError>, Never>?
    }

    private let emit: @Sendable (ResponderOutput) -> Void
    private let state = Mutex(State())

    init(emit: @escaping @Sendable (ResponderOutput) -> Void) {
        self.emit = emit
    }

    func run(_ request: URLRequest) async -> Result<Void, RealtimeError> {
        await withCheckedContinuation { continuation in
            let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
            let isCancelled = state.withLock { state in
                state.session = session
                state.continuation = continuation
                return state.isCancelled
            }
            session.dataTask(with: request).resume()
            if isCancelled { session.invalidateAndCancel() }
        }
    }

    func cancel() {
        let session = state.withLock { state in
            state.isCancelled = true
            return state.session
        }
        session?.invalidateAndCancel()
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.status = (response as? HTTPURLResponse)?.statusCode ?? 0 }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let outputs = state.withLock { state -> [ResponderOutput] in
            guard state.status == 200 else {
                state.refusal += data.prefix(16_384 - min(16_384, state.refusal.count))
                return []
            }
            do throws(RealtimeError) {
                return try state.stream.received(Array(data))
            } catch {
                state.failure = state.failure ?? error
                return []
            }
        }
        for output in outputs { emit(output) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        session.finishTasksAndInvalidate()
        let (outputs, result, continuation) = state.withLock { state in
            let (outputs, result) = Self.outcome(&state, error)
            defer {
                state.continuation = nil
                state.session = nil
            }
            return (outputs, result, state.continuation)
        }
        for output in outputs { emit(output) }
        continuation?.resume(returning: result)
    }

    private static func outcome(
        _ state: inout State,
        _ error: (any Error)?
    ) -> ([ResponderOutput], Result<Void, RealtimeError>) {
        if state.isCancelled {
            return ([], .failure(RealtimeError(.cancelled, "The answer was cancelled")))
        }
        if let failure = state.failure { return ([], .failure(failure)) }
        if let error {
            let failure = RealtimeError(
                .connectFailed, "The chat endpoint could not be reached", cause: error,
                isRetryable: true)
            return ([], .failure(failure))
        }
        guard state.status == 200 else {
            let body = String(decoding: state.refusal, as: UTF8.self)
            let failure = RealtimeError(
                .httpStatus, "The chat endpoint refused with status \(state.status)",
                httpStatus: state.status, httpBody: body)
            return ([], .failure(failure))
        }
        do throws(RealtimeError) {
            return (try state.stream.finished(), .success(()))
        } catch {
            return ([], .failure(error))
        }
    }
}
