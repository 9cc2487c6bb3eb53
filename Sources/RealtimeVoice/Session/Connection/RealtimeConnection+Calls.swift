public import Foundation
import Synchronization

extension RealtimeConnection {
    // MARK: State

    /// How the connection stands.
    public var status: RealtimeStatus { state.withLock { $0.status } }

    /// The conversation so far.
    public var messages: [UIMessage] { state.withLock { $0.engine.reducer.messages } }

    /// What happens beside the messages.
    public var activity: RealtimeActivity { state.withLock { $0.engine.activity } }

    /// How loud both sides are: the last piece of audio each.
    public var levels: RealtimeLevels { state.withLock { $0.levels } }

    /// What was lost or could not be read.
    public var diagnostics: RealtimeDiagnostics {
        state.withLock { state in
            RealtimeDiagnostics(
                undecodableFrames: state.engine.undecodableFrames,
                droppedInputBytes: state.engine.waiting.droppedAudioBytes,
                droppedInputFrames: state.outbound.droppedAudioFrames,
                droppedSpeechBytes: speech.dropped,
                lateSpeechBytes: state.engine.lateAudioBytes)
        }
    }

    /// The model's speech.
    public var audioOutput: RealtimeAudioOutput { RealtimeAudioOutput(queue: speech) }

    /// What happens from now on.
    public var updates: RealtimeUpdates {
        let queue = BoundedQueue<RealtimeUpdate>(limit: 4_096)
        let status: RealtimeStatus? = state.withLock { state in
            guard !state.hasEnded else { return state.status }
            state.subscribers.append(queue)
            return nil
        }
        if let status {
            queue.push(.status(status))
            queue.finish()
        }
        return RealtimeUpdates(queue: queue)
    }

    /// Waits until the session is configured.
    ///
    /// - Throws: Why there will be no session.
    public func waitUntilReady() async throws(RealtimeError) {
        let result: Result<Void, RealtimeError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Result<Void, RealtimeError>? = state.withLock { state in
                    switch state.status {
                    case .connected: return .success(())
                    case .failed, .disconnected: return .failure(Self.error(of: state.status))
                    case .connecting:
                        state.readyWaiters.append(continuation)
                        return nil
                    }
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            disconnect()
        }
        try result.get()
    }

    // MARK: Calls

    func perform(_ intent: ClientIntent) throws(RealtimeError) {
        let now = clock.now
        let failure: RealtimeError? = state.withLock { state in
            do throws(RealtimeError) {
                guard !state.hasEnded else {
                    throw RealtimeError(.notConnected, "the session is not connected")
                }
                try state.engine.perform(intent, now: now, into: &state.effects)
                return nil
            } catch {
                return error
            }
        }
        perform()
        if let failure { throw failure }
    }

    /// Sends a piece of the user's audio in the configured input format: 16-bit little-endian PCM,
    /// one channel, 24 kHz (Gemini: 16 kHz) if nothing is configured.
    ///
    /// - Throws: `notConnected` after the end. What falls out while the session isn't ready or the
    ///   socket is slow is counted in `diagnostics`.
    public func sendAudio(_ audio: Data) throws(RealtimeError) {
        if state.withLock({ $0.engine.inputFormat.type == "audio/pcm" }) {
            let level = LevelMeter.level(of: audio)
            state.withLock { $0.levels.input = level }
        }
        try perform(.appendAudio(audio))
    }

    /// Sends a piece of the user's audio in another format, converted on the way. Pieces of one
    /// stream must come from one thread at a time, and may end within a sample.
    ///
    /// - Throws: `invalidInput` for a rate or a number of channels that can't be converted,
    ///   `unsupported` where the wire's format is neither PCM nor G.711, `notConnected`.
    public func sendAudio(
        _ audio: Data, from source: AudioSourceFormat
    ) throws(RealtimeError) {
        let converted: Result<Data, RealtimeError> = state.withLock { state in
            do throws(RealtimeError) {
                let target = state.engine.inputFormat
                if state.converter?.source != source || state.converter?.target != target {
                    state.converter = try AudioConverter(from: source, to: target)
                }
                return .success(state.converter?.convert(audio) ?? audio)
            } catch {
                return .failure(error)
            }
        }
        let data = try converted.get()
        if !data.isEmpty { try sendAudio(data) }
    }

    /// Ends the user's turn.
    ///
    /// - Throws: `invalidInput` where turn detection is off and less audio was sent since the last
    ///   commit than the provider takes; `notConnected`.
    public func commitAudio() throws(RealtimeError) { try perform(.commitAudio) }

    /// Drops the audio since the last commit.
    ///
    /// - Throws: `unsupported` where the wire can't, `notConnected`.
    public func clearAudioBuffer() throws(RealtimeError) { try perform(.clearAudio) }

    /// Says something in writing and asks for an answer. Stops an answer that is under way.
    ///
    /// - Throws: `queueFull` where too much waits already, `notConnected`.
    public func sendText(_ text: String) throws(RealtimeError) {
        try perform(.sendText(text, itemID: nil))
    }

    /// Adds an item to the conversation without asking for an answer.
    public func addItem(
        _ item: RealtimeItem, placement: RealtimeItemPlacement = .unspecified
    ) throws(RealtimeError) {
        try perform(.addItem(item, placement))
    }

    /// Asks for an answer, when the present one is over if there is one. Requests without options
    /// that wait are one; at most 16 wait.
    ///
    /// - Throws: `queueFull`, `notConnected`. Options that the wire lacks are `unsupported`: thrown,
    ///   or told as a `failure` where the provider wants to be asked for each response.
    public func requestResponse(
        _ options: RealtimeResponseOptions = RealtimeResponseOptions()
    ) throws(RealtimeError) {
        try perform(.requestResponse(options))
    }

    /// Stops the answer that is asked for or under way, and its playback.
    public func cancelResponse() throws(RealtimeError) { try perform(.cancelResponse) }

    /// Tells that the player was stopped.
    ///
    /// - Parameter playedMilliseconds: What was heard since the first piece of the response that
    ///   is audible now, running on over its further items and over what is queued right behind
    ///   it, starting again after an interruption.
    /// - Throws: `notConnected` after the end.
    public func playbackInterrupted(playedMilliseconds: Int) throws(RealtimeError) {
        try perform(.playbackInterrupted(playedMilliseconds: playedMilliseconds))
    }

    /// Tells that the player was stopped within an item, after so many milliseconds of that item.
    /// One that isn't audible changes nothing.
    public func playbackInterrupted(
        itemID: String, contentIndex: Int = 0, playedMilliseconds: Int
    ) throws(RealtimeError) {
        try perform(
            .itemPlaybackInterrupted(
                itemID: itemID, contentIndex: contentIndex,
                playedMilliseconds: playedMilliseconds))
    }

    /// Tells how far the player is, counted as for `playbackInterrupted`. Optional: with it, an
    /// interruption needs no further report and is settled with the last one.
    public func playbackProgressed(playedMilliseconds: Int) throws(RealtimeError) {
        try perform(.playbackProgressed(playedMilliseconds: playedMilliseconds))
    }

    /// Answers a call that its handler left open.
    ///
    /// - Throws: `toolFailed` where there is no such call or it is answered already, `notConnected`.
    public func addToolOutput(
        callID: String, output: JSONValue, isError: Bool = false,
        scheduling: RealtimeToolOutput.Scheduling? = nil
    ) throws(RealtimeError) {
        try perform(
            .toolOutput(
                RealtimeToolOutput(
                    callID: callID, name: "", output: output, isError: isError,
                    scheduling: scheduling)))
    }

    /// Changes the session: what is nil stays as it is.
    ///
    /// - Throws: `unsupported` where the wire can't, `notConnected`.
    public func updateSession(_ config: RealtimeSessionConfig) throws(RealtimeError) {
        try perform(.updateSession(config))
    }

    /// Removes an item from the provider's conversation.
    ///
    /// - Throws: `unsupported` where the wire can't, `notConnected`.
    public func deleteItem(_ itemID: String) throws(RealtimeError) {
        try perform(.deleteItem(itemID))
    }

    /// Asks for an item as the provider has it; it comes as `conversationItemRetrieved`.
    ///
    /// - Throws: `unsupported` where the wire can't, `notConnected`.
    public func retrieveItem(_ itemID: String) throws(RealtimeError) {
        try perform(.retrieveItem(itemID))
    }

    /// Sends a message of the provider's own.
    public func sendRaw(_ message: JSONValue) throws(RealtimeError) {
        try perform(.raw(message))
    }

    /// The conversation, for a connection that continues it.
    var conversation: ConversationReducer { state.withLock { $0.engine.reducer } }

    /// Lets a session show what changed without copying the rest.
    func takeMessageChanges() -> [MessageChange] {
        state.withLock { $0.engine.reducer.takeChanges() }
    }
}

/// How loud both sides are.
public struct RealtimeLevels: Sendable, Hashable {
    /// The last piece of the user's audio.
    public var input = AudioLevel.silence
    /// The last piece of the model's speech that came in.
    public var output = AudioLevel.silence
}

/// What was lost or could not be read, since the connection was made.
public struct RealtimeDiagnostics: Sendable, Hashable {
    /// Frames of the provider's that are no messages.
    public var undecodableFrames: Int
    /// The user's audio that fell out before the session was ready, in bytes.
    public var droppedInputBytes: Int
    /// The user's audio that fell out while the socket was slow, in messages.
    public var droppedInputFrames: Int
    /// The model's speech that nobody took, in bytes.
    public var droppedSpeechBytes: Int
    /// The model's speech that came after its answer was interrupted, in bytes.
    public var lateSpeechBytes: Int
}
