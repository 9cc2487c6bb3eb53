import Synchronization

/// Holds the connection that a scripted provider plays on.
final class ConnectionBox: Sendable {
    private let connection = Mutex<InMemoryConnection?>(nil)

    var current: InMemoryConnection? { connection.withLock { $0 } }

    func replace(_ other: InMemoryConnection) {
        connection.withLock { $0 = other }
    }
}
