import RealtimeVoice
import Testing

/// A null says the same as nothing.
struct GoogleNullTests {
    @Test(
        arguments: [
            "setupComplete", "toolCall", "toolCallCancellation", "usageMetadata", "goAway",
            "voiceActivity", "voiceActivityDetectionSignal", "error", "code", "message", "status",
            "serverContent", "somethingNew",
        ])
    func aNullFieldBringsNothing(_ name: String) throws {
        var codec = GoogleRealtimeModel("gemini-3.8-live").makeCodec()
        #expect(try codec.decode(RealtimeFrame("{\"\(name)\":null}")) == [])
    }

    @Test(
        arguments: [
            "inputTranscription", "interimInputTranscription", "outputTranscription",
            "modelTurn", "interrupted", "turnComplete", "generationComplete", "newOne",
        ])
    func aNullInTheContentBringsNothing(_ name: String) throws {
        var codec = GoogleRealtimeModel("gemini-3.8-live").makeCodec()
        #expect(
            try codec.decode(RealtimeFrame("{\"serverContent\":{\"\(name)\":null}}")) == [])
    }
}
