public import Foundation

extension RealtimeSession {
    /// The model's speech, over all connections that this session makes: iterate before or
    /// after `connect`. Ends when the session is disconnected or breaks.
    public nonisolated var audioOutput: SessionAudioOutput { SessionAudioOutput(link: link) }

    /// How loud both sides are; readable from any thread.
    public nonisolated var levels: RealtimeLevels { link.connection?.levels ?? RealtimeLevels() }

    /// Whether the session is configured; readable from any thread.
    public nonisolated var isConnected: Bool { link.connection?.status == .connected }

    /// Whether the provider hears the user speak; readable from any thread.
    public nonisolated var isUserSpeaking: Bool {
        link.connection?.activity.isUserSpeaking ?? false
    }

    /// Whether the model's speech is audible; readable from any thread.
    public nonisolated var isModelSpeaking: Bool {
        link.connection?.activity.isModelSpeaking ?? false
    }

    /// What was lost or could not be read on the present connection.
    public nonisolated var diagnostics: RealtimeDiagnostics? { link.connection?.diagnostics }

    /// Sends a piece of the user's audio in the configured input format: 16-bit PCM, 24 kHz,
    /// one channel by default. From any thread; never blocks or awaits.
    ///
    /// While the session connects it waits, up to the limit of `RealtimeConnectionOptions`.
    /// Dropped, without an error, before `connect` and after the end, and while
    /// `connect(tokenEndpoint:headers:)` waits for the secret.
    public nonisolated func sendAudio(_ audio: Data) {
        try? link.connection?.sendAudio(audio)
    }

    /// Sends a piece of the user's audio in another format, which is converted. From any
    /// thread, but pieces of one stream from one at a time; pieces may end within a sample.
    ///
    /// A format that can't be converted is reported to `onError`: channels must be 1 to 8 and
    /// rates in `AudioResampler.supportedRates`.
    public nonisolated func sendAudio(_ audio: Data, from source: AudioSourceFormat) {
        do throws(RealtimeError) {
            try link.connection?.sendAudio(audio, from: source)
        } catch {
            guard error.code == .invalidInput else { return }
            Task { @MainActor in onError?(error) }
        }
    }

    /// Says something in writing and asks for an answer. Stops an answer that is under way.
    public func sendText(_ text: String) {
        attempt { connection throws(RealtimeError) in try connection.sendText(text) }
    }

    /// Ends the user's turn, where turn detection is off. Ask for an answer with
    /// `requestResponse(_:)` where the wire doesn't answer of itself.
    public func commitAudio() {
        attempt { connection throws(RealtimeError) in try connection.commitAudio() }
    }

    /// Drops the audio since the last commit.
    public func clearAudioBuffer() {
        attempt { connection throws(RealtimeError) in try connection.clearAudioBuffer() }
    }

    /// Asks for an answer, when the present one is over if there is one.
    public func requestResponse(
        _ options: RealtimeResponseOptions = RealtimeResponseOptions()
    ) {
        attempt { connection throws(RealtimeError) in try connection.requestResponse(options) }
    }

    /// Stops the answer that is asked for or under way, and its playback.
    public func cancelResponse() {
        attempt { connection throws(RealtimeError) in try connection.cancelResponse() }
    }

    /// Tells that the player was stopped.
    ///
    /// - Parameter playedMilliseconds: What was heard since the first piece of the response that
    ///   is audible now, running on over its further items and over what is queued right behind
    ///   it, starting again after an interruption.
    public func playbackInterrupted(playedMilliseconds: Int) {
        attempt { connection throws(RealtimeError) in
            try connection.playbackInterrupted(playedMilliseconds: playedMilliseconds)
        }
    }

    /// Tells that the player was stopped within an item, after so much of that item.
    public func playbackInterrupted(
        itemID: String, contentIndex: Int = 0, playedMilliseconds: Int
    ) {
        attempt { connection throws(RealtimeError) in
            try connection.playbackInterrupted(
                itemID: itemID, contentIndex: contentIndex,
                playedMilliseconds: playedMilliseconds)
        }
    }

    /// Tells how far the player is, counted as for `playbackInterrupted`. From any thread.
    public nonisolated func playbackProgressed(playedMilliseconds: Int) {
        try? link.connection?.playbackProgressed(playedMilliseconds: playedMilliseconds)
    }

    /// Answers a call that `onToolCall` left open.
    ///
    /// `scheduling` tells when the model should hear of it, on wires that can choose (Gemini).
    public func addToolOutput(
        callID: String, output: JSONValue, isError: Bool = false,
        scheduling: RealtimeToolOutput.Scheduling? = nil
    ) {
        attempt { connection throws(RealtimeError) in
            try connection.addToolOutput(
                callID: callID, output: output, isError: isError, scheduling: scheduling)
        }
    }

    /// Changes the session while connected: what is nil stays as it is. `sessionConfig` isn't
    /// changed, so another connection begins with the configuration of before.
    /// Later connections begin with it.
    public func updateSession(_ config: RealtimeSessionConfig) {
        attempt { [weak self] connection throws(RealtimeError) in
            try connection.updateSession(config)
            guard let self else { return }
            self.sessionConfig = self.sessionConfig.updated(with: config)
        }
    }
}
