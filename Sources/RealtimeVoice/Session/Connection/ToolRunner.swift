import Synchronization

/// Runs calls side by side and hands their results back.
///
/// A call is offered to the tool of its name, then to the app's handler. A handler that returns
/// nil answers later. Whatever a task does after its connection has ended finds nobody to
/// report to.
final class ToolRunner: Sendable {
    /// Answers a call, or returns nil to answer later.
    typealias Handler = @Sendable (RealtimeToolCall) async throws -> JSONValue?

    private struct State {
        var tools: [String: RealtimeTool]
        var tasks: [String: Task<Void, Never>] = [:]
        /// Calls that were over before their task was noted down.
        var isEnded = false
    }

    private let state: Mutex<State>
    private let handler: Handler?

    init(tools: [RealtimeTool], handler: Handler?) {
        state = Mutex(
            State(
                tools: Dictionary(
                    tools.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })))
        self.handler = handler
    }

    /// Runs a call and reports its output, unless it is deferred or cancelled.
    func run(
        _ call: RealtimeToolCall, report: @escaping @Sendable (RealtimeToolOutput) -> Void
    ) {
        let tool = state.withLock { $0.tools[call.name] }
        let handler = handler
        let task = Task { [weak self] in
            let output = await Self.output(of: call, tool: tool, handler: handler)
            self?.state.withLock { $0.tasks[call.id] = nil }
            if let output, !Task.isCancelled { report(output) }
        }
        state.withLock { state in
            if state.isEnded {
                task.cancel()
            } else {
                state.tasks[call.id] = task
            }
        }
    }

    private static func output(
        of call: RealtimeToolCall, tool: RealtimeTool?, handler: Handler?
    ) async -> RealtimeToolOutput? {
        do {
            let result: JSONValue?
            if let body = tool?.body {
                result = try await body(call.arguments)
            } else if let handler {
                result = try await handler(call)
            } else if tool != nil {
                // Declared without a body: the app answers with addToolOutput.
                result = nil
            } else {
                throw RealtimeError(.toolFailed, "there is no tool named \(call.name)")
            }
            return result.map {
                RealtimeToolOutput(callID: call.id, name: call.name, output: $0)
            }
        } catch {
            let text = (error as? RealtimeError)?.message ?? "\(error)"
            return RealtimeToolOutput(
                callID: call.id, name: call.name, output: .string(text), isError: true)
        }
    }

    func cancel(callID: String) {
        state.withLock { $0.tasks.removeValue(forKey: callID) }?.cancel()
    }

    /// Cancels whatever runs and lets go of the tools.
    func end() {
        let tasks = state.withLock { state in
            state.isEnded = true
            defer {
                state.tasks = [:]
                state.tools = [:]
            }
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
    }
}
