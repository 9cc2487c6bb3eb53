public import Foundation

/// Joins the pieces of a byte stream into whole samples, or into chunks of one size.
///
/// Sockets and pipes cut anywhere: what a piece has beyond whole samples waits for the next one.
public struct SampleJoiner: Sendable {
    /// The bytes of one sample, or of one frame where several channels are interleaved.
    public let bytesPerSample: Int
    /// The bytes of each chunk that `cut` makes, whole samples.
    public let bytesPerChunk: Int
    private var waiting = Data()

    /// Creates a joiner.
    ///
    /// - Parameters:
    ///   - bytesPerSample: The bytes that belong together, at least 1; 2 for mono PCM16.
    ///   - bytesPerChunk: The size of the chunks of `cut`, rounded down to whole samples but at
    ///     least one; nil takes one sample.
    public init(bytesPerSample: Int = 2, bytesPerChunk: Int? = nil) {
        self.bytesPerSample = max(bytesPerSample, 1)
        let samples = (bytesPerChunk ?? 0) / self.bytesPerSample
        self.bytesPerChunk = max(samples, 1) * self.bytesPerSample
    }

    /// The number of bytes that wait for more.
    public var waitingBytes: Int { waiting.count }

    /// The whole samples of what waited and the piece; the piece itself, uncopied, where nothing
    /// waits and nothing is left over.
    public mutating func join(_ piece: Data) -> Data {
        take(piece, multipleOf: bytesPerSample)
    }

    /// The whole chunks of what waited and the piece, each of `bytesPerChunk` bytes; they share
    /// their memory.
    public mutating func cut(_ piece: Data) -> [Data] {
        let whole = take(piece, multipleOf: bytesPerChunk)
        return stride(from: whole.startIndex, to: whole.endIndex, by: bytesPerChunk).map {
            whole[$0..<$0 + bytesPerChunk]
        }
    }

    /// What waits, less than a sample after `join` and less than a chunk after `cut`; nothing
    /// waits afterwards.
    public mutating func flush() -> Data {
        defer { waiting = Data() }
        return waiting
    }

    private mutating func take(_ piece: Data, multipleOf size: Int) -> Data {
        if waiting.isEmpty {
            let left = piece.count % size
            guard left > 0 else { return piece }
            // A copy, not a slice, which would keep the whole piece in memory.
            waiting = Data(piece.suffix(left))
            return piece.dropLast(left)
        }
        waiting.append(piece)
        let left = waiting.count % size
        let whole = waiting
        waiting = Data(whole.suffix(left))
        return left == 0 ? whole : whole.dropLast(left)
    }
}
