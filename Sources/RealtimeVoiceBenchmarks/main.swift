import Foundation
import RealtimeVoiceTesting

func warn(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}

do {
    let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
    #if DEBUG
        warn("warning: this is a debug build; use swift run -c release RealtimeVoiceBenchmarks")
    #endif
    if let seconds = options.fuzzSeconds {
        let wires = WireFuzzer.Wire.allCases.filter {
            options.fuzzWire == nil || options.fuzzWire == $0.rawValue
        }
        let isGood = Fuzz.run(
            seconds: Double(seconds), seed: options.fuzzSeed ?? .random(in: 0...(1 << 53)),
            wires: wires)
        exit(isGood && !wires.isEmpty ? 0 : 1)
    }
    if !Measurement.countsAllocations() {
        warn("warning: allocations are not counted correctly here")
    }
    var report = Report()
    for benchmark in AudioBenchmarks.all() + WireBenchmarks.all()
        + EngineBenchmarks.all()
    {
        if let filter = options.filter, !benchmark.name.contains(filter) { continue }
        func measure(_ operation: () -> Void) -> Measurement {
            Measurement(runs: options.runs, runMilliseconds: options.runMilliseconds, operation)
        }
        func measure(_ reference: Benchmark.Reference) -> Measurement? {
            benchmark.references.first { $0.reference == reference }.map { measure($0.operation) }
        }
        report.add(
            benchmark.name,
            measure(benchmark.operation),
            naive: measure(.naive),
            floor: measure(.floor)
        )
    }
    print(report.text)
} catch {
    warn("\(error.message)\n\n\(Options.usage)")
    exit(2)
}
