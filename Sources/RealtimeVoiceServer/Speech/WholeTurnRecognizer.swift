import RealtimeVoice
import Synchronization

/// An engine that hears a stretch of sound at once.
protocol WholeTurnDecoder: Sendable {
    /// Who hears.
    var name: String { get }
    /// New sound needed before another partial is worth its cost, in samples.
    var partialInterval: Int { get }
    /// The most samples to decode at once.
    var maximumSamples: Int { get }
    /// The words of the samples, 16 kHz. Called on one thread at a time.
    func decode(_ samples: [Int16]) throws(RealtimeError) -> String
}

/// Streams partials from an engine that hears whole turns, by hearing the growing turn again.
///
/// One worker decodes for all sessions: finals before partials, at most one partial of a turn
/// waiting, and none where the turn has grown too long for it. Decoding starts ahead when the
/// speaker pauses, so that a turn that ends there has its text at once.
final class WholeTurnRecognizer: SpeechRecognizer {
    private let decoder: any WholeTurnDecoder
    private let worker: SpeechWorker

    init(_ decoder: any WholeTurnDecoder) {
        self.decoder = decoder
        self.worker = SpeechWorker(label: "RealtimeVoice.recognition")
    }

    var name: String { decoder.name }

    func startTurn(
        onPartial: @escaping @Sendable (String) -> Void
    ) -> any SpeechRecognitionTurn {
        WholeTurn(decoder: decoder, worker: worker, onPartial: onPartial)
    }
}

private final class WholeTurn: SpeechRecognitionTurn {
    private struct State {
        var samples: [Int16] = []
        /// The length at which the last partial was asked for.
        var decodedLength = 0
        var isPartialWaiting = false
        var isOver = false
        /// Nobody waits for the words any more.
        var isCancelled = false
        /// The text decoded at a pause, while the speaker has not gone on.
        var ahead: Task<Result<String, RealtimeError>, Never>?
    }

    /// Ten minutes: nobody speaks longer in one turn, and a client that never ends one must not
    /// fill the memory.
    private static let maximumSamples = 600 * 16_000

    private let decoder: any WholeTurnDecoder
    private let worker: SpeechWorker
    private let onPartial: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(
        decoder: any WholeTurnDecoder,
        worker: SpeechWorker,
        onPartial: @escaping @Sendable (String) -> Void
    ) {
        self.decoder = decoder
        self.worker = worker
        self.onPartial = onPartial
    }

    func append(_ samples: [Int16]) {
        let wantsPartial = state.withLock { state in
            guard !state.isOver, state.samples.count < Self.maximumSamples else { return false }
            state.samples += samples
            guard !state.isPartialWaiting, state.ahead == nil,
                state.samples.count - state.decodedLength >= decoder.partialInterval,
                state.samples.count <= decoder.maximumSamples
            else { return false }
            state.isPartialWaiting = true
            state.decodedLength = state.samples.count
            return true
        }
        if wantsPartial { worker.enqueue(urgent: false) { self.decodePartial() } }
    }

    private func decodePartial() {
        let samples = state.withLock { state in
            state.isPartialWaiting = false
            return state.isOver ? nil : state.samples
        }
        guard let samples, let text = try? decoder.decode(samples), !text.isEmpty else { return }
        if state.withLock({ !$0.isOver }) { onPartial(text) }
    }

    func speechPaused() {
        state.withLock { state in
            guard !state.isOver, state.ahead == nil else { return }
            let samples = state.samples
            state.ahead = Task { await self.decode(samples) }
        }
    }

    func speechResumed() {
        state.withLock { $0.ahead = nil }
    }

    func cancel() {
        state.withLock { state in
            state.isOver = true
            state.isCancelled = true
            state.samples = []
            state.ahead = nil
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func finish() async throws(RealtimeError) -> String {
        let (samples, ahead) = state.withLock { state in
            state.isOver = true
            defer {
                state.samples = []
                state.ahead = nil
            }
            return (state.samples, state.ahead)
        }
        if let ahead { return try await ahead.value.get() }
        return try await decode(samples).get()
    }

    /// Decodes a whole turn, unless it is cancelled while it waits its turn or between pieces:
    /// the worker is there for all sessions.
    private func decode(_ samples: [Int16]) async -> Result<String, RealtimeError> {
        await worker.run(urgent: true) { [self, decoder] in
            var texts: [String] = []
            if isCancelled { return .success("") }
            for piece in TurnSplitter.pieces(of: samples, maximum: decoder.maximumSamples) {
                if isCancelled { break }
                do throws(RealtimeError) {
                    texts.append(try decoder.decode(Array(piece)))
                } catch {
                    return .failure(error)
                }
            }
            return .success(texts.filter { !$0.isEmpty }.joined(separator: " "))
        }
    }
}

/// Cuts a long turn where it is quietest, since the engines' memory and errors grow with length.
enum TurnSplitter {
    static func pieces(of samples: [Int16], maximum: Int) -> [ArraySlice<Int16>] {
        var pieces: [ArraySlice<Int16>] = []
        var rest = samples[...]
        while rest.count > maximum {
            let cut = quietest(in: rest.dropFirst(maximum / 2).prefix(maximum / 2))
            pieces.append(rest[rest.startIndex..<cut])
            rest = rest[cut...]
        }
        if !rest.isEmpty { pieces.append(rest) }
        return pieces
    }

    /// The middle of the quietest tenth of a second.
    private static func quietest(in samples: ArraySlice<Int16>) -> Int {
        let window = 1_600
        var best = samples.startIndex
        var least = Int.max
        for start in stride(from: samples.startIndex, to: samples.endIndex - window, by: window) {
            let loudness = samples[start..<start + window].reduce(0) { $0 + Int($1.magnitude) }
            if loudness < least { (least, best) = (loudness, start + window / 2) }
        }
        return max(best, samples.startIndex + 1)
    }
}
