public import Foundation

/// A piece of the model's speech that knows where it belongs.
public struct RealtimeAudioChunk: Sendable, Hashable {
    /// The part of the conversation that it is a piece of.
    public var content: RealtimeContentID
    /// 16-bit little-endian PCM, one channel.
    public var data: Data
    /// The rate of `data`; its type is always `audio/pcm`.
    public var format: RealtimeAudioFormat
    /// Where in its part the piece begins, in milliseconds.
    public var startMilliseconds: Int
    /// Whether speech was interrupted since the piece before this one.
    public var followsInterruption = false

    /// Creates a piece.
    public init(
        content: RealtimeContentID, data: Data, format: RealtimeAudioFormat,
        startMilliseconds: Int
    ) {
        self.content = content
        self.data = data
        self.format = format
        self.startMilliseconds = startMilliseconds
    }

    /// The response that speaks.
    public var responseID: String? { content.responseID }
    /// The item that is spoken.
    public var itemID: String { content.itemID }
    /// The part of the item.
    public var contentIndex: Int { content.contentIndex }

    /// The length of the piece in milliseconds, rounded down.
    public var milliseconds: Int { format.milliseconds(ofBytes: data.count) }
}
