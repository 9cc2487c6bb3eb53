/// Speaks the Gemini Live wire for one connection.
///
/// Gemini names neither responses nor items, so the codec does, in order: `resp_0`, `item_0`,
/// `input_0`, `call_<id>`; a new codec starts again at 0.
package struct GoogleCodec: RealtimeCodec {
    let model: GoogleRealtimeModel
    var conversation: GoogleConversation
    var sender = GoogleSender()

    init(model: GoogleRealtimeModel) {
        self.model = model
        let family = GoogleModelFamily(modelID: model.modelID)
        conversation = GoogleConversation(
            isContinuous: family == .translate, transcribesUtterances: family == .transcribe)
    }

    package var configurationMoment: RealtimeConfigurationMoment { .onOpen }

    package mutating func decode(
        _ frame: RealtimeFrame
    ) throws(RealtimeError) -> [RealtimeServerEvent] {
        guard let message = GoogleFrame.parse(frame.bytes) else {
            throw RealtimeError(.decodingFailed, "a Gemini message that is not a JSON object")
        }
        var events = GoogleEvents(frame)
        // Each key for itself: a message may hold several.
        if let value = message.setupComplete {
            events.add(
                .sessionCreated(sessionID: value["sessionId"]?.stringValue, raw: events.raw))
            events.add(.sessionUpdated(raw: events.raw))
        }
        receiveErrors(message, into: &events)
        receiveVoiceActivity(message, into: &events)
        var usage = message.usage.map(GoogleReport.usage)
        if let toolCall = message.toolCall {
            conversation.receiveCalls(toolCall, into: &events)
        }
        if let content = message.content {
            conversation.receive(content, usage: &usage, into: &events)
        }
        if let value = message.toolCallCancellation {
            conversation.receiveCancellation(value, into: &events)
        }
        if let usage { conversation.report(usage, into: &events) }
        if let value = message.goAway {
            events.add(
                .goingAway(timeLeft: GoogleReport.duration(value["timeLeft"]), raw: events.raw))
        }
        for name in message.others { events.addCustom(name) }
        return events.list
    }

    private func receiveErrors(_ message: GoogleFrame, into events: inout GoogleEvents) {
        if let error = message.error {
            let reported = GoogleReport.error(
                code: error["code"], message: error["message"] ?? error, status: error["status"])
            events.add(.error(reported, raw: events.raw))
        } else if message.code != nil {
            let reported = GoogleReport.error(
                code: message.code, message: message.message, status: message.status)
            events.add(.error(reported, raw: events.raw))
        } else {
            if message.message != nil { events.addCustom("message") }
            if message.status != nil { events.addCustom("status") }
        }
    }

    private mutating func receiveVoiceActivity(
        _ message: GoogleFrame, into events: inout GoogleEvents
    ) {
        if let value = message.voiceActivity {
            let offset = GoogleReport.milliseconds(value["audioOffset"])
            let type = value["type"] ?? value["voiceActivityType"]
            tell(
                type?.stringValue, start: "ACTIVITY_START", end: "ACTIVITY_END", offset: offset,
                rawType: "voiceActivity", into: &events)
        }
        if let value = message.voiceSignal {
            tell(
                value["vadSignalType"]?.stringValue, start: "VAD_SIGNAL_TYPE_SOS",
                end: "VAD_SIGNAL_TYPE_EOS", offset: nil,
                rawType: "voiceActivityDetectionSignal", into: &events)
        }
    }

    private mutating func tell(
        _ type: String?, start: String, end: String, offset: Int?, rawType: String,
        into events: inout GoogleEvents
    ) {
        switch type {
        case start:
            conversation.sealInput()
            events.add(
                .speechStarted(itemID: nil, audioStartMilliseconds: offset, raw: events.raw))
        case end:
            events.add(.speechStopped(itemID: nil, audioEndMilliseconds: offset, raw: events.raw))
        default: events.addCustom(rawType)
        }
    }
}
