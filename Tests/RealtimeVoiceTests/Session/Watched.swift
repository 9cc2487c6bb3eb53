import RealtimeVoice
import Synchronization
import Testing

/// Something that a closure captures, whose life a test watches.
final class Token: Sendable {
    /// Does nothing but be captured.
    func touch() {}
}

/// An object that must go away, with its name.
struct Watched: Sendable, CustomStringConvertible {
    let description: String
    weak let object: (any AnyObject & Sendable)?

    init(_ description: String, _ object: (any AnyObject & Sendable)?) {
        self.description = description
        self.object = object
    }

    /// Waits until all of them are gone.
    nonisolated(nonsending) static func expectGone(
        _ watched: [Watched], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let isGone = await eventually { watched.allSatisfy { $0.object == nil } }
        guard !isGone else { return }
        let left = watched.filter { $0.object != nil }
        Issue.record("still there: \(left)", sourceLocation: sourceLocation)
    }
}

/// Waits until a condition holds, and gives up where it doesn't for very long.
nonisolated(nonsending) func eventually(_ condition: () -> Bool) async -> Bool {
    let start = ContinuousClock.now
    while !condition() {
        guard start.duration(to: .now) < .seconds(60) else { return false }
        // A reference that goes, or a file that closes, tells nobody; a spin would starve the rest.
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

/// A transport that remembers its channels weakly.
final class WatchingTransport: RealtimeTransport {
    private let base: any RealtimeTransport
    private let opened = Mutex<[Watched]>([])

    init(_ base: any RealtimeTransport) { self.base = base }

    /// The channels that were opened.
    var channels: [Watched] { opened.withLock { $0 } }

    func open(
        _ request: RealtimeConnectRequest,
        onEvent: @escaping @Sendable (RealtimeTransportEvent) -> Void
    ) -> any RealtimeTransportChannel {
        let channel = base.open(request, onEvent: onEvent)
        opened.withLock { $0.append(Watched("channel", channel)) }
        return channel
    }
}
