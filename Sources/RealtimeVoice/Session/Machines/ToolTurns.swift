/// Sees to it that every call is answered exactly once, and every turn with calls followed up
/// at most once.
///
/// Calls are grouped by the response that made them. A group is followed up by one response
/// when that response has completed and all its calls are answered; never after a cancelled or
/// failed one.
///
/// Bad input: arguments that are no JSON are the model's fault and answered with an error; a
/// second copy of a call, and an output for a call that is answered or unknown, are dropped.
package struct ToolTurns: Sendable {
    enum CallState: Sendable, Hashable {
        case writing
        case running(deadline: Duration?)
        case answered
    }

    struct Call: Sendable, Hashable {
        var name: String
        var responseID: String?
        var state: CallState
    }

    struct Group: Sendable, Hashable {
        var calls: [String] = []
        /// How the response ended, nil while it runs.
        var status: RealtimeResponse.Status?
        /// Whether a call of it was given up, so that nobody waits for what it would have said.
        var isBroken = false
    }

    package enum Action: Sendable, Hashable {
        case run(RealtimeToolCall)
        case send(RealtimeToolOutput)
        case cancelTask(callID: String)
        /// The call ends without an output on the wire.
        case drop(callID: String, reason: String)
        case requestFollowUp
    }

    /// So long may a tool take; nil for ever.
    package var timeout: Duration?
    private(set) var calls: [String: Call] = [:]
    private var order: [String] = []
    private(set) var groups: [String: Group] = [:]

    package init(timeout: Duration?) {
        self.timeout = timeout
    }

    /// Calls that run and are not answered yet.
    package var running: [String] {
        order.filter {
            if case .running? = calls[$0]?.state { return true }
            return false
        }
    }

    package func name(of callID: String) -> String? { calls[callID]?.name }

    // MARK: Calls

    /// The model has begun to write a call.
    package mutating func announced(callID: String, name: String?, responseID: String?) {
        guard !callID.isEmpty else { return }
        if calls[callID] == nil {
            calls[callID] = Call(name: name ?? "", responseID: responseID, state: .writing)
            order.append(callID)
            groups[responseID ?? "", default: Group()].calls.append(callID)
            forgetOld()
        } else if let name, !name.isEmpty {
            calls[callID]?.name = name
        }
    }

    /// The model has written a call to its end.
    package mutating func completed(
        callID: String, name: String?, arguments: String, responseID: String?, now: Duration
    ) -> [Action] {
        announced(callID: callID, name: name, responseID: responseID)
        guard let call = calls[callID], call.state == .writing, !call.name.isEmpty else {
            return []
        }
        switch ToolArguments.parse(arguments) {
        case .success(let input):
            calls[callID]?.state = .running(deadline: timeout.map { now + $0 })
            return [
                .run(
                    RealtimeToolCall(
                        id: callID, name: call.name, argumentsText: arguments, arguments: input,
                        responseID: call.responseID))
            ]
        case .failure(let error):
            return answer(
                RealtimeToolOutput(
                    callID: callID, name: call.name, output: .string(error.message),
                    isError: true))
        }
    }

    /// A tool answered, or somebody for it.
    ///
    /// - Throws: `toolFailed` where there is no such call, or it is answered already.
    package mutating func answered(
        _ output: RealtimeToolOutput
    ) throws(RealtimeError) -> [Action] {
        guard let call = calls[output.callID] else {
            throw RealtimeError(.toolFailed, "there is no call \(output.callID) to answer")
        }
        guard call.state != .answered else {
            throw RealtimeError(.toolFailed, "the call \(output.callID) is already answered")
        }
        var output = output
        if output.name.isEmpty { output.name = call.name }
        return answer(output)
    }

    private mutating func answer(_ output: RealtimeToolOutput) -> [Action] {
        calls[output.callID]?.state = .answered
        return [.send(output)] + followUp(calls[output.callID]?.responseID)
    }

    // MARK: Ends

    package mutating func responseDone(
        _ id: String, status: RealtimeResponse.Status
    ) -> [Action] {
        guard groups[id] != nil else { return [] }
        groups[id]?.status = status
        var actions: [Action] = []
        for callID in groups[id]?.calls ?? [] where calls[callID]?.state == .writing {
            calls[callID]?.state = .answered
            groups[id]?.isBroken = true
            actions.append(giveUp(callID, status))
        }
        return actions + followUp(id)
    }

    /// A call that nobody ran. In a completed response it stands in the provider's conversation,
    /// which must not be left with a question open.
    private func giveUp(_ callID: String, _ status: RealtimeResponse.Status) -> Action {
        guard status == .completed else {
            return .drop(callID: callID, reason: "the answer ended before the call was complete")
        }
        return .send(
            RealtimeToolOutput(
                callID: callID, name: calls[callID]?.name ?? "",
                output: "cancelled: the user interrupted", isError: true))
    }

    /// The provider takes calls back: their results are not wanted any more.
    package mutating func cancelledByProvider(_ callIDs: [String]) -> [Action] {
        callIDs.flatMap { callID -> [Action] in
            guard let call = calls[callID], call.state != .answered else { return [] }
            calls[callID]?.state = .answered
            return [
                .cancelTask(callID: callID),
                .drop(callID: callID, reason: "cancelled by the provider"),
            ] + followUp(call.responseID)
        }
    }

    /// The user spoke over the calls and the app wants them stopped; the model is told.
    package mutating func cancelledByUser() -> [Action] {
        running.flatMap { callID in
            [.cancelTask(callID: callID)]
                + answer(
                    RealtimeToolOutput(
                        callID: callID, name: calls[callID]?.name ?? "",
                        output: "cancelled: the user interrupted", isError: true))
        }
    }

    /// The connection is over: nobody is left to hear of results.
    package mutating func disconnected() -> [Action] {
        let actions = order.flatMap { callID -> [Action] in
            guard let call = calls[callID], call.state != .answered else { return [] }
            return [
                .cancelTask(callID: callID), .drop(callID: callID, reason: "disconnected"),
            ]
        }
        self = ToolTurns(timeout: timeout)
        return actions
    }

    // MARK: Time

    package var deadline: Duration? {
        guard !groups.isEmpty else { return nil }
        return calls.values.compactMap { call in
            guard case .running(let deadline) = call.state else { return nil }
            return deadline
        }.min()
    }

    package mutating func advance(now: Duration) -> [Action] {
        running.flatMap { callID -> [Action] in
            guard case .running(let deadline?)? = calls[callID]?.state, now >= deadline else {
                return []
            }
            return [.cancelTask(callID: callID)]
                + answer(
                    RealtimeToolOutput(
                        callID: callID, name: calls[callID]?.name ?? "",
                        output: "the tool did not answer in time", isError: true))
        }
    }

    /// The one follow-up of a group, as soon as nothing is missing any more.
    private mutating func followUp(_ responseID: String?) -> [Action] {
        let id = responseID ?? ""
        guard let group = groups[id], let status = group.status,
            group.calls.allSatisfy({ calls[$0]?.state == .answered })
        else { return [] }
        groups[id] = nil
        return status == .completed && !group.isBroken ? [.requestFollowUp] : []
    }

    /// Keeps the ids of old calls, so that late copies of them are known, but not for ever.
    private mutating func forgetOld() {
        guard order.count > 256, calls[order[0]]?.state == .answered else { return }
        calls[order.removeFirst()] = nil
    }
}
