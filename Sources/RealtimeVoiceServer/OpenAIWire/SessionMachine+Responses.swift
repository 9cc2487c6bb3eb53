import Foundation
import RealtimeVoice

/// Responses: begin, answer, end.
extension SessionMachine {
    mutating func createResponse(_ wishes: JSONValue, now: Int) throws(WireError) {
        var options = ResponseOptions(settings)
        if !wishes.isNull { try options.apply(wishes) }
        if options.isInConversation, let activeResponse {
            throw WireError(
                code: "conversation_already_has_active_response",
                message: "Conversation already has an active response in progress: "
                    + "\(activeResponse). Wait until the response is finished before creating a "
                    + "new one.")
        }
        startResponse(options, now: now)
    }

    mutating func startResponse(_ options: ResponseOptions, now: Int) {
        var response = ResponseState(
            id: ids.next("resp"), options: options, pace: environment.pace)
        response.waitsFor = pendingHearing
        if options.isInConversation { activeResponse = response.id }
        idleDeadline = nil
        responses[response.id] = response
        send(
            "response.created",
            ["response": response.json(status: "in_progress", conversationID: conversationID)])
        askIfReady(response.id)
    }

    /// Asks the responder once all words are known.
    mutating func askIfReady(_ id: String) {
        guard let response = responses[id], !response.isAsked, response.waitsFor.isEmpty else {
            return
        }
        responses[id]?.isAsked = true
        actions.append(
            .ask(
                response: id, response.options,
                history: Conversation.history(context(of: response.options))))
    }

    /// The items that a response answers.
    private func context(of options: ResponseOptions) -> [WireItem] {
        guard let input = options.input else { return conversation.items }
        return input.compactMap { value in
            value["type"] == "item_reference"
                ? conversation.item(value["id"]?.stringValue ?? "") : WireItem(value, id: "")
        }
    }

    // MARK: Answering

    mutating func receiveAnswer(_ id: String, _ output: ResponderOutput, now: Int) {
        guard var response = responses.removeValue(forKey: id) else { return }
        switch output {
        case .toolCall(let name, let arguments): addCall(name, arguments, to: &response)
        case .sentence(let text):
            openMessage(in: &response)
            if response.options.isSpoken {
                response.sentences.append(text)
                synthesizeNext(&response)
            } else {
                addText(text, to: &response)
            }
        }
        responses[id] = response
        pump(id, now: now)
    }

    mutating func endAnswer(_ id: String, failure: String?, now: Int) {
        responses[id]?.isAnswerComplete = true
        responses[id]?.failure = failure
        pump(id, now: now)
    }

    mutating func receiveSpeech(_ id: String, _ sentence: SpokenSentence?, now: Int) {
        guard var response = responses.removeValue(forKey: id) else { return }
        response.isSynthesizing = false
        if let sentence { response.pacer.add(sentence, now: now) }
        synthesizeNext(&response)
        responses[id] = response
        pump(id, now: now)
    }

    private mutating func synthesizeNext(_ response: inout ResponseState) {
        guard !response.isSynthesizing, !response.sentences.isEmpty else { return }
        response.isSynthesizing = true
        let text = response.sentences.removeFirst()
        actions.append(.synthesize(response: response.id, text: text, response.options))
    }

    /// Sends what is due, and ends the response where nothing is left.
    mutating func pump(_ id: String, now: Int) {
        guard var response = responses.removeValue(forKey: id) else { return }
        for piece in response.pacer.due(now: now) {
            switch piece {
            case .word(let word): send(word, of: &response)
            case .audio(let bytes): send(bytes, of: &response)
            }
            if response.isAtLimit { break }
        }
        if response.isAtLimit {
            actions.append(.stopAsking(response: id))
            end(
                response, status: "incomplete",
                details: ["type": "incomplete", "reason": "max_output_tokens"], now: now)
        } else if let failure = response.failure {
            let error: JSONValue = [
                "type": "server_error", "code": "responder_failed", "message": .string(failure),
            ]
            end(
                response, status: "failed", details: ["type": "failed", "error": error], now: now)
        } else if response.isComplete {
            end(response, status: "completed", details: .null, now: now)
        } else {
            responses[id] = response
        }
    }

    // MARK: Ending

    mutating func cancelResponse(_ wanted: String?) throws(WireError) {
        guard let id = wanted ?? activeResponse, responses[id] != nil else {
            throw WireError(
                code: "response_cancel_not_active",
                message: "Cancellation failed: no active response found")
        }
        cancel(id, reason: "client_cancelled")
    }

    mutating func cancel(_ id: String, reason: String) {
        guard let response = responses.removeValue(forKey: id) else { return }
        actions.append(.stopAsking(response: id))
        end(
            response, status: "cancelled",
            details: ["type": "cancelled", "reason": .string(reason)], now: nil)
    }

    /// Closes the open message and tells the end. `now` is nil where the user interrupts: then
    /// nobody waits for the user.
    private mutating func end(
        _ response: ResponseState,
        status: String,
        details: JSONValue,
        now: Int?
    ) {
        var response = response
        closeMessage(in: &response, isWhole: status == "completed")
        let input = WireUsage.input(
            context(of: response.options).filter { item in
                !response.outputs.contains { $0.id == item.id }
            }, instructions: response.options.instructions)
        let usage = WireUsage.json(input: input, output: WireUsage.output(response.outputs))
        send(
            "response.done",
            [
                "response": response.json(
                    status: status, details: details, conversationID: conversationID,
                    usage: usage)
            ])
        send(
            "rate_limits.updated",
            [
                "rate_limits": [
                    [
                        "name": "tokens", "limit": 15_000_000, "remaining": 14_990_000,
                        "reset_seconds": 0.04,
                    ]
                ]
            ])
        guard activeResponse == response.id else { return }
        activeResponse = nil
        guard let now else {
            owesResponse = false
            return
        }
        if owesResponse {
            owesResponse = false
            startResponse(ResponseOptions(settings), now: now)
        } else {
            awaitUser(
                unheardMilliseconds: response.pacer.unheardMilliseconds(now: now), now: now)
        }
    }
}
