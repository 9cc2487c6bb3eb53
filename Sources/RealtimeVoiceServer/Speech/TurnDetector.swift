/// Cuts a stream of 16 kHz samples into turns of speech.
///
/// A pure value: positions are samples since the session's first. Speech must last 60 ms to
/// open a turn; one stray frame does not keep it open; a turn closes after the silence that
/// the session asks for, or at its maximum length.
struct TurnDetector: Sendable {
    /// The session's wishes.
    struct Settings: Sendable, Equatable {
        var prefixPaddingMilliseconds = 300
        var silenceMilliseconds = 500
        var maximumTurnMilliseconds = 30_000
    }

    /// What happened, in order.
    enum Event: Sendable, Equatable {
        /// A turn opened; `start` includes the prefix padding.
        case started(start: Int)
        /// The speaker is silent for long enough to decode ahead.
        case paused
        /// The speaker went on after a pause.
        case resumed
        /// The turn closed; `end` includes the silence.
        case stopped(end: Int)
    }

    private static let samplesPerMillisecond = 16
    private static let framesToStart = 3
    private static let pauseMilliseconds = 200

    private let settings: Settings
    private let frameSamples: Int
    private let frameMilliseconds: Int
    private var detector: any VoiceActivityDetector
    private var partial: [Int16] = []
    /// Samples heard, whole frames only.
    private var position: Int
    private let origin: Int
    private var speechRun = 0
    private var quietMilliseconds = 0
    private var turnStart: Int?
    private var isPaused = false

    /// Creates a detector whose first sample stands at `position`.
    init(detector: any VoiceActivityDetector, settings: Settings, position: Int = 0) {
        self.detector = detector
        self.settings = settings
        self.position = position
        self.origin = position
        self.frameSamples = detector.frameSamples
        self.frameMilliseconds = detector.frameSamples / Self.samplesPerMillisecond
    }

    /// Whether a turn is open.
    var isSpeaking: Bool { turnStart != nil }

    /// Takes more samples.
    mutating func received(_ samples: [Int16]) -> [Event] {
        var events: [Event] = []
        partial += samples
        var start = partial.startIndex
        while partial.count - start >= frameSamples {
            let frame = partial[start..<start + frameSamples]
            start += frameSamples
            position += frameSamples
            if let event = advance(isSpeech: detector.isSpeech(frame)) { events.append(event) }
        }
        partial.removeFirst(start)
        return events
    }

    /// Closes an open turn without an event: the audio was committed or cleared by hand.
    mutating func dropTurn() {
        turnStart = nil
        speechRun = 0
        quietMilliseconds = 0
        isPaused = false
    }

    private mutating func advance(isSpeech: Bool) -> Event? {
        guard let turnStart else { return waitForSpeech(isSpeech) }
        speechRun = isSpeech ? speechRun + 1 : 0
        let length = (position - turnStart) / Self.samplesPerMillisecond
        if speechRun >= 2 {
            quietMilliseconds = 0
            if isPaused {
                isPaused = false
                return length >= settings.maximumTurnMilliseconds ? stop() : .resumed
            }
        } else {
            quietMilliseconds += frameMilliseconds
        }
        if quietMilliseconds >= settings.silenceMilliseconds
            || length >= settings.maximumTurnMilliseconds
        {
            return stop()
        }
        if !isPaused, quietMilliseconds >= Self.pauseMilliseconds {
            isPaused = true
            return .paused
        }
        return nil
    }

    private mutating func waitForSpeech(_ isSpeech: Bool) -> Event? {
        speechRun = isSpeech ? speechRun + 1 : max(0, speechRun - 1)
        guard speechRun >= Self.framesToStart else { return nil }
        let padding =
            settings.prefixPaddingMilliseconds * Self.samplesPerMillisecond
            + speechRun * frameSamples
        let start = max(origin, position - padding)
        turnStart = start
        speechRun = 0
        quietMilliseconds = 0
        isPaused = false
        return .started(start: start)
    }

    private mutating func stop() -> Event {
        dropTurn()
        return .stopped(end: position)
    }
}
