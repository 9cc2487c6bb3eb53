import Foundation
import RealtimeVoice

/// What every frame goes through: the codecs of the three wires.
///
/// *Naive* is what one writes first: `JSONDecoder` into a tree and Foundation's base64 on the
/// way down, `JSONEncoder` of a struct with a base64 string on the way up. The *floor* knows
/// where the payload stands: it looks for its end, and decodes or copies that.
enum WireBenchmarks {
    static func all() -> [Benchmark] {
        wires.flatMap { wire in
            [
                wire.audioUp(),
                wire.down("audio 100 ms", wire.audioDown, payload: .base64),
                wire.down("transcript", wire.transcript, payload: .text),
                // Gemini's codec tells a call once, so each needs a new one.
                wire.down(
                    "tool call", wire.tool, payload: .text,
                    renewal: wire.name == "google" ? 1 : 256),
            ]
        }
    }

    private static let wires = [
        Wire(
            name: "openai", model: OpenAIRealtimeModel("m"),
            append: { OpenAIAppend(audio: $0) },
            audioDown: openAI(
                "response.output_audio.delta", "resp_DkV0Tb4vTVRUzFfg1a2tX",
                "item_DkV0TiAhvTKV5HV8Um5RG", #""delta":"\#(audio)""#),
            transcript: openAI(
                "response.output_audio_transcript.delta", "resp_DkV0Tb4vTVRUzFfg1a2tX",
                "item_DkV0TiAhvTKV5HV8Um5RG",
                #""delta":" over the lazy dog","obfuscation":"pZDqdKpKnT8""#),
            tool: openAI(
                "response.function_call_arguments.done", "resp_DkV0Tb4vTVRUzFfg1a2tX",
                "item_DkV0TiAhvTKV5HV8Um5RG",
                #""call_id":"call_vGdEJWjIYTDTlgR5","name":"get_weather","arguments":"\#(call)""#)),
        Wire(
            name: "xai", model: XaiRealtimeModel("m"),
            append: { OpenAIAppend(audio: $0) },
            audioDown: openAI(
                "response.output_audio.delta", "6f1b1f7a-6a52-4a0f-9c2d-0b6a3f6f2b11",
                "0d9e4f2c-13cf-4c7d-8a77-3a1d6a1f0c42",
                #""delta":"\#(audio)","audio_duration_ms":100,"previous_item_id":null"#),
            transcript: openAI(
                "response.output_audio_transcript.delta", "6f1b1f7a-6a52-4a0f-9c2d-0b6a3f6f2b11",
                "0d9e4f2c-13cf-4c7d-8a77-3a1d6a1f0c42",
                #""delta":" over the lazy dog","start_time":1.25,"previous_item_id":null"#),
            tool: openAI(
                "response.function_call_arguments.done", "6f1b1f7a-6a52-4a0f-9c2d-0b6a3f6f2b11",
                "0d9e4f2c-13cf-4c7d-8a77-3a1d6a1f0c42",
                #""call_id":"call-1-0","name":"get_weather","arguments":"\#(call)""#)),
        Wire(
            name: "google", model: GoogleRealtimeModel("m"),
            append: { GoogleInput(audio: $0) },
            audioDown: google(
                #""modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","#
                    + #""data":"\#(audio)"}}]}"#),
            transcript: google(#""outputTranscription":{"text":" over the lazy dog"}"#),
            tool: #"{"toolCall":{"functionCalls":[{"name":"get_weather","args":"#
                + #"{"city":"London","units":"metric"},"id":"call_1"}]}}"#),
    ]

    private static let audio = AudioBenchmarks.noise(4_800).base64EncodedString()
    private static let call = #"{\"city\":\"London\",\"units\":\"metric\",\"days\":3}"#

    private static func openAI(
        _ type: String, _ response: String, _ item: String, _ rest: String
    ) -> String {
        #"{"type":"\#(type)","event_id":"event_DkV0TQ8xGcSz6TrzLbHAk","response_id":"\#(response)","#
            + #""item_id":"\#(item)","output_index":0,"content_index":0,\#(rest)}"#
    }

    private static func google(_ content: String) -> String {
        "{\n  \"serverContent\": {\(content)}\n}\n"
    }
}

/// OpenAI's and xAI's append, as a first draft has it.
private struct OpenAIAppend: Encodable {
    var type = "input_audio_buffer.append"
    var audio: String
}

/// Gemini's input, as a first draft has it.
private struct GoogleInput: Encodable {
    struct Realtime: Encodable {
        var audio: Blob
    }
    struct Blob: Encodable {
        var data: String
        var mimeType = "audio/pcm;rate=16000"
    }
    var realtimeInput: Realtime

    init(audio: String) { realtimeInput = Realtime(audio: Blob(data: audio)) }
}

/// One wire's frames.
private struct Wire: Sendable {
    enum Payload { case base64, text }

    let name: String
    let model: any RealtimeModel
    let append: @Sendable (String) -> any Encodable
    let audioDown: String
    let transcript: String
    let tool: String

    /// 20 ms from the microphone.
    func audioUp() -> Benchmark {
        let pcm = AudioBenchmarks.noise(960)
        var codec = configured()
        let encoder = JSONEncoder()
        let frame = (try? codec.encode(.inputAudioAppend(pcm)))?.first?.bytes ?? []
        let head = frame.count - 1_280
        return Benchmark(
            "\(name) encode audio 20 ms",
            naive: { keep(try? encoder.encode(append(pcm.base64EncodedString()))) },
            floor: {
                var bytes: [UInt8] = []
                bytes.reserveCapacity(frame.count)
                bytes.append(contentsOf: frame[..<head])
                unsafe pcm.withUnsafeBytes { unsafe Base64.append($0, to: &bytes) }
                keep(bytes)
            },
            operation: { keep(try? codec.encode(.inputAudioAppend(pcm))) })
    }

    /// A frame of the provider.
    ///
    /// - Parameters:
    ///   - what: What it brings.
    ///   - text: Its text.
    ///   - payload: What the longest string in it is.
    ///   - renewal: After how many frames the codec is a new one, lest what it remembers adds up.
    /// - Returns: How it is read.
    func down(
        _ what: String, _ text: String, payload: Payload, renewal: Int = 256
    ) -> Benchmark {
        let frame = RealtimeFrame(text)
        let bytes = frame.bytes
        let start = longestString(of: bytes)
        let fresh = configured()
        var codec = fresh
        var age = 0
        let decoder = JSONDecoder()
        return Benchmark(
            "\(name) decode \(what)",
            naive: {
                let tree = try? decoder.decode(JSONValue.self, from: Data(bytes))
                keep(tree)
                if payload == .base64 {
                    keep(tree.flatMap(longestText).flatMap { Data(base64Encoded: $0) })
                }
            },
            floor: {
                unsafe bytes.withUnsafeBytes { buffer in
                    guard let base = buffer.baseAddress,
                        let end = unsafe memchr(base + start, 0x22, bytes.count - start)
                    else { return }
                    let count = unsafe UnsafeRawPointer(end) - (base + start)
                    let payloadBytes = unsafe UnsafeRawBufferPointer(
                        start: base + start, count: count)
                    switch payload {
                    case .base64: unsafe keep(Base64.decode(payloadBytes))
                    case .text: unsafe keep(String(decoding: payloadBytes, as: UTF8.self))
                    }
                }
            },
            operation: {
                age += 1
                if age == renewal {
                    codec = fresh
                    age = 0
                }
                keep(try? codec.decode(frame))
            })
    }

    private func configured() -> any RealtimeCodec {
        var codec = model.makeCodec()
        _ = try? codec.encode(.sessionUpdate(RealtimeSessionConfig()))
        _ = try? codec.decode(RealtimeFrame(#"{"setupComplete":{}}"#))
        return codec
    }

    /// Where the longest text of a frame begins, which is its payload.
    private func longestString(of bytes: [UInt8]) -> Int {
        let pieces = bytes.split(separator: 0x22, omittingEmptySubsequences: false)
        return pieces.max { $0.count < $1.count }?.startIndex ?? 0
    }

    private func longestText(_ tree: JSONValue) -> String? {
        switch tree {
        case .string(let text): text
        case .array(let elements):
            elements.compactMap(longestText).max { $0.utf8.count < $1.utf8.count }
        case .object(let members):
            members.values.compactMap(longestText).max { $0.utf8.count < $1.utf8.count }
        case .null, .bool, .int, .double: nil
        }
    }
}
