/// Checks UTF-8 that comes in pieces, and refuses it at the first byte that can't be right.
struct UTF8Validator: Sendable, Hashable {
    /// The continuation bytes that the current character still lacks.
    private var missing: UInt8 = 0
    /// What the next continuation byte may be: the first one after E0, ED, F0 and F4 is limited,
    /// against overlong forms, surrogates and values over U+10FFFF.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text so far ends at the end of a character.
    var isComplete: Bool { missing == 0 }

    /// Takes the next piece.
    ///
    /// - Returns: Whether the text is sound so far.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        var index = 0
        while index < count {
            if missing == 0 {
                index = unsafe Self.endOfASCII(bytes, from: index)
                guard index < count else { return true }
                guard unsafe start(bytes[index]) else { return false }
            } else {
                let byte = unsafe bytes[index]
                guard byte >= lowest, byte <= highest else { return false }
                missing -= 1
                lowest = 0x80
                highest = 0xBF
            }
            index += 1
        }
        return true
    }

    private mutating func start(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF:
            missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default:
            return false
        }
        return true
    }

    private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let count = bytes.count
        var index = start
        let high = SIMD4<UInt64>(repeating: 0x8080_8080_8080_8080)
        while index + 32 <= count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            guard word & high == .zero else { break }
            index += 32
        }
        while index < count, unsafe bytes[index] < 0x80 {
            index += 1
        }
        return index
    }
}
