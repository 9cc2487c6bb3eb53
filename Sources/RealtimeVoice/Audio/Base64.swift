import CAudioKernels
package import Foundation

/// Base64 with the standard alphabet (RFC 4648 §4), for the audio inside the wires' JSON.
///
/// Most of the work is done by the vector code of `CAudioKernels`; what is left over, at most a few
/// dozen bytes on the usual CPUs, goes through the tables here.
package enum Base64 {
    /// The bytes that the characters stand for, or nil if they aren't base64.
    ///
    /// Strict: no white space, no other alphabet. The padding may be missing, as some encoders
    /// leave it out, but not be wrong. The unused low bits of the last character are ignored.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Data? {
        var count = bytes.count
        if count & 3 == 0, count > 0, unsafe bytes[count - 1] == padding {
            count -= unsafe bytes[count - 2] == padding ? 2 : 1
        }
        let tail = count & 3
        guard tail != 1 else { return nil }
        let size = count / 4 * 3 + (tail == 0 ? 0 : tail - 1)
        guard size > 0, let from = bytes.baseAddress else {
            return count == 0 ? Data() : nil
        }
        // Not `Data(count:)`: that clears the memory first, a quarter of the whole time.
        guard let to = unsafe malloc(size) else { return nil }
        let isValid = unsafe decode(
            from.assumingMemoryBound(to: UInt8.self),
            count: count,
            into: to.assumingMemoryBound(to: UInt8.self),
            capacity: size
        )
        guard isValid else {
            unsafe free(to)
            return nil
        }
        return unsafe Data(bytesNoCopy: to, count: size, deallocator: .free)
    }

    /// Appends the characters for the bytes, with padding, growing the array at most once.
    package static func append(_ bytes: UnsafeRawBufferPointer, to array: inout [UInt8]) {
        guard let from = bytes.baseAddress else { return }
        let count = bytes.count
        let needed = array.count + (count + 2) / 3 * 4
        if needed > array.capacity {
            array.reserveCapacity(max(needed, array.capacity * 2))
        }
        // An array can't grow without being filled, so it goes by way of the stack.
        unsafe withUnsafeTemporaryAllocation(byteCount: blockBytes / 3 * 4, alignment: 16) {
            block in
            guard let start = block.baseAddress else { return }
            let text = unsafe start.assumingMemoryBound(to: UInt8.self)
            let bytes = unsafe from.assumingMemoryBound(to: UInt8.self)
            var offset = 0
            while offset < count {
                let step = min(blockBytes, count - offset)
                let written = unsafe encode(bytes + offset, count: step, into: text)
                unsafe array.append(contentsOf: UnsafeBufferPointer(start: text, count: written))
                offset += step
            }
        }
    }

    /// How many bytes are encoded at a time: a multiple of 48, whose text stays on the stack.
    private static let blockBytes = 768
    private static let padding = UInt8(ascii: "=")

    /// Encodes at most a block, padded, and returns the number of characters.
    private static func encode(
        _ source: UnsafePointer<UInt8>,
        count: Int,
        into text: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var taken = unsafe caudiokernels_base64_encode_prefix(source, count, text)
        var made = taken / 3 * 4
        let table = unsafe characters.utf8Start
        while taken < count {
            let left = count - taken
            let first = unsafe UInt32(source[taken])
            let second = left > 1 ? unsafe UInt32(source[taken + 1]) : 0
            let third = left > 2 ? unsafe UInt32(source[taken + 2]) : 0
            let group = first << 16 | second << 8 | third
            unsafe text[made] = table[Int(group >> 18)]
            unsafe text[made + 1] = table[Int(group >> 12 & 63)]
            unsafe text[made + 2] = left > 1 ? table[Int(group >> 6 & 63)] : padding
            unsafe text[made + 3] = left > 2 ? table[Int(group & 63)] : padding
            taken += 3
            made += 4
        }
        return made
    }

    /// Decodes characters without padding; false if one isn't in the alphabet.
    private static func decode(
        _ source: UnsafePointer<UInt8>,
        count: Int,
        into bytes: UnsafeMutablePointer<UInt8>,
        capacity: Int
    ) -> Bool {
        var taken = unsafe caudiokernels_base64_decode_prefix(source, count, bytes, capacity)
        var made = taken / 4 * 3
        var invalid: UInt8 = 0
        return unsafe values.withUnsafeBufferPointer { table in
            while taken &+ 4 <= count {
                let a = unsafe table[Int(source[taken])]
                let b = unsafe table[Int(source[taken &+ 1])]
                let c = unsafe table[Int(source[taken &+ 2])]
                let d = unsafe table[Int(source[taken &+ 3])]
                invalid |= (a | b) | (c | d)
                unsafe bytes[made] = a << 2 | b >> 4
                unsafe bytes[made &+ 1] = b << 4 | c >> 2
                unsafe bytes[made &+ 2] = c << 6 | d
                taken &+= 4
                made &+= 3
            }
            if taken < count {
                let a = unsafe table[Int(source[taken])]
                let b = unsafe table[Int(source[taken + 1])]
                let c = count - taken > 2 ? unsafe table[Int(source[taken + 2])] : 0
                invalid |= a | b | c
                unsafe bytes[made] = a << 2 | b >> 4
                if count - taken > 2 { unsafe bytes[made + 1] = b << 4 | c >> 2 }
            }
            return invalid & 128 == 0
        }
    }

    private static let characters: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// The value of each of the 256 bytes; 128 for those that aren't in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 128, count: 256)
        for (value, character) in characters.description.utf8.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()
}
