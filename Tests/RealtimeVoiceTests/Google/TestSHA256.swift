import Foundation

/// SHA-256 (FIPS 180-4) for comparing audio with the recordings' references; CryptoKit is not
/// on Linux.
enum TestSHA256 {
    private static let constants: [UInt32] = primes(64).map { fraction(pow(Double($0), 1.0 / 3)) }
    private static let start: [UInt32] = primes(8).map { fraction(Double($0).squareRoot()) }

    private static func primes(_ count: Int) -> [Int] {
        var found: [Int] = []
        var candidate = 2
        while found.count < count {
            if !found.contains(where: { candidate.isMultiple(of: $0) }) { found.append(candidate) }
            candidate += 1
        }
        return found
    }

    /// The first 32 bits behind the point, which a double holds exactly enough.
    private static func fraction(_ value: Double) -> UInt32 {
        UInt32((value - value.rounded(.down)) * 4_294_967_296)
    }

    static func hex(_ data: Data) -> String {
        var message = Array(data)
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: (data.count * 8) >> shift))
        }
        var state = start
        for block in stride(from: 0, to: message.count, by: 64) {
            compress(message[block..<(block + 64)], into: &state)
        }
        return state.map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 8 - text.count) + text
        }.joined()
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<(index + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let first = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)
            let second = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10)
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var v = state
        for index in 0..<64 {
            let sum = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let first = v[7] &+ sum &+ choice &+ constants[index] &+ words[index]
            let other = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            v = [
                first &+ other &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6],
            ]
        }
        for index in 0..<8 { state[index] &+= v[index] }
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
    }
}
