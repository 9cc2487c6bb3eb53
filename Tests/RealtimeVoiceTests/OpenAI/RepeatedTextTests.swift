import RealtimeVoice
import Testing

/// Ids that are remembered from one message to the next must never stick.
struct RepeatedTextTests {
    @Test func anIDIsReadAnewWhereItsBytesDiffer() throws {
        var codec = OpenAIRealtimeModel("m").makeCodec()
        // The JSON of an id beside what it means; some look like another one's meaning.
        let ids = [
            ("item_1", "item_1"), ("item_1", "item_1"), ("item_2", "item_2"),
            (#"item\u005f2"#, "item_2"), ("item_2", "item_2"), (#"a\\n"#, #"a\n"#),
            (#"a\n"#, "a\n"), (#"a\\n"#, #"a\n"#), ("", ""), ("é", "é"), (#"\u00e9"#, "é"),
        ]
        for (json, id) in ids {
            let frame = RealtimeFrame(
                #"{"type":"response.text.delta","item_id":"\#(json)","response_id":"\#(json)"}"#)
            #expect(
                try codec.decode(frame) == [
                    .textDelta(
                        RealtimeContentID(responseID: id, itemID: id), delta: "",
                        raw: RealtimeRawPayload(frame.bytes))
                ])
        }
        let without = RealtimeFrame(#"{"type":"response.text.delta","item_id":null}"#)
        #expect(
            try codec.decode(without) == [
                .textDelta(
                    RealtimeContentID(itemID: ""), delta: "",
                    raw: RealtimeRawPayload(without.bytes))
            ])
    }
}
