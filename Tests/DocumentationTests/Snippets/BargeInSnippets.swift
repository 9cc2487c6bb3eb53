#if canImport(AVFoundation)
    // snippet.begin BargeIn.player
    import AVFoundation
    import RealtimeVoice

    /// Plays the model's speech and knows what of it was heard.
    ///
    /// All methods may be called from any thread. The lock guards everything, the engine and its
    /// node included; that makes this class `Sendable`, which the compiler can't see.
    final class VoicePlayer: @unchecked Sendable {
        /// A chunk, and where it stands on the node's time line, in frames.
        private struct Piece {
            var chunk: RealtimeAudioChunk
            var start: AVAudioFramePosition
            var frames: AVAudioFramePosition
        }

        private let lock = NSLock()
        private let engine: AVAudioEngine
        private let node = AVAudioPlayerNode()
        private let format: AVAudioFormat
        /// What is audible and what is queued right behind it.
        private var row: [Piece] = []
        /// Where the last piece ends.
        private var end: AVAudioFramePosition = 0
        /// Items that were cut off last: a chunk that was on its way to `play` is dropped.
        private var stopped: Set<String> = []

        /// Attaches to an engine, which the app starts. `rate` is that of the session's output.
        init?(engine: AVAudioEngine, rate: Double = 24_000) {
            guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1)
            else { return nil }
            self.engine = engine
            self.format = format
            engine.attach(node)
            engine.connect(node, to: engine.mainMixerNode, format: format)
        }

        /// Call this once the engine runs.
        func start() {
            lock.withLock { node.play() }
        }

        /// Queues a chunk.
        func play(_ chunk: RealtimeAudioChunk) {
            lock.withLock {
                if !stopped.contains(chunk.itemID) { enqueue(chunk) }
            }
        }

        /// What was heard since the row began.
        var playedMilliseconds: Int {
            lock.withLock { heardMilliseconds(of: row) }
        }

        /// Stops at once and returns what was heard of what is cut off.
        func stop(_ interruption: RealtimeInterruption) -> Int {
            lock.withLock {
                stopped = Set(interruption.itemIDs)
                let played = heardMilliseconds(
                    of: row.filter { stopped.contains($0.chunk.itemID) })
                // Chunks of the next answer may be here before the interruption is known.
                let position = renderedFrames
                let next = row.filter {
                    !stopped.contains($0.chunk.itemID) && $0.start >= position
                }
                node.stop()  // drops what is scheduled and sets the node's time to zero
                row = []
                end = 0
                node.play()
                for piece in next { enqueue(piece.chunk) }
                return played
            }
        }

        private func enqueue(_ chunk: RealtimeAudioChunk) {
            let samples = PCM16.floats(chunk.data)
            guard let buffer = buffer(samples) else { return }
            let position = renderedFrames
            // The queue drained and a new response begins: so does a new row.
            if let last = row.last, position >= end, last.chunk.responseID != chunk.responseID {
                row = []
            }
            let piece = Piece(
                chunk: chunk, start: max(position, end),
                frames: AVAudioFramePosition(samples.count))
            row.append(piece)
            end = piece.start + piece.frames
            node.scheduleBuffer(buffer, completionHandler: nil)
        }

        private func buffer(_ samples: [Float]) -> AVAudioPCMBuffer? {
            guard !samples.isEmpty,
                let buffer = AVAudioPCMBuffer(
                    pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)),
                let channel = buffer.floatChannelData?[0]
            else { return nil }
            buffer.frameLength = AVAudioFrameCount(samples.count)
            for (index, sample) in samples.enumerated() { channel[index] = sample }
            return buffer
        }

        /// How far the node is on its time line, which also runs on while nothing is queued.
        private var renderedFrames: AVAudioFramePosition {
            guard let moment = node.lastRenderTime, let time = node.playerTime(forNodeTime: moment)
            else { return 0 }
            return max(
                0, AVAudioFramePosition(Double(time.sampleTime) / time.sampleRate * rate))
        }

        private func heardMilliseconds(of pieces: [Piece]) -> Int {
            let latency = engine.outputNode.presentationLatency
            let position = renderedFrames - AVAudioFramePosition(latency * rate)
            let frames = pieces.reduce(0) { sum, piece in
                sum + min(max(position - piece.start, 0), piece.frames)
            }
            return Int(Double(frames) * 1_000 / rate)
        }

        private var rate: Double { format.sampleRate }
    }
    // snippet.end

    // snippet.begin BargeIn.microphone
    /// Sends what the microphone hears, in whatever format the hardware has.
    func sendMicrophone(of engine: AVAudioEngine, to session: RealtimeSession) {
        let input = engine.inputNode
        let format = input.outputFormat(forBus: 0)  // 32-bit floats, often at 48 kHz
        let source = AudioSourceFormat(encoding: .float32, rate: Int(format.sampleRate))
        // 20 ms at a time; the system may give more. The block runs on a thread of the engine's.
        let frames = AVAudioFrameCount(format.sampleRate / 50)
        input.installTap(onBus: 0, bufferSize: frames, format: format) {
            @Sendable buffer, _ in
            guard let channels = buffer.floatChannelData else { return }
            let samples = UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength))
            session.sendAudio(Data(buffer: samples), from: source)
        }
    }
    // snippet.end

    @MainActor
    // snippet.begin BargeIn.together
    func converse(in session: RealtimeSession, secret: RealtimeClientSecret) async throws {
        let engine = AVAudioEngine()
        // Keeps the model's own voice out of the microphone.
        try engine.inputNode.setVoiceProcessingEnabled(true)
        guard let player = VoicePlayer(engine: engine) else { return }
        sendMicrophone(of: engine, to: session)
        try engine.start()
        player.start()
        session.onInterruption = { [weak session] interruption in
            session?.playbackInterrupted(playedMilliseconds: player.stop(interruption))
        }
        session.connect(secret: secret)
        let speech = session.audioOutput
        // Off the main actor, so that a busy main thread delays no speech.
        await Task.detached { for await chunk in speech { player.play(chunk) } }.value
        engine.inputNode.removeTap(onBus: 0)
        engine.stop()
    }
// snippet.end
#endif
