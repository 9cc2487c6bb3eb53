import Foundation

/// What the encoder has to remember of what it sent.
struct GoogleSender: Sendable {
    /// The configuration of the connection; nil until the setup is sent.
    var config: RealtimeSessionConfig?
    /// Whether the app ends the user's turns.
    var hasManualTurns = false
    /// Whether an `activityStart` waits for its `activityEnd`.
    var isActivityOpen = false
    /// What stands around the base64 of an audio message.
    private var prefix: [UInt8] = []
    private var suffix: [UInt8] = []

    init() {
        setAudio(rate: 16_000, usesLegacyChunks: false)
    }

    mutating func setAudio(rate: Int, usesLegacyChunks: Bool) {
        let type = "audio/pcm;rate=\(rate)"
        if usesLegacyChunks {
            prefix = Array(#"{"realtime_input":{"media_chunks":[{"data":""#.utf8)
            suffix = Array(#"","mime_type":"\#(type)"}]}}"#.utf8)
        } else {
            prefix = Array(#"{"realtimeInput":{"audio":{"mimeType":"\#(type)","data":""#.utf8)
            suffix = Array(#""}}}"#.utf8)
        }
    }

    /// An audio message, written once and in place.
    func audioFrame(_ audio: Data) -> RealtimeFrame {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(prefix.count + (audio.count + 2) / 3 * 4 + suffix.count)
        bytes += prefix
        unsafe audio.withUnsafeBytes { unsafe Base64.append($0, to: &bytes) }
        bytes += suffix
        return RealtimeFrame(kind: .text, bytes: bytes)
    }
}

extension RealtimeFrame {
    init(json: JSONValue) {
        self.init(kind: .text, bytes: json.serializedBytes())
    }
}
