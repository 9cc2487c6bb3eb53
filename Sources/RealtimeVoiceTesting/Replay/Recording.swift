public import Foundation
public import RealtimeVoice

/// A recorded session, or a scenario: what both sides sent and what the app did, line by line.
///
/// The format is JSON, one object a line. The first line is a header; then `recv` and `send`
/// frames, `close`, `http` exchanges, and in scenarios `app` calls and `clock` steps.
public struct Recording: Sendable {
    /// One line behind the header.
    public enum Line: Sendable {
        /// The provider sent this.
        case received(RealtimeFrame)
        /// The client sent this.
        case sent(JSONValue)
        /// The connection ended.
        case closed(RealtimeClose)
        /// An HTTP request and its reply.
        case http(JSONValue)
        /// The app calls.
        case app(JSONValue)
        /// Time passes.
        case clock(milliseconds: Int)
        /// A line that can't be read.
        case unreadable
    }

    /// The first line.
    public var header: JSONValue
    /// The other lines; the header is line 0.
    public var lines: [Line]

    /// Reads a recording. Lines that can't be read are kept as such.
    ///
    /// - Throws: `decodingFailed` where the first line is no header.
    public init(_ data: Data) throws(RealtimeError) {
        let texts = Array(data).split(separator: UInt8(ascii: "\n"))
        guard let first = texts.first, let header = try? JSONValue(parsing: Array(first)),
            header.objectValue != nil
        else {
            throw RealtimeError(
                .decodingFailed, "not a recording: the first line is no JSON header")
        }
        self.header = header
        lines = texts.dropFirst().map { Self.line(Array($0)) }
    }

    /// Creates a recording.
    public init(header: JSONValue, lines: [Line]) {
        self.header = header
        self.lines = lines
    }

    private static func line(_ bytes: [UInt8]) -> Line {
        guard let json = try? JSONValue(parsing: bytes) else { return .unreadable }
        switch json["dir"]?.stringValue {
        case "recv": return received(json)
        case "send": return .sent(json["frame"] ?? .null)
        case "close":
            return .closed(
                RealtimeClose(
                    code: json["code"]?.intValue ?? 1006, reason: json["reason"]?.stringValue ?? "",
                    isClean: json["clean"]?.boolValue ?? false))
        case "http": return .http(json)
        case "app": return .app(json)
        case "clock": return .clock(milliseconds: json["advanceMilliseconds"]?.intValue ?? 0)
        default: return .unreadable
        }
    }

    /// `raw` is the exact text where the recording has it.
    private static func received(_ json: JSONValue) -> Line {
        if let raw = json["raw"]?.stringValue { return .received(RealtimeFrame(raw)) }
        guard let frame = json["frame"] else { return .unreadable }
        if let text = frame.stringValue { return .received(RealtimeFrame(text)) }
        return .received(RealtimeFrame(kind: .text, bytes: frame.serializedBytes()))
    }

    /// Whether the app's calls are part of it, so that recorded `send` lines drive nothing.
    public var isScenario: Bool {
        if header["config"] != nil || header["strict"] != nil { return true }
        return lines.contains { line in
            switch line {
            case .app, .clock: true
            case .received, .sent, .closed, .http, .unreadable: false
            }
        }
    }

    /// Whether a frame of the recording confirms the configuration.
    var confirmsConfiguration: Bool {
        lines.contains { line in
            guard case .received(let frame) = line,
                let json = try? JSONValue(parsing: frame.bytes)
            else { return false }
            return json["setupComplete"] != nil || json["type"]?.stringValue == "session.updated"
        }
    }
}
