/// Makes ids that look like the real service's; the owner gives the seed.
struct WireIDs: Sendable {
    private var state: UInt64
    private static let letters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    init(seed: UInt64) {
        state = seed
    }

    /// An id such as `item_…`.
    mutating func next(_ prefix: String, length: Int = 21) -> String {
        var id = prefix + "_"
        for _ in 0..<length { id.append(Self.letters[Int(random() % UInt64(Self.letters.count))]) }
        return id
    }

    /// SplitMix64.
    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
