import Foundation

/// One server message, read in one pass and before anything acts on it: so a frame that turns
/// out to be broken at its end has changed nothing, and the order of its keys means nothing.
struct GoogleFrame {
    /// `serverContent`.
    var content: GoogleContent?
    var setupComplete: JSONValue?
    var toolCall: JSONValue?
    var toolCallCancellation: JSONValue?
    var usage: JSONValue?
    var goAway: JSONValue?
    var voiceActivity: JSONValue?
    var voiceSignal: JSONValue?
    var error: JSONValue?
    /// A `code` at the top, which some errors have in place of an `error` object.
    var code: JSONValue?
    var message: JSONValue?
    var status: JSONValue?
    /// Keys that have no portable meaning, in order.
    var others: [String] = []

    /// Reads a frame; nil where it is not one JSON object.
    static func parse(_ bytes: [UInt8]) -> GoogleFrame? {
        var frame = GoogleFrame()
        var scanner = JSONScanner(bytes)
        let isObject = scanner.pullMembers { scanner, name in frame.read(&scanner, name) }
        return isObject && scanner.isAtEnd() ? frame : nil
    }

    private mutating func read(_ scanner: inout JSONScanner, _ name: Range<Int>) -> Bool {
        if scanner.matches(name, "serverContent") {
            guard scanner.nextByte() == UInt8(ascii: "{") else {
                return readOther(&scanner, name)
            }
            var content = GoogleContent()
            guard scanner.pullMembers({ content.read(&$0, $1) }) else { return false }
            self.content = content
            return true
        }
        if scanner.matches(name, "usageMetadata") { return scanner.pullTree(into: &usage) }
        if scanner.matches(name, "setupComplete") { return scanner.pullTree(into: &setupComplete) }
        if scanner.matches(name, "toolCall") { return scanner.pullTree(into: &toolCall) }
        if scanner.matches(name, "toolCallCancellation") {
            return scanner.pullTree(into: &toolCallCancellation)
        }
        if scanner.matches(name, "goAway") { return scanner.pullTree(into: &goAway) }
        if scanner.matches(name, "voiceActivity") { return scanner.pullTree(into: &voiceActivity) }
        if scanner.matches(name, "voiceActivityDetectionSignal") {
            return scanner.pullTree(into: &voiceSignal)
        }
        if scanner.matches(name, "error") { return scanner.pullTree(into: &error) }
        if scanner.matches(name, "code") { return scanner.pullTree(into: &code) }
        if scanner.matches(name, "message") { return scanner.pullTree(into: &message) }
        if scanner.matches(name, "status") { return scanner.pullTree(into: &status) }
        return readOther(&scanner, name)
    }

    private mutating func readOther(_ scanner: inout JSONScanner, _ name: Range<Int>) -> Bool {
        guard let slice = scanner.skipValue() else { return false }
        if !slice.isNull { others.append(scanner.name(name)) }
        return true
    }
}

extension JSONScanner {
    /// A member's name, unknown enough to be told.
    func name(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

/// What a `serverContent` holds.
struct GoogleContent {
    var parts: [GooglePart] = []
    var isInterrupted = false
    var isGenerationComplete = false
    var isTurnComplete = false
    var inputTranscription: JSONValue?
    var interimInputTranscription: JSONValue?
    var outputTranscription: JSONValue?
    var interactionStatus: String?
    var turnCompleteReason: String?
    /// Keys that have no portable meaning, in order.
    var others: [String] = []
    /// Whether there was no key at all.
    var isEmpty = true

    mutating func read(_ scanner: inout JSONScanner, _ name: Range<Int>) -> Bool {
        isEmpty = false
        if scanner.matches(name, "modelTurn") { return readModelTurn(&scanner, name) }
        if scanner.matches(name, "outputTranscription") {
            return scanner.pullTree(into: &outputTranscription)
        }
        if scanner.matches(name, "inputTranscription") {
            return scanner.pullTree(into: &inputTranscription)
        }
        if scanner.matches(name, "interimInputTranscription") {
            return scanner.pullTree(into: &interimInputTranscription)
        }
        if scanner.matches(name, "interrupted") { return scanner.pullFlag(into: &isInterrupted) }
        if scanner.matches(name, "generationComplete") {
            return scanner.pullFlag(into: &isGenerationComplete)
        }
        if scanner.matches(name, "turnComplete") { return scanner.pullFlag(into: &isTurnComplete) }
        if scanner.matches(name, "interactionStatus") {
            return read(&scanner, into: &interactionStatus)
        }
        if scanner.matches(name, "turnCompleteReason") {
            return read(&scanner, into: &turnCompleteReason)
        }
        return readOther(&scanner, name)
    }

    private func read(_ scanner: inout JSONScanner, into text: inout String?) -> Bool {
        guard let value = scanner.parseValue() else { return false }
        text = value.stringValue
        return true
    }

    private mutating func readOther(_ scanner: inout JSONScanner, _ name: Range<Int>) -> Bool {
        guard let value = scanner.parseValue() else { return false }
        // Vertex ends each turn with an empty groundingMetadata: it says nothing.
        switch value {
        case .null, .bool(false), .object([:]), .array([]): break
        default: others.append(scanner.name(name))
        }
        return true
    }

    private mutating func readModelTurn(_ scanner: inout JSONScanner, _ name: Range<Int>) -> Bool {
        guard scanner.nextByte() == UInt8(ascii: "{") else { return readOther(&scanner, name) }
        return scanner.pullMembers { scanner, name in
            guard scanner.matches(name, "parts"), scanner.nextByte() == UInt8(ascii: "[") else {
                return scanner.skipValue() != nil
            }
            return scanner.pullElements { GooglePart.read(&$0, into: &parts) }
        }
    }
}

/// One part of a model turn.
enum GooglePart {
    case audio(Data, RealtimeAudioFormat?)
    case text(String)
    case thought(String)
    case functionCall(JSONValue)
    /// A part without portable meaning, by its key.
    case other(String)

    /// What stands in a part, before it is known what it makes of it.
    private struct Fields {
        var data: JSONSlice?
        var mimeType: JSONSlice?
        var hasInlineData = false
        var text: String?
        var isThought = false
        var functionCall: JSONValue?
        var others: [String] = []
    }

    static func read(_ scanner: inout JSONScanner, into parts: inout [GooglePart]) -> Bool {
        guard scanner.nextByte() == UInt8(ascii: "{") else { return scanner.skipValue() != nil }
        var fields = Fields()
        guard scanner.pullMembers({ read(&$0, $1, into: &fields) }) else { return false }
        if fields.hasInlineData { parts.append(inlineData(fields, scanner)) }
        if let text = fields.text { parts.append(fields.isThought ? .thought(text) : .text(text)) }
        if let call = fields.functionCall { parts.append(.functionCall(call)) }
        for name in fields.others { parts.append(.other(name)) }
        return true
    }

    private static func read(
        _ scanner: inout JSONScanner, _ name: Range<Int>, into fields: inout Fields
    ) -> Bool {
        if scanner.matches(name, "inlineData"), scanner.nextByte() == UInt8(ascii: "{") {
            fields.hasInlineData = true
            return scanner.pullMembers { scanner, name in
                guard let slice = scanner.skipValue() else { return false }
                if scanner.matches(name, "data") { fields.data = slice }
                if scanner.matches(name, "mimeType") { fields.mimeType = slice }
                return true
            }
        }
        if scanner.matches(name, "text") {
            guard let value = scanner.parseValue() else { return false }
            fields.text = value.stringValue
            return true
        }
        if scanner.matches(name, "thought") { return scanner.pullFlag(into: &fields.isThought) }
        if scanner.matches(name, "functionCall") {
            return scanner.pullTree(into: &fields.functionCall)
        }
        guard let slice = scanner.skipValue() else { return false }
        // Notes on the part beside them; a part of their own would say nothing either.
        let isNote =
            scanner.matches(name, "thoughtSignature") || scanner.matches(name, "videoMetadata")
            || scanner.matches(name, "partMetadata")
        if !isNote, !slice.isNull { fields.others.append(scanner.name(name)) }
        return true
    }

    private static func inlineData(_ fields: Fields, _ scanner: JSONScanner) -> GooglePart {
        let isAudio = fields.mimeType.map { GoogleMIME.isAudio($0, scanner) } ?? true
        guard isAudio, let slice = fields.data, let data = scanner.base64(slice) else {
            return .other("inlineData")
        }
        return .audio(data, fields.mimeType.flatMap { GoogleMIME.format($0, scanner) })
    }
}

/// Reads `audio/pcm;rate=24000` where it stands: every audio frame has one.
enum GoogleMIME {
    /// What a rate is clamped to: a wild one would make a player reserve gigabytes.
    static let rates = 8_000...48_000

    static func isAudio(_ slice: JSONSlice, _ scanner: JSONScanner) -> Bool {
        // The slash may be escaped, so it is left out.
        slice.isString && slice.end - slice.start > 7
            && scanner.matches((slice.start + 1)..<(slice.start + 6), "audio")
    }

    /// The format, nil where no rate is named.
    static func format(_ slice: JSONSlice, _ scanner: JSONScanner) -> RealtimeAudioFormat? {
        let end = slice.end - 1
        var index = slice.start + 1
        while index < end, scanner.bytes[index] != UInt8(ascii: ";") { index += 1 }
        while index + 5 < end, !scanner.matches(index..<(index + 5), "rate=") { index += 1 }
        index += 5
        var rate = 0
        var digits = 0
        while index < end, let digit = Self.digit(scanner.bytes[index]) {
            rate = min(rate * 10 + digit, 1_000_000_000)
            digits += 1
            index += 1
        }
        guard digits > 0, rate > 0 else { return nil }
        return RealtimeAudioFormat(
            type: type(slice, scanner), rate: min(max(rate, rates.lowerBound), rates.upperBound))
    }

    private static func type(_ slice: JSONSlice, _ scanner: JSONScanner) -> String {
        if scanner.matches((slice.start + 1)..<min(slice.start + 10, slice.end), "audio/pcm") {
            return "audio/pcm"
        }
        let text = scanner.string(slice) ?? "audio/pcm"
        let type = String(text.prefix { $0 != ";" })
        return type.lowercased() == "audio/l16" ? "audio/pcm" : type
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte >= 0x30 && byte <= 0x39 ? Int(byte - 0x30) : nil
    }
}
