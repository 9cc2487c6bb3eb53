#if os(Linux)

    import CCurl

    /// Mask keys from the system's random source, many for one system call.
    struct MaskKeys: Sendable {
        private var keys: [UInt32] = []

        mutating func next() -> UInt32 {
            if let key = keys.popLast() { return key }
            keys = [UInt32](repeating: 0, count: 64)
            let count = unsafe keys.withUnsafeMutableBytes { bytes in
                unsafe getrandom(bytes.baseAddress, bytes.count, 0)
            }
            // The kernel gives up to 256 bytes whole; were it not so, a key must still be random.
            guard count == 256, let key = keys.popLast() else {
                keys = []
                return .random(in: .min ... .max)
            }
            return key
        }
    }

#endif
