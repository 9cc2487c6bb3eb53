/// SHA-256 (FIPS 180-4), fed piece by piece: the platforms share no library that has it.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
        0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var block: [UInt8] = []
    private var length: UInt64 = 0

    package init() {}

    /// The digest of some bytes, in hexadecimal.
    package static func hex(of bytes: some Sequence<UInt8>) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexDigest()
    }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            block.append(byte)
            length += 8
            if block.count == 64 { compress() }
        }
    }

    /// The digest of all that was fed, in hexadecimal.
    package consuming func hexDigest() -> String {
        let bits = length
        block.append(0x80)
        if block.count > 56 {
            block += [UInt8](repeating: 0, count: 64 - block.count)
            compress()
        }
        block += [UInt8](repeating: 0, count: 56 - block.count)
        for shift in stride(from: 56, through: 0, by: -8) {
            block.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        compress()
        return state.map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 8 - text.count) + text
        }.joined()
    }

    private mutating func compress() {
        var words = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            words[index] = block[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let near = words[index - 2]
            let far = words[index - 15]
            let first = rotate(far, 7) ^ rotate(far, 18) ^ far >> 3
            let second = rotate(near, 17) ^ rotate(near, 19) ^ near >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var h = state
        for index in 0..<64 {
            let choice = h[4] & h[5] ^ ~h[4] & h[6]
            let majority = h[0] & h[1] ^ h[0] & h[2] ^ h[1] & h[2]
            let sumE = rotate(h[4], 6) ^ rotate(h[4], 11) ^ rotate(h[4], 25)
            let sumA = rotate(h[0], 2) ^ rotate(h[0], 13) ^ rotate(h[0], 22)
            let first = h[7] &+ sumE &+ choice &+ Self.constants[index] &+ words[index]
            h = [first &+ sumA &+ majority, h[0], h[1], h[2], h[3] &+ first, h[4], h[5], h[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ h[index] }
        block.removeAll(keepingCapacity: true)
    }

    private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The largest x with x³ ≤ prime · 2⁹⁶: the cube root with 32 bits of fraction.
            var low: UInt64 = 0
            var high: UInt64 = 1 << 36
            while low < high {
                let middle = (low + high + 1) / 2
                if isCube(of: middle, atMost: UInt64(prime)) {
                    low = middle
                } else {
                    high = middle - 1
                }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }()

    private static func isCube(of root: UInt64, atMost prime: UInt64) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        // root < 2³⁶, so root³ < 2¹⁰⁸: three words of the product are enough.
        let low = square.low.multipliedFullWidth(by: root)
        let high = square.high &* root &+ low.high
        return high < prime << 32 || high == prime << 32 && low.low == 0
    }
}
