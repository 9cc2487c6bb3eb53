/// The beginning of the body of a refused upgrade.
struct WebSocketHTTPBody: Sendable {
    private enum Framing: Sendable {
        case length(Int)
        case untilEnd
        /// Reading the line with the size of a chunk, so far these bytes of it.
        case chunkSize([UInt8])
        case chunk(Int)
        case complete
    }

    private static let maximumByteCount = 16 << 10

    private var framing: Framing
    private var bytes: [UInt8] = []

    /// The body so far as text; a character that the limit cuts becomes U+FFFD.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Learns from the headers where the body ends.
    init(_ head: WebSocketHTTPHead, status: Int) throws(RealtimeError) {
        let coding = WebSocketHTTPHead.list("Transfer-Encoding", in: head.headers)
        let lengths = WebSocketHTTPHead.list("Content-Length", in: head.headers)
        if status == 204 || status == 304 {
            framing = .complete
        } else if !coding.isEmpty {
            framing = coding.last?.lowercased() == "chunked" ? .chunkSize([]) : .untilEnd
        } else if let length = lengths.first {
            // A wrong length must not hide the status, so it only costs the body its end.
            framing = Int(length).map { .length(max(0, $0)) } ?? .untilEnd
        } else {
            framing = .untilEnd
        }
    }

    /// Takes bytes from the front of the input.
    ///
    /// - Returns: Whether the body is complete, or as long as it may be.
    mutating func receive(_ input: inout UnsafeRawBufferPointer) -> Bool {
        while true {
            switch framing {
            case .complete, .length(0):
                return true
            case .length(let missing):
                let taken = unsafe take(missing, &input)
                framing = .length(missing - taken)
            case .untilEnd:
                _ = unsafe take(.max, &input)
            case .chunk(let missing):
                let taken = unsafe take(missing, &input)
                framing = taken == missing ? .chunkSize([]) : .chunk(missing - taken)
            case .chunkSize(let line):
                unsafe readChunkSize(line, &input)
            }
            if bytes.count >= Self.maximumByteCount { return true }
            if unsafe input.isEmpty {
                if case .complete = framing { return true }
                if case .length(0) = framing { return true }
                return false
            }
        }
    }

    /// Moves at most so many bytes, within the limit; returns how many.
    private mutating func take(_ count: Int, _ input: inout UnsafeRawBufferPointer) -> Int {
        let room = min(count, Self.maximumByteCount - bytes.count)
        let piece = unsafe input.prefix(room)
        unsafe bytes.append(contentsOf: piece)
        unsafe input = .init(rebasing: input.dropFirst(piece.count))
        return unsafe piece.count
    }

    private mutating func readChunkSize(
        _ start: [UInt8],
        _ input: inout UnsafeRawBufferPointer
    ) {
        var line = start
        while let byte = unsafe input.first {
            unsafe input = .init(rebasing: input.dropFirst())
            line.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            let digits = line.prefix { $0 != 0x0D && $0 != UInt8(ascii: ";") }
            // The line end after a chunk's bytes.
            if digits.isEmpty {
                line = []
                continue
            }
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            framing = size > 0 ? .chunk(size) : .complete
            return
        }
        // A size line has a few digits; anything longer is no chunked body.
        framing = line.count < 256 ? .chunkSize(line) : .complete
    }
}
