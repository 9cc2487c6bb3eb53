import RealtimeVoice

/// Gathers what comes of a replay.
struct ReplayCollector {
    private var audio: [RealtimeContentID: (bytes: Int, hash: SHA256)] = [:]
    private var audioOrder: [RealtimeContentID] = []
    private var responseIndex: [String: Int] = [:]
    /// The user's items whose speech was transcribed.
    private var transcribed: [String] = []
    var undecodable = 0
    var seenUndecodable = 0
    var unreadableLines = 0

    mutating func collect(_ chunk: RealtimeAudioChunk) {
        var entry = audio[chunk.content] ?? (0, SHA256())
        if audio[chunk.content] == nil { audioOrder.append(chunk.content) }
        entry.bytes += chunk.data.count
        entry.hash.update(chunk.data)
        audio[chunk.content] = entry
    }

    mutating func collect(_ event: RealtimeServerEvent, into result: inout ReplayResult) {
        result.eventTypes.append(event.name)
        switch event {
        case .responseCreated(let id, _, _, _): note(id, "in_progress", nil, in: &result)
        case .responseDone(let response, _):
            note(response.id, response.status.rawValue, response.reason, in: &result)
            if let usage = response.usage { result.usage.add(usage) }
            if let error = response.error { result.errors.append(error) }
        case .usage(let usage, _, _): result.usage.add(usage)
        case .inputTranscriptionDelta(let content, _, _, _):
            noteTranscript(content.itemID)
        case .inputTranscriptionCompleted(let content, _, _, let usage, _):
            noteTranscript(content.itemID)
            if let usage { result.transcriptionUsage.add(usage) }
        case .error(let error, _): result.errors.append(error)
        case .custom(let type, _): result.custom[type, default: 0] += 1
        default: break
        }
    }

    private mutating func note(
        _ id: String, _ status: String, _ reason: String?, in result: inout ReplayResult
    ) {
        let response = ReplayResult.Response(id: id, status: status, reason: reason)
        if let index = responseIndex[id] {
            result.responses[index] = response
        } else {
            responseIndex[id] = result.responses.count
            result.responses.append(response)
        }
    }

    private mutating func noteTranscript(_ itemID: String) {
        if !transcribed.contains(itemID) { transcribed.append(itemID) }
    }

    func finish(_ result: inout ReplayResult, _ engine: ConversationEngine) {
        let reducer = engine.reducer
        result.messages = reducer.messages
        for itemID in transcribed {
            result.userTranscripts[itemID] = reducer.userTranscript(of: itemID)
        }
        result.assistantTexts = reducer.assistantTexts
        result.toolCalls = reducer.messages.flatMap { $0.parts.compactMap(\.tool) }
            .filter { $0.state != .inputStreaming && $0.input != nil }
        result.audio = audioOrder.compactMap { content in
            audio[content].map { entry in
                ReplayResult.Audio(
                    content: content, bytes: entry.bytes, sha256: entry.hash.hexDigest())
            }
        }
        result.undecodable = undecodable + unreadableLines
    }
}
