import Testing

@testable import RealtimeVoice

struct SHA1Tests {
    // RFC 3174 section 7.3 and FIPS 180 examples.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (
            String(repeating: "01234567", count: 80),
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        ),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
    func digest(message: String, hex: String) {
        let digits = Array("0123456789abcdef")
        let digest = SHA1.digest(Array(message.utf8)).map { byte in
            String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
        #expect(digest.joined() == hex)
    }

    @Test func acceptKeyOfTheRFC() {
        #expect(
            WebSocketAcceptKey.make(key: "dGhlIHNhbXBsZSBub25jZQ==")
                == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        )
    }
}

struct UTF8ValidatorTests {
    private func accepts(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        let isSound = unsafe bytes.withUnsafeBytes { unsafe validator.accept($0) }
        return isSound && validator.isComplete
    }

    @Test func agreesWithTheStandardLibraryOnEveryShortSequence() {
        for first in UInt8(0x7E)...0xFF {
            for second in UInt8.min ... .max {
                let pair = [first, second]
                #expect(accepts(pair) == (String(validating: pair, as: UTF8.self) != nil))
                for third in [UInt8(0x7F), 0x80, 0x9F, 0xA0, 0xBF, 0xC0] {
                    let three = pair + [third]
                    let four = three + [0xBF]
                    #expect(accepts(three) == (String(validating: three, as: UTF8.self) != nil))
                    #expect(accepts(four) == (String(validating: four, as: UTF8.self) != nil))
                }
            }
        }
    }

    @Test func findsABadByteAtEveryPlaceOfALongText() {
        for index in 0..<100 {
            var bytes = [UInt8](repeating: 0x41, count: 100)
            #expect(accepts(bytes))
            bytes[index] = 0xFF
            #expect(!accepts(bytes))
        }
    }
}

struct WebSocketMaskTests {
    @Test func masksEveryLengthAndPhaseLikeTheRFCsFormula() {
        let key: UInt32 = 0x1234_ABCD
        let keyBytes: [UInt8] = [0x12, 0x34, 0xAB, 0xCD]
        for count in 0..<100 {
            for phase in 0..<4 {
                var bytes = (0..<count).map { UInt8($0) }
                let expected = bytes.enumerated().map { $1 ^ keyBytes[(phase + $0) % 4] }
                WebSocketMask.apply(key, phase: phase, to: &bytes, from: 0)
                #expect(bytes == expected)
            }
        }
    }
}

struct WebSocketEncoderTests {
    @Test func writesTheExamplesOfTheRFC() {
        var bytes: [UInt8] = []
        WebSocketEncoder.append(RealtimeFrame("Hello"), maskKey: 0x37FA_213D, to: &bytes)
        #expect(bytes == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        WebSocketEncoder.append(.text, isFinal: false, payload: [0x41], maskKey: nil, to: &bytes)
        #expect(bytes.suffix(3) == [0x01, 1, 0x41])
    }

    @Test(
        arguments: [
            (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (65_535, [0x82, 126, 0xFF, 0xFF]),
            (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])]
    )
    func usesTheShortestLength(count: Int, header: [UInt8]) {
        var bytes: [UInt8] = []
        let payload = [UInt8](repeating: 7, count: count)
        WebSocketEncoder.append(.binary, payload: payload, maskKey: nil, to: &bytes)
        #expect(bytes == header + payload)
    }

    @Test func cutsALongCloseReasonBetweenCharacters() {
        let payload = WebSocketCloseCode.payload(
            code: 4001,
            reason: String(repeating: "\u{20AC}", count: 60)
        )
        #expect(payload == [0x0F, 0xA1] + String(repeating: "\u{20AC}", count: 41).utf8)
        #expect(WebSocketCloseCode.payload(code: 1005, reason: "x") == [])
    }
}
