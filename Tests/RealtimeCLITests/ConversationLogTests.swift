import RealtimeVoice
import Testing

@testable import realtime

/// What is printed, and when.
struct ConversationLogTests {
    private func user(_ text: String, _ state: UITextPart.State = .done) -> UIMessage {
        UIMessage(id: "u", role: .user, parts: [.text(UITextPart(text: text, state: state))])
    }

    private func assistant(_ text: String, unheard: String? = nil) -> UIMessage {
        UIMessage(
            id: "a", role: .assistant,
            parts: [.text(UITextPart(text: text, unheardText: unheard))])
    }

    @Test func aLineIsPrintedOnceWhenItIsFinal() {
        var log = ConversationLog()
        #expect(log.finalLines([user("Hel", .streaming)]) == [])
        #expect(
            log.liveLine([user("Hel", .streaming)]) == .init(speaker: "user", text: "Hel"))
        #expect(log.finalLines([user("Hello.")]) == [.init(speaker: "user", text: "Hello.")])
        #expect(log.finalLines([user("Hello.")]) == [])
        #expect(log.liveLine([user("Hello.")]) == nil)
    }

    @Test func anAnswerIsFinalWhenItWasHeard() {
        var log = ConversationLog()
        let messages = [user("Hello."), assistant("Hi!")]
        #expect(log.finalLines(messages).map(\.speaker) == ["user"])
        log.settle(messages)
        #expect(log.finalLines(messages) == [.init(speaker: "assistant", text: "Hi!")])
    }

    @Test func aTranscriptThatComesLateIsPrintedLate() {
        var log = ConversationLog()
        let empty = UIMessage(id: "u", role: .user)
        log.settle([empty, assistant("Hi!")])
        #expect(log.finalLines([empty, assistant("Hi!")]).map(\.text) == ["Hi!"])
        #expect(log.finalLines([user("Hello."), assistant("Hi!")]).map(\.text) == ["Hello."])
    }

    @Test func interruptionsShowWhatWasHeard() {
        #expect(
            ConversationLog.line(assistant("Once upon", unheard: " a time."))
                == .init(
                    speaker: "assistant (interrupted)", text: "Once upon… [unheard: a time.]"))
    }

    @Test func whatWasCutBeforeMoreCameIsMarked() {
        var log = ConversationLog()
        log.cut([assistant("It is sunny")])
        #expect(
            log.finalLines([assistant("It is sunny")])
                == [.init(speaker: "assistant (interrupted)", text: "It is sunny…")])
    }

    @Test func callsAndTheirResultsArePrintedAsTheyCome() {
        var part = UIToolPart(
            toolName: "getWeather", toolCallID: "c", state: .inputAvailable,
            input: ["city": "Paris"])
        var message = UIMessage(id: "a", role: .assistant, parts: [.tool(part)])
        var log = ConversationLog()
        #expect(
            log.finalLines([message])
                == [.init(speaker: "tool call", text: "getWeather({\"city\":\"Paris\"})")])
        part.state = .outputAvailable
        part.output = "Sunny."
        message.parts = [.tool(part)]
        #expect(
            log.finalLines([message]) == [.init(speaker: "tool result", text: "\"Sunny.\"")])
        #expect(log.finalLines([message]) == [])
    }

    @Test func aLongLineShowsItsEnd() {
        let text = String(repeating: "a", count: 30) + String(repeating: "b", count: 60)
        let tail = TalkPresenter.tail(of: text, columns: 60)
        #expect(tail.count == 60)
        #expect(tail.hasSuffix("bbb"))
        #expect(TalkPresenter.tail(of: "short", columns: 60) == "short")
    }

    @Test func secondsAreRounded() {
        let rows = [(0.0, "0.0 s"), (0.04, "0.0 s"), (0.95, "1.0 s"), (12.34, "12.3 s")]
        for (value, text) in rows { #expect(TalkSummary.seconds(value) == text) }
        #expect(TalkSummary.seconds(0.605, digits: 2) == "0.61 s")
        #expect(TalkSummary.seconds(1.04, digits: 2) == "1.04 s")
    }
}
