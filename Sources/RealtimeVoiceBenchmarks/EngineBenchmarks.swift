import Foundation
import RealtimeVoice

/// The whole way of a frame within the library, without its socket: decoding, every machine, the
/// reducer and the effects; and the way out.
enum EngineBenchmarks {
    static func all() -> [Benchmark] { [audioIn(), transcriptIn(), audioOut()] }

    /// 100 ms of speech, from the frame to the chunk for the player.
    private static func audioIn() -> Benchmark {
        var engine = readyEngine()
        let frame = RealtimeFrame(
            #"{"type":"response.output_audio.delta","event_id":"event_1","response_id":"resp_1","#
                + #""item_id":"item_1","output_index":0,"content_index":0,"delta":""#
                + AudioBenchmarks.noise(4_800).base64EncodedString() + #""}"#)
        var effects: [EngineEffect] = []
        var now = Duration.seconds(1)
        return Benchmark("engine: 100 ms of speech in") {
            now += .milliseconds(100)
            effects.removeAll(keepingCapacity: true)
            engine.received(frame, now: now, into: &effects)
            keep(effects)
        }
    }

    /// A word of transcript, from the frame to the message.
    private static func transcriptIn() -> Benchmark {
        var engine = readyEngine()
        let frame = RealtimeFrame(
            #"{"type":"response.output_audio_transcript.delta","event_id":"event_1","#
                + #""response_id":"resp_1","item_id":"item_1","output_index":0,"#
                + #""content_index":0,"delta":" word"}"#)
        var effects: [EngineEffect] = []
        return Benchmark("engine: a word of transcript in") {
            effects.removeAll(keepingCapacity: true)
            engine.received(frame, now: .seconds(1), into: &effects)
            keep(effects)
        }
    }

    /// 20 ms of the microphone, from the call to the frame for the socket.
    private static func audioOut() -> Benchmark {
        var engine = readyEngine()
        let audio = AudioBenchmarks.noise(960)
        var effects: [EngineEffect] = []
        return Benchmark("engine: 20 ms of microphone out") {
            effects.removeAll(keepingCapacity: true)
            try? engine.perform(.appendAudio(audio), now: .seconds(1), into: &effects)
            keep(effects)
        }
    }

    private static func readyEngine() -> ConversationEngine {
        var engine = ConversationEngine(
            model: OpenAIRealtimeModel("gpt-realtime", apiKey: "none"),
            configuration: .init(), seed: "bench")
        var effects: [EngineEffect] = []
        engine.started(openTimeout: .seconds(1), now: .zero)
        engine.opened(now: .zero, into: &effects)
        for text in [
            #"{"type":"session.created","session":{}}"#,
            #"{"type":"session.updated","session":{}}"#,
            #"{"type":"response.created","response":{"id":"resp_1"}}"#,
        ] {
            engine.received(RealtimeFrame(text), now: .zero, into: &effects)
        }
        return engine
    }
}
