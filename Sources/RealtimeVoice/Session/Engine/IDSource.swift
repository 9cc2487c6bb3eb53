/// Makes ids that are unique within and across connections, from a seed that is given.
package struct IDSource: Sendable {
    private let prefix: String
    private var count = 0

    /// - Parameter seed: A few characters of `[A-Za-z0-9]`.
    package init(seed: String) {
        prefix = seed
    }

    /// The next id, such as `item_k3x9_1`: at most 32 characters for a kind of up to eight.
    package mutating func next(_ kind: String) -> String {
        count += 1
        return "\(kind)_\(prefix)_\(count)"
    }

    /// A seed that no other connection has.
    package static func randomSeed() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
