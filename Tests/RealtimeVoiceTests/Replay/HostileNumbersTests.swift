import Foundation
import RealtimeVoice
import RealtimeVoiceTesting
import Testing

/// Numbers that no sane provider, or app, sends must not end the process.
struct HostileNumbersTests {
    @Test(arguments: [Int.max, .min, -1, 1 << 62])
    func usageOfAnySizeAddsUp(_ count: Int) throws {
        let done: JSONValue = [
            "dir": "recv",
            "frame": [
                "type": "response.done",
                "response": [
                    "id": "r", "status": "completed",
                    "usage": [
                        "total_tokens": .int(count), "input_tokens": .int(count),
                        "input_token_details": ["audio_tokens": .int(count)],
                    ],
                ],
            ],
        ]
        let lines = [["provider": "openai"], done, done].map { $0.serialized() }
        let recording = try Recording(Data(lines.joined(separator: "\n").utf8))
        let sum = count < -1 ? Int.min : count == -1 ? -2 : Int.max
        #expect(try RealtimeReplay.run(recording).usage.totalTokens == sum)
    }

    @Test(arguments: [Int.max, .min, -1, 0])
    func positionsOfAnySizeAreClamped(_ played: Int) throws {
        let audio = Data(count: 4_800).base64EncodedString()
        let lines = [
            #"{"provider":"openai","config":{}}"#,
            #"{"dir":"recv","frame":{"type":"response.created","response":{"id":"r"}}}"#,
            #"{"dir":"recv","frame":{"type":"response.output_audio.delta","response_id":"r","#
                + #""item_id":"i","content_index":0,"delta":"\#(audio)"}}"#,
        ]
        var recording = try Recording(Data(lines.joined(separator: "\n").utf8))
        recording.lines.append(
            .app(["call": "playbackProgressed", "playedMilliseconds": .int(played)]))
        recording.lines.append(
            .app(["call": "playbackInterrupted", "playedMilliseconds": .int(played)]))
        let sent = try RealtimeReplay.run(recording).sent.map { $0.frame["type"]?.stringValue }
        #expect(sent.contains("conversation.item.truncate") == (played > 0))
    }

    @Test func aFormatOfAnyRateIsCounted() {
        let format = RealtimeAudioFormat(rate: .max)
        #expect(format.bytes(ofMilliseconds: 10_000) > 0)
        #expect(format.milliseconds(ofBytes: 100) == 0)
    }
}
