import RealtimeVoice
import Testing

/// A socket that takes so many bytes and then blocks.
private struct Sink {
    var taken: [UInt8] = []
    var room = 0
    /// Where the last bytes that it refused were, and what they were.
    var refusedAddress: UInt?
    var refusedBytes: [UInt8] = []

    mutating func write(_ bytes: UnsafeRawBufferPointer) -> WebSocketSendQueue.WriteResult {
        let count = min(room, bytes.count)
        guard count > 0 else {
            unsafe refusedAddress = bytes.baseAddress.map { UInt(bitPattern: $0) }
            unsafe refusedBytes = Array(bytes)
            return .wouldBlock
        }
        unsafe taken += bytes.prefix(count)
        room -= count
        return .wrote(count)
    }
}

private func flush(
    _ queue: inout WebSocketSendQueue,
    _ sink: inout Sink,
    room: Int = .max
) -> WebSocketSendQueue.FlushResult {
    sink.room = room
    return unsafe queue.flush { unsafe sink.write($0) }
}

struct WebSocketSendQueueTests {
    @Test func nothingWaitsInAnEmptyQueue() {
        var queue = WebSocketSendQueue(highWaterMark: 10)
        var sink = Sink()
        #expect(flush(&queue, &sink) == .empty(wasHigh: false))
        queue.append { $0 += [1, 2, 3] }
        #expect(flush(&queue, &sink) == .empty(wasHigh: false))
        #expect(sink.taken == [1, 2, 3])
    }

    @Test func controlOvertakesWaitingBlocksButNotTheCurrentOne() {
        var queue = WebSocketSendQueue(highWaterMark: 1_000_000)
        var sink = Sink()
        let first = [UInt8](repeating: 1, count: 70_000)
        let second = [UInt8](repeating: 2, count: 70_000)
        queue.append { $0 += first }
        queue.append { $0 += second }
        #expect(flush(&queue, &sink, room: 10) == .blocked)
        queue.appendControl { $0 += [9, 9] }
        #expect(flush(&queue, &sink) == .empty(wasHigh: false))
        #expect(sink.taken == first + [9, 9] + second)
    }

    @Test func refusedBytesAreOfferedAgainFromTheSameMemory() {
        var queue = WebSocketSendQueue(highWaterMark: 1_000_000)
        var sink = Sink()
        queue.append { $0 += [1, 2, 3] }
        #expect(flush(&queue, &sink, room: 1) == .blocked)
        let address = sink.refusedAddress
        #expect(address != nil)
        queue.append { $0 += [UInt8](repeating: 4, count: 100_000) }
        queue.appendControl { $0 += [5] }
        #expect(flush(&queue, &sink, room: 0) == .blocked)
        #expect(sink.refusedAddress == address)
        #expect(sink.refusedBytes == [2, 3])
        let count = queue.count
        #expect(count == 2 + 100_000 + 1)
    }

    @Test func theHighWaterMarkIsToldOnceEmpty() {
        var queue = WebSocketSendQueue(highWaterMark: 10)
        var sink = Sink()
        queue.append { $0 += [UInt8](repeating: 1, count: 50) }
        #expect(flush(&queue, &sink) == .empty(wasHigh: false))
        queue.append { $0 += [UInt8](repeating: 1, count: 50) }
        #expect(flush(&queue, &sink, room: 1) == .blocked)
        #expect(flush(&queue, &sink) == .empty(wasHigh: true))
        #expect(flush(&queue, &sink) == .empty(wasHigh: false))
    }

    @Test func droppedMessagesLeaveTheCurrentBlockAndControl() {
        var queue = WebSocketSendQueue(highWaterMark: 10)
        var sink = Sink()
        queue.append { $0 += [1, 2] }
        #expect(flush(&queue, &sink, room: 1) == .blocked)
        queue.append { $0 += [3] }
        queue.appendControl { $0 += [9] }
        queue.dropMessages()
        let count = queue.count
        #expect(count == 2)
        #expect(flush(&queue, &sink) == .empty(wasHigh: false))
        #expect(sink.taken == [1, 2, 9])
    }

    @Test func aFailureIsReported() {
        var queue = WebSocketSendQueue(highWaterMark: 10)
        queue.append { $0 += [1, 2] }
        let result = unsafe queue.flush { _ in .failed }
        #expect(result == .failed)
    }

    @Test func manyBlocksKeepTheirOrder() {
        var queue = WebSocketSendQueue(highWaterMark: 10)
        var sink = Sink()
        var random = SeededGenerator(seed: 4)
        var expected: [UInt8] = []
        for _ in 0..<3_000 {
            let byte = UInt8.random(in: .min ... .max, using: &random)
            let piece = [UInt8](repeating: byte, count: .random(in: 1...3_000, using: &random))
            expected += piece
            queue.append { $0 += piece }
            _ = flush(&queue, &sink, room: .random(in: 0...2_500, using: &random))
        }
        _ = flush(&queue, &sink)
        #expect(sink.taken == expected)
        let isEmpty = queue.isEmpty
        #expect(isEmpty)
    }
}
