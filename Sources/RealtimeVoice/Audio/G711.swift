public import Foundation

/// The two laws of ITU-T G.711, 8 bits a sample, as telephony and `audio/pcmu` and `audio/pcma`
/// carry them.
///
/// Linear samples are 16-bit: µ-law's 14 bits and A-law's 13 bits are their upper ones, as in
/// ITU-T G.191. Negative samples are coded as the one's complement of their code's positive twin.
public enum G711: Sendable, Hashable {
    /// µ-law, `audio/pcmu`: North America and Japan.
    case muLaw
    /// A-law, `audio/pcma`: elsewhere.
    case aLaw

    /// The 16-bit linear sample that a code stands for.
    public func decode(_ code: UInt8) -> Int16 {
        switch self {
        case .muLaw: Self.muLawSamples[Int(code)]
        case .aLaw: Self.aLawSamples[Int(code)]
        }
    }

    /// The code for a 16-bit linear sample.
    public func encode(_ sample: Int16) -> UInt8 {
        switch self {
        case .muLaw: Self.muLawCodes[Int(sample >> 2) + 8_192]
        case .aLaw: Self.aLawCodes[Int(sample >> 4) + 2_048]
        }
    }

    /// PCM16 data, two bytes for each code.
    public func decode(_ codes: Data) -> Data {
        let table = self == .muLaw ? Self.muLawSamples : Self.aLawSamples
        return PCM16.data(codes.map { table[Int($0)] })
    }

    /// Codes, one byte for each sample of PCM16 data; an odd last byte is ignored.
    public func encode(_ pcm16: Data) -> Data {
        let table = self == .muLaw ? Self.muLawCodes : Self.aLawCodes
        let (shift, offset) = self == .muLaw ? (2, 8_192) : (4, 2_048)
        return Data(PCM16.samples(pcm16).map { table[Int($0) >> shift + offset] })
    }

    private static let muLawSamples: [Int16] = (0...255).map { code in
        let bits = ~code & 255
        let magnitude = ((bits & 15) << 3 + 132) << (bits >> 4 & 7) - 132
        return Int16(bits < 128 ? magnitude : -magnitude)
    }

    private static let aLawSamples: [Int16] = (0...255).map { code in
        let bits = code ^ 0x55
        let segment = bits >> 4 & 7
        let step = (bits & 15) << 4 + 8
        let magnitude = segment == 0 ? step : (step + 256) << (segment - 1)
        return Int16(bits < 128 ? -magnitude : magnitude)
    }

    /// By the upper 14 bits of a sample, from -8,192.
    private static let muLawCodes: [UInt8] = (-8_192..<8_192).map { value in
        let magnitude = min((value < 0 ? ~value : value) + 33, 8_191)
        // The segment is the place of the highest bit, 5 in the lowest of them.
        let segment = Int.bitWidth - 1 - magnitude.leadingZeroBitCount - 5
        let code = segment << 4 | magnitude >> (segment + 1) & 15
        return UInt8(value < 0 ? 127 - code : 255 - code)
    }

    /// By the upper 12 bits of a sample, from -2,048: A-law's 13th never decides.
    private static let aLawCodes: [UInt8] = (-2_048..<2_048).map { value in
        let magnitude = value < 0 ? ~value : value
        // The two lowest segments have the same step.
        let segment = max(Int.bitWidth - 1 - magnitude.leadingZeroBitCount - 3, 0)
        let code = segment << 4 | magnitude >> max(segment - 1, 0) & 15
        return UInt8((value < 0 ? code : code | 128) ^ 0x55)
    }
}
