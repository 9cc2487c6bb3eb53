/// The masking of RFC 6455 section 5.3.
enum WebSocketMask {
    /// Masks, or unmasks, bytes in place.
    ///
    /// The key's first wire byte is its highest; the phase says how many bytes of the payload
    /// came before these.
    static func apply(_ key: UInt32, phase: Int, to bytes: UnsafeMutableRawBufferPointer) {
        let turn = UInt32(phase & 3) * 8
        let rotated = turn == 0 ? key : key << turn | key >> (32 - turn)
        let word = rotated.bigEndian
        let wide = SIMD8<UInt32>(repeating: word)
        let count = bytes.count
        var offset = 0
        while offset + 32 <= count {
            let value = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt32>.self)
            unsafe bytes.storeBytes(
                of: value ^ wide,
                toByteOffset: offset,
                as: SIMD8<UInt32>.self
            )
            offset += 32
        }
        while offset + 4 <= count {
            let value = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            unsafe bytes.storeBytes(of: value ^ word, toByteOffset: offset, as: UInt32.self)
            offset += 4
        }
        while offset < count {
            unsafe bytes[offset] ^= UInt8(
                truncatingIfNeeded: rotated >> UInt32(24 - 8 * (offset & 3))
            )
            offset += 1
        }
    }

    /// Masks, or unmasks, the end of an array in place, from an index on.
    static func apply(_ key: UInt32, phase: Int, to bytes: inout [UInt8], from start: Int) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe apply(key, phase: phase, to: .init(rebasing: buffer[start...]))
        }
    }
}
