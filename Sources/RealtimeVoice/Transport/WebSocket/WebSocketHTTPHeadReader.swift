/// Collects bytes up to the empty line that ends a head.
package struct WebSocketHTTPHeadReader: Sendable {
    private var bytes: [UInt8] = []

    package init() {}

    /// Takes bytes from the front of the input up to the end of the head, which must begin as
    /// given, and returns it; nil while it is incomplete.
    package mutating func next(
        _ input: inout UnsafeRawBufferPointer,
        start: String = ""
    ) throws(WebSocketHTTPHead.Malformed) -> WebSocketHTTPHead? {
        while let byte = unsafe input.first {
            unsafe input = .init(rebasing: input.dropFirst())
            bytes.append(byte)
            if bytes.count <= start.utf8.count {
                guard start.utf8.starts(with: bytes) else {
                    throw .init(reason: "the answer is not HTTP/1.1")
                }
            }
            if byte == UInt8(ascii: "\n"), bytes.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] {
                let head = try WebSocketHTTPHead(bytes)
                bytes = []
                return head
            }
            guard bytes.count < WebSocketHTTPHead.maximumByteCount else {
                throw .init(reason: "the head is too large")
            }
        }
        return nil
    }
}
