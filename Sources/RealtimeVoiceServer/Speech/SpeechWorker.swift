import Dispatch
import Synchronization

/// One thread's worth of engine work: jobs run one at a time, off the caller's thread, urgent
/// ones first. A final transcript must not wait behind the partials of other sessions.
final class SpeechWorker: Sendable {
    private struct Jobs {
        var urgent: [@Sendable () -> Void] = []
        var relaxed: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let jobs = Mutex(Jobs())
    private let queue: DispatchQueue

    init(label: String) {
        self.queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    /// Queues a job.
    func enqueue(urgent: Bool, _ job: @escaping @Sendable () -> Void) {
        let mustStart = jobs.withLock { jobs in
            if urgent { jobs.urgent.append(job) } else { jobs.relaxed.append(job) }
            defer { jobs.isRunning = true }
            return !jobs.isRunning
        }
        if mustStart { queue.async { self.drain() } }
    }

    /// Runs a job and gives its result.
    func run<Success: Sendable>(
        urgent: Bool,
        _ job: @escaping @Sendable () -> Success
    ) async -> Success {
        await withCheckedContinuation { continuation in
            enqueue(urgent: urgent) { continuation.resume(returning: job()) }
        }
    }

    private func drain() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        jobs.withLock { jobs in
            if !jobs.urgent.isEmpty { return jobs.urgent.removeFirst() }
            if !jobs.relaxed.isEmpty { return jobs.relaxed.removeFirst() }
            jobs.isRunning = false
            return nil
        }
    }
}
