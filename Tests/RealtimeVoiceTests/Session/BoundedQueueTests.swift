import Synchronization
import Testing

@testable import RealtimeVoice

/// The queue between any thread and one consumer, again and again, since threads differ.
struct BoundedQueueTests {
    static let rounds = 0..<50

    /// Waits until `condition` holds, without sleeping.
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private final class Results: Sendable {
        let elements = Mutex<[Int?]>([])
    }

    private func drain(_ queue: BoundedQueue<Int>) async -> [Int] {
        var elements: [Int] = []
        while let element = await queue.next() { elements.append(element) }
        return elements
    }

    @Test func whatWaitsComesOutInOrderThenTheEnd() async {
        for _ in Self.rounds {
            let queue = BoundedQueue<Int>(limit: 10)
            for element in 1...5 { queue.push(element) }
            queue.finish()
            queue.push(6)
            #expect(await drain(queue) == [1, 2, 3, 4, 5])
            #expect(await queue.next() == nil)
            #expect(queue.dropped == 0)
        }
    }

    @Test func theOldestFallsOutAndIsCounted() async {
        let queue = BoundedQueue<Int>(limit: 10) { $0 }
        for element in [4, 5, 3] { queue.push(element) }
        #expect(queue.dropped == 4)
        #expect(await queue.next() == 5)
        // What was taken makes room.
        queue.push(7)
        #expect(queue.dropped == 4)
        queue.push(11)
        #expect(queue.dropped == 4 + 3 + 7 + 11)
        queue.finish()
        #expect(await drain(queue) == [])
    }

    @Test func removingAllLeavesRoomAndAnOpenQueue() async {
        let queue = BoundedQueue<Int>(limit: 3)
        for element in 1...3 { queue.push(element) }
        queue.removeAll()
        for element in 4...6 { queue.push(element) }
        queue.finish()
        #expect(await drain(queue) == [4, 5, 6])
        #expect(queue.dropped == 0)
    }

    @Test func aLongQueueKeepsItsOrder() async {
        let queue = BoundedQueue<Int>(limit: 1_000)
        var expected = 0
        for element in 0..<1_000 {
            queue.push(element)
            guard element.isMultiple(of: 2) else { continue }
            #expect(await queue.next() == expected)
            expected += 1
        }
        queue.finish()
        #expect(await drain(queue) == Array(expected..<1_000))
    }

    @Test func aWaitingConsumerGetsTheNextElement() async {
        for round in Self.rounds {
            let queue = BoundedQueue<Int>(limit: 1)
            async let element = queue.next()
            queue.push(round)
            #expect(await element == round)
        }
    }

    @Test func finishingEndsAWaitingConsumer() async {
        for _ in Self.rounds {
            let queue = BoundedQueue<Int>(limit: 1)
            async let element = queue.next()
            queue.finish()
            #expect(await element == nil)
        }
    }

    @Test func cancellingEndsAWaitingConsumerAndLosesNothing() async {
        for _ in Self.rounds {
            let queue = BoundedQueue<Int>(limit: 1)
            let task = Task { await queue.next() }
            task.cancel()
            #expect(await task.value == nil)
            queue.push(1)
            #expect(await queue.next() == 1)
        }
    }

    @Test func aSecondConsumerIsTurnedAway() async {
        for _ in Self.rounds {
            let queue = BoundedQueue<Int>(limit: 4)
            let results = Results()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let element = await queue.next()
                        results.elements.withLock { $0.append(element) }
                    }
                }
                // Whoever comes second is told at once; only then is there an element.
                await until { results.elements.withLock { !$0.isEmpty } }
                queue.push(7)
            }
            #expect(results.elements.withLock { $0 } == [nil, 7])
        }
    }

    @Test func elementsOfManyThreadsAllArriveEachThreadsInOrder() async {
        for _ in Self.rounds {
            let queue = BoundedQueue<Int>(limit: 10_000)
            async let all = drain(queue)
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        for number in 0..<50 { queue.push(thread * 1_000 + number) }
                    }
                }
            }
            queue.finish()
            let elements = await all
            for thread in 0..<4 {
                let own = elements.filter { $0 / 1_000 == thread }
                #expect(own == (0..<50).map { thread * 1_000 + $0 })
            }
        }
    }
}
