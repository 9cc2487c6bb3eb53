import Foundation
import RealtimeVoice
import Testing

struct SampleJoinerTests {
    @Test func splitSamplesAreJoined() {
        var joiner = SampleJoiner()
        #expect(joiner.join(Data([1, 2, 3])) == Data([1, 2]))
        #expect(joiner.waitingBytes == 1)
        #expect(joiner.join(Data([4])) == Data([3, 4]))
        #expect(joiner.join(Data([5])) == Data())
        #expect(joiner.join(Data()) == Data())
        #expect(joiner.join(Data([6, 7, 8, 9])) == Data([5, 6, 7, 8]))
        #expect(joiner.flush() == Data([9]))
        #expect(joiner.flush() == Data())
        #expect(joiner.join(Data([1, 2])) == Data([1, 2]))
    }

    @Test func chunksHaveOneSize() {
        var joiner = SampleJoiner(bytesPerSample: 2, bytesPerChunk: 5)
        #expect(joiner.bytesPerChunk == 4)
        #expect(joiner.cut(Data([1, 2, 3])) == [])
        #expect(
            joiner.cut(Data([4, 5, 6, 7, 8, 9])) == [Data([1, 2, 3, 4]), Data([5, 6, 7, 8])]
        )
        #expect(joiner.flush() == Data([9]))
        #expect(joiner.cut(Data([1, 2, 3, 4])) == [Data([1, 2, 3, 4])])
    }

    @Test func anyCutGivesTheSameBytes() {
        let whole = Data((0..<240).map { UInt8($0) })
        for size in 1...17 {
            var (joiner, cutter) = (SampleJoiner(bytesPerSample: 3), SampleJoiner(bytesPerChunk: 8))
            var (joined, chunks) = (Data(), [Data]())
            for start in stride(from: 0, to: whole.count, by: size) {
                let piece = whole[start..<min(start + size, whole.count)]
                let part = joiner.join(piece)
                #expect(part.count % 3 == 0)
                joined += part
                chunks += cutter.cut(piece)
            }
            #expect(joined + joiner.flush() == whole)
            #expect(chunks == (0..<30).map { whole[$0 * 8..<$0 * 8 + 8] })
        }
    }

    @Test func sizesThatMakeNoSenseAreRaised() {
        let joiner = SampleJoiner(bytesPerSample: 0, bytesPerChunk: -3)
        #expect(joiner.bytesPerSample == 1)
        #expect(joiner.bytesPerChunk == 1)
    }
}
