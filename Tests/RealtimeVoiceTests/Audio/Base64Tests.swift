import Foundation
import RealtimeVoice
import Testing

struct Base64Tests {
    private func decode(_ text: some Sequence<UInt8>) -> Data? {
        unsafe Array(text).withUnsafeBytes { unsafe Base64.decode($0) }
    }

    private func encode(_ data: Data, after prefix: String = "") -> String {
        var array = Array(prefix.utf8)
        unsafe data.withUnsafeBytes { unsafe Base64.append($0, to: &array) }
        return String(decoding: array, as: UTF8.self)
    }

    private func randomData(_ count: Int, seed: UInt64) -> Data {
        var random = SeededGenerator(seed: seed)
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    @Test func everyLengthAgreesWithFoundation() {
        for count in 0...300 {
            let data = randomData(count, seed: UInt64(count))
            let text = data.base64EncodedString()
            #expect(encode(data) == text)
            #expect(decode(text.utf8) == data)
        }
    }

    @Test(arguments: [767, 768, 769, 960, 1_536, 4_800, 65_537])
    func longOnesAgreeWithFoundation(count: Int) {
        let data = randomData(count, seed: 7)
        let text = data.base64EncodedString()
        #expect(encode(data) == text)
        #expect(decode(text.utf8) == data)
    }

    @Test func everyGroupOfTwoBytesAgreesWithFoundation() {
        var data = Data()
        for value in 0..<65_536 {
            data.append(contentsOf: [UInt8(value >> 8), UInt8(value & 255), UInt8(value % 251)])
        }
        let text = data.base64EncodedString()
        #expect(encode(data) == text)
        #expect(decode(text.utf8) == data)
    }

    @Test func appendKeepsWhatIsThere() {
        #expect(encode(Data("hello".utf8), after: "{\"audio\":\"") == "{\"audio\":\"aGVsbG8=")
        #expect(encode(Data(), after: "x") == "x")
    }

    @Test func appendGrowsOnce() {
        var array: [UInt8] = []
        let data = randomData(4_800, seed: 1)
        unsafe data.withUnsafeBytes { unsafe Base64.append($0, to: &array) }
        let capacity = array.capacity
        #expect(array.count == 6_400)
        #expect(capacity >= 6_400 && capacity < 12_800)
    }

    @Test func missingPaddingIsAccepted() {
        for count in 0...100 {
            let data = randomData(count, seed: UInt64(count))
            let text = data.base64EncodedString().filter { $0 != "=" }
            #expect(decode(text.utf8) == data)
        }
    }

    @Test(arguments: [
        "=", "==", "===", "====", "A", "A=", "A==", "A===", "AA=", "AAA==", "AA=A", "=AAA", "AAAAA",
        "AAAA=", "AAAA====", "AAA=AAAA", "AA==AAAA", "AA-_", "AA A", "AAAA\n", " AAAA", "AAA\u{E9}",
    ])
    func malformedTextIsRefused(text: String) {
        #expect(decode(text.utf8) == nil)
    }

    /// Every one of the bytes that aren't in the alphabet, at every place of several lengths:
    /// before, in and after the vectors, and in the tail.
    @Test func anInvalidByteIsFoundAtEveryPosition() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let invalid = (0...255).map { UInt8($0) }.filter { !alphabet.contains($0) }
        var missed: [String] = []
        for count in [4, 6, 7, 32, 43, 64, 132, 171] {
            let good = Array(randomData(count, seed: 3).base64EncodedString().utf8.prefix(count))
            for position in 0..<count {
                for byte in invalid {
                    var bad = good
                    bad[position] = byte
                    // At the end an equals sign is padding.
                    let isPadding =
                        byte == UInt8(ascii: "=") && position == count - 1 && count % 4 == 0
                    if !isPadding, decode(bad) != nil {
                        missed.append("\(byte) at \(position) of \(count)")
                    }
                }
            }
        }
        #expect(missed == [])
    }

    @Test func theUnusedBitsOfTheLastCharacterAreIgnored() {
        #expect(decode("QR==".utf8) == Data("A".utf8))
        #expect(decode("QUJ=".utf8) == Data("AB".utf8))
    }

    @Test func aSliceOfLargerMemoryIsEnough() {
        let text = Array("xxx\(Data("voice".utf8).base64EncodedString())yyy".utf8)
        let decoded = unsafe text.withUnsafeBytes {
            unsafe Base64.decode(UnsafeRawBufferPointer(rebasing: $0[3..<11]))
        }
        #expect(decoded == Data("voice".utf8))
    }
}
