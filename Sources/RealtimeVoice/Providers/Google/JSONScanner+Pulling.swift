extension JSONScanner {
    /// The next byte that is not white space, not stepped over.
    @inline(__always)
    mutating func nextByte() -> UInt8? {
        skipWhitespace()
        return position < bytes.count ? bytes[position] : nil
    }

    /// Calls `body` before each member's value, which it has to step over.
    ///
    /// Unlike `forEachMember` nothing is looked at twice, however deep the reader goes.
    ///
    /// - Returns: False where the text is not one object, or where `body` says so.
    @inline(__always)
    mutating func pullMembers(
        _ body: (_ scanner: inout JSONScanner, _ name: Range<Int>) -> Bool
    ) -> Bool {
        skipWhitespace()
        guard consume(UInt8(ascii: "{")) else { return false }
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return true }
        while true {
            skipWhitespace()
            guard let name = skipString() else { return false }
            skipWhitespace()
            guard consume(UInt8(ascii: ":")), body(&self, (name.start + 1)..<(name.end - 1))
            else { return false }
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            return consume(UInt8(ascii: "}"))
        }
    }

    /// Calls `body` before each element, which it has to step over.
    ///
    /// - Returns: False where the text is not one array, or where `body` says so.
    @inline(__always)
    mutating func pullElements(_ body: (_ scanner: inout JSONScanner) -> Bool) -> Bool {
        skipWhitespace()
        guard consume(UInt8(ascii: "[")) else { return false }
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return true }
        while true {
            guard body(&self) else { return false }
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            return consume(UInt8(ascii: "]"))
        }
    }

    /// Reads the next value as a tree; null leaves nil.
    ///
    /// - Returns: False where the text is not JSON.
    mutating func pullTree(into target: inout JSONValue?) -> Bool {
        guard let value = parseValue() else { return false }
        // Not `value.isNull ? nil : value`: there `nil` is a `JSONValue`, and null itself.
        if value.isNull {
            target = .none
        } else {
            target = value
        }
        return true
    }

    /// Reads the next value as a flag; anything but `true` is false.
    ///
    /// - Returns: False where the text is not JSON.
    mutating func pullFlag(into target: inout Bool) -> Bool {
        guard let value = parseValue() else { return false }
        target = value == .bool(true)
        return true
    }
}
