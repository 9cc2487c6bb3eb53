import Foundation
import Testing

@testable import RealtimeVoice

/// The bounded queues, and the source of ids: every input at every fill.
struct QueueTests {
    // MARK: WaitingRoom

    static func audio(_ count: Int, _ byte: UInt8 = 0) -> ClientIntent {
        .appendAudio(Data(repeating: byte, count: count))
    }

    @Test func theWaitingRoomKeepsTheOrderOfEverything() throws {
        var room = WaitingRoom(maximumAudioBytes: 100)
        let intents: [ClientIntent] = [
            Self.audio(10), .commitAudio, .sendText("hello", itemID: "i"), Self.audio(20),
            .requestResponse(.init()),
        ]
        for intent in intents { try room.add(intent) }
        #expect(room.takeAll() == intents)
        #expect(room.takeAll() == [])
        #expect(room.droppedAudioBytes == 0)
    }

    @Test func tooMuchWaitingAudioLosesTheOldest() throws {
        var room = WaitingRoom(maximumAudioBytes: 25)
        try room.add(Self.audio(10, 1))
        try room.add(.commitAudio)
        try room.add(Self.audio(10, 2))
        try room.add(Self.audio(10, 3))
        #expect(room.droppedAudioBytes == 10)
        try room.add(Self.audio(16, 4))
        #expect(room.droppedAudioBytes == 30)
        #expect(room.takeAll() == [.commitAudio, Self.audio(16, 4)])
        // An empty room has room again.
        try room.add(Self.audio(25, 5))
        #expect(room.droppedAudioBytes == 30)
        #expect(room.takeAll() == [Self.audio(25, 5)])
    }

    @Test func aPieceLargerThanTheRoomFallsOutWhole() throws {
        var room = WaitingRoom(maximumAudioBytes: 5)
        try room.add(Self.audio(6))
        #expect(room.droppedAudioBytes == 6)
        #expect(room.takeAll() == [])
    }

    @Test func tooManyWaitingCallsAreRefusedAndAudioIsNot() throws {
        var room = WaitingRoom(maximumIntents: 2, maximumAudioBytes: 100)
        try room.add(.commitAudio)
        try room.add(Self.audio(10))
        try room.add(.clearAudio)
        #expect(
            throws: RealtimeError(
                .queueFull, "too many calls wait for the session to be ready")
        ) { try room.add(.commitAudio) }
        try room.add(Self.audio(5))
        #expect(
            room.takeAll() == [.commitAudio, Self.audio(10), .clearAudio, Self.audio(5)])
    }

    // MARK: OutboundQueue

    static func frame(_ byte: UInt8, _ count: Int = 10) -> RealtimeFrame {
        RealtimeFrame(kind: .text, bytes: Array(repeating: byte, count: count))
    }

    private func bytes(_ queue: inout OutboundQueue) -> [UInt8] {
        queue.takeAll().compactMap(\.frame.bytes.first)
    }

    @Test func heldFramesComeOutInOrder() {
        var queue = OutboundQueue(maximumAudioBytes: 100)
        #expect(queue.isEmpty)
        for (byte, isAudio) in [(1, true), (2, false), (3, true)] as [(UInt8, Bool)] {
            let fits = queue.hold(Self.frame(byte), isAudio: isAudio)
            #expect(fits)
        }
        #expect(!queue.isEmpty)
        let all = queue.takeAll()
        #expect(all.map(\.isAudio) == [true, false, true])
        #expect(all.map(\.frame) == [Self.frame(1), Self.frame(2), Self.frame(3)])
        #expect(queue.isEmpty)
        #expect(bytes(&queue) == [])
        #expect(queue.droppedAudioFrames == 0)
    }

    @Test func audioGivesWayToNewerAudioAndToNothingElse() {
        var queue = OutboundQueue(maximumAudioBytes: 25)
        for (byte, isAudio) in [(1, true), (2, false), (3, true), (4, true)] as [(UInt8, Bool)] {
            let fits = queue.hold(Self.frame(byte), isAudio: isAudio)
            #expect(fits)
        }
        #expect(queue.droppedAudioFrames == 1)
        #expect(bytes(&queue) == [2, 3, 4])
        let fits = queue.hold(Self.frame(5, 26), isAudio: true)
        #expect(fits)
        #expect(queue.droppedAudioFrames == 2)
        #expect(bytes(&queue) == [])
    }

    @Test func tooManyFramesAreRefusedWhileAudioStillFits() {
        var queue = OutboundQueue(maximumAudioBytes: 100, maximumFrames: 2)
        var fits: [Bool] = []
        for (byte, isAudio) in [
            (1, false), (2, true), (3, false), (4, false), (5, true), (6, false),
        ] as [(UInt8, Bool)] {
            fits.append(queue.hold(Self.frame(byte), isAudio: isAudio))
        }
        #expect(fits == [true, true, true, false, true, false])
        #expect(bytes(&queue) == [1, 2, 3, 5])
    }

    // MARK: IDSource

    @Test func idsCountWithinTheirSeed() {
        var ids = IDSource(seed: "k3x9")
        var others = IDSource(seed: "z")
        let made = [ids.next("item"), ids.next("event"), ids.next("item"), others.next("item")]
        #expect(made == ["item_k3x9_1", "event_k3x9_2", "item_k3x9_3", "item_z_1"])
    }

    @Test func randomSeedsAreShortAndPlain() {
        let seeds = (0..<200).map { _ in IDSource.randomSeed() }
        #expect(Set(seeds).count == seeds.count)
        for seed in seeds {
            #expect(seed.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
            var ids = IDSource(seed: seed)
            // OpenAI takes 32 characters.
            for _ in 0..<1_000 where ids.next("item").count > 32 { Issue.record("\(seed)") }
        }
    }
}
