import CAllocationCounter
import Foundation

/// One operation that is measured, and what it is compared with.
struct Benchmark {
    /// What the operation's time is divided by in the table.
    enum Reference {
        /// What one would write with Foundation alone: more than 1 is faster than that.
        case naive
        /// The least that any solution must do: the number of times as slow.
        case floor
    }

    /// A name for the table and for `--filter`, such as `base64 encode 960 B`.
    let name: String
    /// The operation, which must not keep anything.
    let operation: () -> Void
    /// The same by other means.
    let references: [(reference: Reference, operation: () -> Void)]

    /// Creates a benchmark.
    ///
    /// Every closure is one operation; what it makes goes to `keep`, lest it be optimised away.
    init(
        _ name: String,
        naive: (() -> Void)? = nil,
        floor: (() -> Void)? = nil,
        operation: @escaping () -> Void
    ) {
        self.name = name
        self.operation = operation
        references = [(.naive, naive), (.floor, floor)].compactMap { reference, operation in
            operation.map { (reference, $0) }
        }
    }
}

/// What was measured of one operation.
struct Measurement {
    /// The median of the runs.
    var nanoseconds: Double
    /// Memory blocks asked for; nil where they can't be counted.
    var allocations: Double?
    /// Bytes of memory asked for; nil where they can't be counted.
    var allocatedBytes: Double?

    /// Measures an operation: warmed up once, then the median of the runs.
    ///
    /// Each run repeats the operation for about `runMilliseconds`, the number being found in the
    /// warm-up, so that the clock's own time doesn't count.
    init(runs: Int, runMilliseconds: Int, _ operation: () -> Void) {
        var repetitions = 1
        while true {
            let elapsed = Self.time(repetitions, operation)
            // What takes no time at all would be repeated for ever.
            if elapsed >= Double(runMilliseconds) * 1e6 || repetitions >= 1 << 28 { break }
            let wanted = Double(runMilliseconds) * 1.1e6 / max(elapsed, 1) * Double(repetitions)
            repetitions = Int(min(max(wanted, Double(repetitions + 1)), Double(repetitions * 100)))
        }
        let times = (0..<max(runs, 1)).map { _ in Self.time(repetitions, operation) }.sorted()
        nanoseconds = times[times.count / 2] / Double(repetitions)
        guard callocationcounter_is_available() else { return }
        let before = (callocationcounter_count(), callocationcounter_bytes())
        for _ in 0..<repetitions { operation() }
        let after = (callocationcounter_count(), callocationcounter_bytes())
        allocations = Double(after.0 - before.0) / Double(repetitions)
        allocatedBytes = Double(after.1 - before.1) / Double(repetitions)
    }

    /// Whether known numbers of allocations, which the Swift library makes for us, are counted as
    /// such; also where none can be counted.
    static func countsAllocations() -> Bool {
        guard callocationcounter_is_available() else { return true }
        func count(_ operation: () -> Void) -> Double? {
            Measurement(runs: 1, runMilliseconds: 1, operation).allocations
        }
        let array = count { keep([UInt8](repeating: 1, count: 100)) }
        let aligned = count {
            let block = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 64)
            unsafe keep(block)
            unsafe block.deallocate()
        }
        return count { keep(1) } == 0 && array == 1 && aligned == 1
    }

    private static func time(_ repetitions: Int, _ operation: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<repetitions { operation() }
        return Double(DispatchTime.now().uptimeNanoseconds - start)
    }
}

/// Makes the optimiser believe that a value is needed.
@inline(never)
func keep<Value>(_ value: Value) {}
