/// Changes the sample rate of a mono stream, in pieces of any size.
///
/// A windowed-sinc polyphase filter of linear phase. In units of the lower of the two Nyquist
/// frequencies: up to 0.9 the gain is 1 within 0.01 dB, and what lies beyond 1.0 is at least
/// 80 dB down, aliases and images alike. The result is the same however the stream is cut, it
/// starts where the input starts, and it doesn't drift: after `flush` there are exactly
/// `round(inputs * outputRate / inputRate)` samples. Equal rates pass the samples on unchanged.
public struct AudioResampler: Sendable {
    /// Samples a second of what comes in.
    public let inputRate: Int
    /// Samples a second of what goes out.
    public let outputRate: Int
    /// How many input samples must follow one before it is in the output: about 3.6 ms of a lower
    /// rate of 16 kHz, 0 for equal rates.
    public let latencySamples: Int

    private let filter: ResamplingFilter?
    private let up: Int
    private let down: Int
    private let clock: Clock
    /// The input that is still needed, after enough silence for the first output sample.
    private var history: [Float] = []
    /// Where the next output sample is.
    private var position: Clock
    // 64 bits, since on a watch an `Int` is too small for the products of a long stream.
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0

    /// A time in input samples: whole ones, and a number of `up`-ths.
    private struct Clock {
        var whole: Int
        var phase: Int
    }

    /// The rates that can be converted.
    public static let supportedRates = 4_000...192_000

    /// Creates a resampler, or throws `invalidInput` for a rate that isn't in `supportedRates`.
    public init(from inputRate: Int, to outputRate: Int) throws(RealtimeError) {
        for rate in [inputRate, outputRate] where !Self.supportedRates.contains(rate) {
            throw RealtimeError(
                .invalidInput,
                "A sample rate of \(rate) Hz can't be converted; 4000 to 192000 Hz can.",
                parameter: "rate"
            )
        }
        self.inputRate = inputRate
        self.outputRate = outputRate
        var (divisor, rest) = (inputRate, outputRate)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        up = outputRate / divisor
        down = inputRate / divisor
        filter = up == down ? nil : ResamplingFilter(up: up, down: down)
        latencySamples = (filter?.taps ?? 0) / 2
        clock = Clock(whole: down / up, phase: down % up)
        position = Clock(whole: 0, phase: 0)
        reset()
    }

    /// Takes in samples in -1…1 and returns those that are due.
    public mutating func process(_ samples: [Float]) -> [Float] {
        guard filter != nil else { return samples }
        return produce(adding: samples.count) { history in history.append(contentsOf: samples) }
    }

    /// Takes in 16-bit samples and returns those that are due, rounded and clamped.
    public mutating func process(_ samples: [Int16]) -> [Int16] {
        guard filter != nil else { return samples }
        return PCM16.samples(process(PCM16.floats(samples)))
    }

    /// Returns the samples that were waiting for later input; then the next stream may begin.
    public mutating func flush() -> [Float] {
        guard filter != nil else { return [] }
        let total = (inputCount * Int64(up) * 2 + Int64(down)) / Int64(down * 2)
        let left = Int(total - outputCount)
        let silence = latencySamples + down / up + 1
        var output = produce(adding: silence) { history in
            history.append(contentsOf: repeatElement(0, count: silence))
        }
        output.removeLast(max(output.count - left, 0))
        reset()
        return output
    }

    /// Forgets the stream, so that the next sample begins another.
    public mutating func reset() {
        history.removeAll(keepingCapacity: true)
        if latencySamples > 0 {
            history.append(contentsOf: repeatElement(0, count: latencySamples - 1))
        }
        position = Clock(whole: 0, phase: 0)
        inputCount = 0
        outputCount = 0
    }

    private mutating func produce(
        adding count: Int,
        _ append: (inout [Float]) -> Void
    ) -> [Float] {
        guard let filter, count > 0 else { return [] }
        append(&history)
        inputCount += Int64(count)
        var output: [Float] = []
        output.reserveCapacity(Int(Int64(count) * Int64(up) / Int64(down)) + 1)
        var next = position
        unsafe history.withUnsafeBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            while next.whole + filter.taps <= samples.count {
                let place = unsafe first + next.whole
                unsafe output.append(filter.apply(to: place, phase: next.phase, of: up))
                next.whole += clock.whole
                next.phase += clock.phase
                if next.phase >= up {
                    next.phase -= up
                    next.whole += 1
                }
            }
        }
        outputCount += Int64(output.count)
        let done = min(next.whole, history.count)
        history.removeFirst(done)
        position = Clock(whole: next.whole - done, phase: next.phase)
        return output
    }
}
