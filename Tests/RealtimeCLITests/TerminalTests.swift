import Testing

@testable import realtime

struct TerminalTests {
    @Test(arguments: [
        ("Hello, Ünïcode 🎙\n", "Hello, Ünïcode 🎙\n"), ("\u{1B}[2Jgone", "\u{FFFD}[2Jgone"),
        ("a\rb\u{07}", "a\u{FFFD}b\u{FFFD}"), ("x\u{202E}y\u{9B}z", "x\u{FFFD}y\u{FFFD}z"),
    ])
    func whatOthersSayIsPrintedNotObeyed(text: String, shown: String) {
        #expect(text.withoutControls == shown)
    }
}
