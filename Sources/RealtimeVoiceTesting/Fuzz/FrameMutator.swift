import RealtimeVoice

/// Makes frames that are almost right: of the right structure with one thing wrong, or with a
/// few bytes changed.
struct FrameMutator {
    /// Frames to begin with, and to take pieces from.
    let corpus: [[UInt8]]
    private let trees: [JSONValue]
    private let names: [String]
    private let strings: [String]

    init(corpus: [[UInt8]]) {
        self.corpus = corpus
        trees = corpus.compactMap { bytes in
            // Of the big ones, which hold sound, the bytes are enough.
            bytes.count > 20_000 ? nil : try? JSONValue(parsing: bytes)
        }
        var names: Set<String> = []
        var strings: Set<String> = []
        for tree in trees { Self.collect(tree, &names, &strings) }
        self.names = names.sorted()
        self.strings = strings.sorted()
    }

    private static func collect(
        _ tree: JSONValue, _ names: inout Set<String>, _ strings: inout Set<String>
    ) {
        switch tree {
        case .object(let members):
            for (name, value) in members {
                names.insert(name)
                collect(value, &names, &strings)
            }
        case .array(let elements): for element in elements { collect(element, &names, &strings) }
        case .string(let text): if text.utf8.count < 80 { strings.insert(text) }
        case .null, .bool, .int, .double: break
        }
    }

    /// The frame with one to four things wrong.
    func mutate(_ frame: [UInt8], _ random: inout FuzzRandom) -> [UInt8] {
        var bytes = frame
        if bytes.count < 20_000, random.chance(70), var tree = try? JSONValue(parsing: bytes) {
            for _ in 0...random.below(3) { tree = mutate(tree, depth: 0, &random) }
            bytes = tree.serializedBytes()
            if random.chance(20) { bytes = duplicateMember(bytes, &random) }
        }
        if random.chance(40) {
            for _ in 0...random.below(3) { changeBytes(&bytes, &random) }
        }
        return bytes
    }

    // MARK: Structure

    private func mutate(
        _ tree: JSONValue, depth: Int, _ random: inout FuzzRandom
    ) -> JSONValue {
        switch tree {
        case .object(var members) where random.chance(depth == 0 ? 95 : 75):
            let keys = members.keys.sorted()
            guard let key = random.pick(keys), let value = members[key] else {
                members[random.pick(names) ?? "a"] = strange(&random)
                return .object(members)
            }
            switch random.below(6) {
            case 0: members[key] = nil
            case 1:
                members[key] = nil
                members[random.pick(names) ?? ""] = value
            case 2: members[random.pick(names) ?? ""] = strange(&random)
            default: members[key] = mutate(value, depth: depth + 1, &random)
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && random.chance(75):
            let index = random.below(elements.count)
            switch random.below(4) {
            case 0: elements.remove(at: index)
            case 1: elements.append(elements[index])
            default: elements[index] = mutate(elements[index], depth: depth + 1, &random)
            }
            return .array(elements)
        case .null, .bool, .int, .double, .string, .array, .object: return strange(&random)
        }
    }

    private func strange(_ random: inout FuzzRandom) -> JSONValue {
        switch random.below(12) {
        case 0: return .null
        case 1: return .bool(random.chance(50))
        case 2:
            return .int(
                random.pick([0, -1, 1, .max, .min, 1 << 31, -(1 << 31), 1 << 53, 999]) ?? 0)
        case 3:
            return .double(random.pick([0.5, -0.5, 1e308, -1e308, 1e-300, 1e18, 1e19, 24e3]) ?? 0)
        case 4, 5, 6, 7: return .string(random.pick(strings) ?? "")
        case 8: return .string(String(repeating: "a\u{0}é😀\"\\", count: random.below(2_000)))
        case 9: return random.pick(trees) ?? .null
        case 10:
            return (0..<random.below(600)).reduce(JSONValue.array([])) { inner, _ in
                .array([inner])
            }
        default: return random.chance(50) ? [:] : []
        }
    }

    // MARK: Text

    /// Repeats a piece between two commas, which often is a member.
    private func duplicateMember(_ bytes: [UInt8], _ random: inout FuzzRandom) -> [UInt8] {
        let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }
        guard commas.count > 1 else { return bytes }
        let index = random.below(commas.count - 1)
        var copy = bytes
        copy.insert(contentsOf: bytes[commas[index]..<commas[index + 1]], at: commas[index])
        return copy
    }

    private static let pieces: [[UInt8]] = [
        Array("\"".utf8), Array("\\".utf8), Array("{".utf8), Array("}".utf8), Array("[".utf8),
        Array("]".utf8), Array(",".utf8), Array(":".utf8), Array("null".utf8), Array("-".utf8),
        Array("1e999".utf8), Array(#"\ud800"#.utf8), Array(#"\u0000"#.utf8), [0xFF], [0],
        [0xC0, 0x80], [0xED, 0xA0, 0x80], Array("\u{FEFF}".utf8), Array("\n".utf8),
        Array("=".utf8), Array(String(repeating: "[", count: 3_000).utf8),
        Array(String(repeating: #"{"a":"#, count: 3_000).utf8),
        Array(String(repeating: "9", count: 500).utf8),
    ]

    private func changeBytes(_ bytes: inout [UInt8], _ random: inout FuzzRandom) {
        guard !bytes.isEmpty else { return }
        let index = random.below(bytes.count)
        let length = random.below(min(40, bytes.count - index)) + 1
        switch random.below(7) {
        case 0: bytes[index] ^= 1 << UInt8(random.below(8))
        case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.removeSubrange(index..<(index + length))
        case 3: bytes.removeLast(bytes.count - index)
        case 4: bytes.insert(contentsOf: Array(bytes[index..<(index + length)]), at: index)
        case 5: bytes.insert(contentsOf: random.pick(Self.pieces) ?? [], at: index)
        default:
            let other = random.pick(corpus) ?? []
            let from = random.below(other.count)
            bytes.insert(
                contentsOf: other[from..<min(other.count, from + length)], at: index)
        }
    }
}
