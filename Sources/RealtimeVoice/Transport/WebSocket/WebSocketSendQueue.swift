/// The bytes that wait for a socket: messages in order, and control frames that overtake them
/// between frames.
///
/// Bytes that were offered to the socket stay the same, at the same address, until it took
/// them: OpenSSL demands that of a write that it could not finish.
package struct WebSocketSendQueue: ~Copyable, Sendable {
    /// What the socket did with the bytes offered.
    package enum WriteResult: Sendable, Hashable {
        case wrote(Int)
        case wouldBlock
        case failed
    }

    /// How far the queue got.
    package enum FlushResult: Sendable, Hashable {
        /// Nothing is left; whether the queue had been over its high-water mark before.
        case empty(wasHigh: Bool)
        case blocked
        case failed
    }

    /// Small frames are joined up to this size, so that a burst needs few system calls.
    private static let blockSize = 64 << 10
    /// The most bytes that are offered at once.
    private static let maximumWrite = 256 << 10

    private let highWaterMark: Int
    private var isHigh = false
    /// The block being written, whole frames, and how much of it is out.
    private var current: [UInt8] = []
    private var offset = 0
    /// Whole control frames.
    private var control: [UInt8] = []
    /// Blocks of whole frames behind the current one; those before `head` are gone.
    private var blocks: [[UInt8]] = []
    private var head = 0
    private var blockBytes = 0
    /// The storage of a written block, for the next.
    private var spare: [UInt8] = []

    /// Creates an empty queue.
    package init(highWaterMark: Int) {
        self.highWaterMark = highWaterMark
    }

    /// The bytes that wait.
    package var count: Int { current.count - offset + control.count + blockBytes }

    /// Whether nothing waits.
    package var isEmpty: Bool { count == 0 }

    /// Appends whole frames, which the body writes to the end of its argument.
    package mutating func append<Result>(_ body: (inout [UInt8]) -> Result) -> Result {
        let isWaiting = !isEmpty
        if head == blocks.count || blocks[blocks.count - 1].count >= Self.blockSize {
            blocks.append(takeSpare())
            // It will fill; alone, a frame takes what it needs.
            if isWaiting { blocks[blocks.count - 1].reserveCapacity(Self.blockSize + 8_192) }
        }
        let last = blocks.count - 1
        let before = blocks[last].count
        let result = body(&blocks[last])
        blockBytes += blocks[last].count - before
        isHigh = isHigh || isWaiting && count > highWaterMark
        return result
    }

    /// Appends whole control frames, which go out before the messages that wait.
    package mutating func appendControl<Result>(_ body: (inout [UInt8]) -> Result) -> Result {
        body(&control)
    }

    /// Drops the messages of which nothing is out yet.
    package mutating func dropMessages() {
        blocks = []
        head = 0
        blockBytes = 0
    }

    /// Offers bytes to the socket until none are left or it takes no more.
    package mutating func flush(_ write: (UnsafeRawBufferPointer) -> WriteResult) -> FlushResult {
        while takeNext() {
            let end = min(current.count, offset + Self.maximumWrite)
            let range = offset..<end
            let result = unsafe current.withUnsafeBytes { bytes in
                unsafe write(.init(rebasing: bytes[range]))
            }
            switch result {
            case .wrote(let count): offset += count
            case .wouldBlock:
                isHigh = isHigh || self.count > highWaterMark
                return .blocked
            case .failed: return .failed
            }
        }
        let wasHigh = isHigh
        isHigh = false
        return .empty(wasHigh: wasHigh)
    }

    /// Makes the next block the current one, if that is written; returns false with none left.
    private mutating func takeNext() -> Bool {
        guard offset == current.count else { return true }
        recycleCurrent()
        if !control.isEmpty {
            swap(&current, &control)
            return true
        }
        guard head < blocks.count else { return false }
        swap(&current, &blocks[head])
        blockBytes -= current.count
        head += 1
        if head == blocks.count {
            blocks.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head * 2 > blocks.count {
            blocks.removeFirst(head)
            head = 0
        }
        return true
    }

    private mutating func recycleCurrent() {
        offset = 0
        guard !current.isEmpty else { return }
        if current.capacity <= 2 * Self.blockSize, current.capacity > spare.capacity {
            swap(&current, &spare)
            spare.removeAll(keepingCapacity: true)
        }
        current = []
    }

    private mutating func takeSpare() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &spare)
        return taken
    }
}
