import RealtimeVoice
import Testing

/// The events and the violation that bytes lead to, fed in pieces of the given sizes.
private func decode(
    _ bytes: [UInt8],
    role: WebSocketRole = .client,
    maximumMessageBytes: Int = 1 << 20,
    pieces: (Int) -> Int = { $0 }
) -> (events: [WebSocketDecoder.Event], violation: WebSocketViolation?) {
    var decoder = WebSocketDecoder(role: role, maximumMessageBytes: maximumMessageBytes)
    var events: [WebSocketDecoder.Event] = []
    var rest = bytes[...]
    do throws(WebSocketViolation) {
        while !rest.isEmpty {
            var piece = rest.prefix(max(1, pieces(rest.count)))
            rest = rest.dropFirst(piece.count)
            while let event = try decoder.next(&piece) {
                events.append(event)
            }
        }
        return (events, nil)
    } catch {
        return (events, error)
    }
}

private func text(_ text: String) -> WebSocketDecoder.Event {
    .message(RealtimeFrame(text))
}

struct WebSocketDecoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var role = WebSocketRole.client
        var events: [WebSocketDecoder.Event] = []
        var violation: WebSocketViolation?

        var testDescription: String { name }
    }

    static func violation(_ reason: String, code: Int = 1002) -> WebSocketViolation {
        WebSocketViolation(closeCode: code, reason: reason)
    }

    static let rows: [Row] = [
        // RFC 6455 section 5.7.
        Row(name: "text", bytes: [0x81, 5] + "Hello".utf8, events: [text("Hello")]),
        Row(
            name: "masked text",
            bytes: [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58],
            role: .server,
            events: [text("Hello")]
        ),
        Row(
            name: "fragments with a ping between",
            bytes: [1, 3] + "Hel".utf8 + [0x89, 2, 7, 8, 0x80, 2] + "lo".utf8,
            events: [.ping([7, 8]), text("Hello")]
        ),
        Row(
            name: "empty fragments",
            bytes: [2, 0, 0, 0, 0x80, 0],
            events: [.message(RealtimeFrame(kind: .binary, bytes: []))]
        ),
        Row(
            name: "a character over three fragments",
            bytes: [1, 1, 0xE2, 0, 1, 0x82, 0x80, 1, 0xAC],
            events: [text("\u{20AC}")]
        ),
        Row(name: "pong", bytes: [0x8A, 1, 9], events: [.pong([9])]),
        Row(name: "empty close", bytes: [0x88, 0], events: [.close(code: nil, reason: "")]),
        Row(
            name: "close with reason",
            bytes: [0x88, 5, 0x0F, 0xA1, 0xE2, 0x82, 0xAC],
            events: [.close(code: 4001, reason: "\u{20AC}")]
        ),
        Row(name: "rsv1", bytes: [0xC1], violation: violation("reserved bit set")),
        Row(name: "rsv3", bytes: [0x91], violation: violation("reserved bit set")),
        Row(name: "opcode 3", bytes: [0x83], violation: violation("reserved opcode")),
        Row(name: "opcode 15", bytes: [0x8F], violation: violation("reserved opcode")),
        Row(name: "masked", bytes: [0x81, 0x80], violation: violation("masked frame")),
        Row(
            name: "unmasked",
            bytes: [0x81, 0],
            role: .server,
            violation: violation("unmasked frame")
        ),
        Row(name: "fragmented ping", bytes: [9], violation: violation("fragmented control")),
        Row(name: "long ping", bytes: [0x89, 126], violation: violation("control frame too long")),
        Row(
            name: "16-bit length not minimal",
            bytes: [0x82, 126, 0, 125],
            violation: violation("length not minimal")
        ),
        Row(
            name: "64-bit length not minimal",
            bytes: [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
            violation: violation("length not minimal")
        ),
        Row(
            name: "64-bit length with its top bit",
            bytes: [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0],
            violation: violation("length out of range")
        ),
        Row(
            name: "huge length",
            bytes: [0x82, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7),
            violation: violation("message too large", code: 1009)
        ),
        Row(
            name: "continuation of nothing",
            bytes: [0x80, 0],
            violation: violation("continuation of nothing")
        ),
        Row(
            name: "message within a message",
            bytes: [1, 0, 0x81, 0],
            violation: violation("message within a message")
        ),
        Row(
            name: "close of one byte",
            bytes: [0x88, 1, 3],
            violation: violation("close payload of one byte")
        ),
        Row(
            name: "invalid UTF-8 is refused before the frame ends",
            bytes: [0x81, 100, 0x41, 0xC0],
            violation: violation("invalid UTF-8", code: 1007)
        ),
        Row(
            name: "text ends within a character",
            bytes: [0x81, 1, 0xC3],
            violation: violation("invalid UTF-8", code: 1007)
        ),
        Row(
            name: "close reason not UTF-8",
            bytes: [0x88, 3, 0x03, 0xE8, 0xFF],
            violation: violation("invalid UTF-8", code: 1007)
        ),
    ]

    @Test(arguments: rows)
    func bytesBecomeEvents(row: Row) {
        for pieces in [{ $0 }, { _ in 1 }] as [(Int) -> Int] {
            let result = decode(row.bytes, role: row.role, pieces: pieces)
            #expect(result.events == row.events)
            #expect(result.violation == row.violation)
        }
    }

    @Test func onlyRegisteredCloseCodesAreAccepted() {
        let accepted = (0...0xFFFF).filter { code in
            decode([0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)]).violation == nil
        }
        #expect(accepted == [1000, 1001, 1002, 1003] + Array(1007...1014) + Array(3000...4999))
    }

    @Test func theLimitCountsTheWholeMessage() {
        let fragments: [UInt8] = [2, 3, 1, 2, 3, 0x80, 3, 4, 5, 6]
        let whole = RealtimeFrame(kind: .binary, bytes: [1, 2, 3, 4, 5, 6])
        #expect(decode(fragments, maximumMessageBytes: 6).events == [.message(whole)])
        #expect(
            decode(fragments, maximumMessageBytes: 5).violation
                == Self.violation("message too large", code: 1009)
        )
    }

    @Test func randomSplitsChangeNothing() {
        var random = SeededGenerator(seed: 1)
        var bytes: [UInt8] = []
        var expected: [WebSocketDecoder.Event] = []
        for count in [0, 1, 3, 31, 32, 33, 125, 126, 127, 4_096, 65_535, 65_536, 70_001] {
            let payload = (0..<count).map { UInt8($0 * 31 & 0x7F) }
            for kind in [RealtimeFrame.Kind.text, .binary] {
                let frame = RealtimeFrame(kind: kind, bytes: payload)
                let key = UInt32.random(in: .min ... .max, using: &random)
                WebSocketEncoder.append(frame, maskKey: key, to: &bytes)
                expected.append(.message(frame))
            }
            let ping = Array(payload.prefix(125))
            WebSocketEncoder.append(.ping, payload: ping, maskKey: 0x0102_0304, to: &bytes)
            expected.append(.ping(ping))
        }
        for limit in [2, 7, 100, 5_000, 200_000] {
            let result = decode(bytes, role: .server) { _ in
                Int.random(in: 1...limit, using: &random)
            }
            #expect(result.events == expected)
            #expect(result.violation == nil)
        }
    }

    /// Damaged input must end in events or a violation, in the same ones whatever the pieces.
    @Test(arguments: [WebSocketRole.client, .server])
    func mutatedInputIsDecodedAlikeInAnyPieces(role: WebSocketRole) {
        var random = SeededGenerator(seed: 2)
        let maskKey: UInt32? = role == .server ? 0x1020_3040 : nil
        var sound: [UInt8] = []
        let frames: [(WebSocketOpcode, Bool, [UInt8])] = [
            (.text, true, Array("Gr\u{FC}\u{DF}e \u{1F600}".utf8)), (.binary, true, [0, 1]),
            (.text, false, [0x41, 0x42]), (.ping, true, [9]), (.continuation, true, [0x43]),
            (.pong, true, []), (.close, true, [3, 0xE8, 0x41, 0x42]),
        ]
        for (opcode, isFinal, payload) in frames {
            WebSocketEncoder.append(
                opcode,
                isFinal: isFinal,
                payload: payload,
                maskKey: maskKey,
                to: &sound
            )
        }
        for _ in 0..<10_000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = .random(in: .min ... .max, using: &random)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes.remove(at: index)
                default: bytes.insert(.random(in: .min ... .max, using: &random), at: index)
                }
            }
            let whole = decode(bytes, role: role, maximumMessageBytes: 1_000)
            let split = decode(bytes, role: role, maximumMessageBytes: 1_000) { _ in 1 }
            #expect(whole.events == split.events)
            #expect(whole.violation == split.violation)
            for case .message(let frame) in whole.events where frame.kind == .text {
                #expect(String(validating: frame.bytes, as: UTF8.self) != nil)
            }
        }
    }
}
