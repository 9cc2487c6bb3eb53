import RealtimeVoice

/// The client's half of an ``InMemoryConnection``.
final class InMemoryChannel: RealtimeTransportChannel {
    private let connection: InMemoryConnection

    init(_ connection: InMemoryConnection) {
        self.connection = connection
    }

    func send(_ frame: RealtimeFrame) throws(RealtimeError) {
        try connection.clientSends(frame)
    }

    func ping() {
        connection.clientPings()
    }

    var queuedBytes: Int { connection.queuedBytes }

    func close(code: Int, reason: String) {
        connection.clientCloses(code: code, reason: reason)
    }

    func cancel() {
        connection.clientCancels()
    }
}
