public import Foundation

/// The provider's own message behind an event, parsed only when somebody reads it.
public struct RealtimeRawPayload: Sendable, Hashable {
    private let bytes: [UInt8]

    /// Creates a payload from the bytes of one frame.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The payload of an event that no frame brought.
    public static let none = RealtimeRawPayload([])

    /// The message as it came.
    public var data: Data { Data(bytes) }

    /// The message as JSON; null where it isn't any.
    public var json: JSONValue {
        (try? JSONValue(parsing: bytes)) ?? .null
    }
}
