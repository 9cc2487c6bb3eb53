import Foundation

/// Calls something every 20 ms, on a queue, until it is stopped. Late calls are not made up for:
/// who is called looks at the clock.
final class Metronome {
    private let timer: any DispatchSourceTimer

    init(queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(20), leeway: .milliseconds(1))
        timer.setEventHandler(handler: body)
        timer.resume()
    }

    func stop() {
        timer.cancel()
    }
}
