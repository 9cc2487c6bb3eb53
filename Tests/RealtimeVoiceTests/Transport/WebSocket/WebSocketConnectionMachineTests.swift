import RealtimeVoice
import Testing

/// A machine with a buffer for its control bytes, driven with arrays.
private struct Driver: ~Copyable {
    var machine: WebSocketConnectionMachine
    var control: [UInt8] = []

    init(_ role: WebSocketRole = .server) {
        machine = WebSocketConnectionMachine(role: role, maximumMessageBytes: 1_000)
    }

    /// Feeds bytes and returns the actions up to `readMore` or the end.
    mutating func receive(_ bytes: [UInt8]) -> [WebSocketConnectionMachine.ReceiveAction] {
        var actions: [WebSocketConnectionMachine.ReceiveAction] = []
        unsafe bytes.withUnsafeBytes { buffer in
            var rest = unsafe buffer
            while true {
                let action = unsafe machine.receive(&rest, maskKey: 1, control: &control)
                actions.append(action)
                if case .finish = action { return }
                if action == .readMore { return }
            }
        }
        return actions
    }
}

private func frame(
    _ opcode: WebSocketOpcode,
    _ payload: [UInt8] = [],
    maskKey: UInt32? = 9
) -> [UInt8] {
    var bytes: [UInt8] = []
    WebSocketEncoder.append(opcode, payload: payload, maskKey: maskKey, to: &bytes)
    return bytes
}

private func close(_ code: Int, _ reason: String = "", maskKey: UInt32? = 9) -> [UInt8] {
    frame(.close, WebSocketCloseCode.payload(code: code, reason: reason), maskKey: maskKey)
}

struct WebSocketConnectionMachineTests {
    @Test func openDeliversMessagesAndAnswersPings() {
        var driver = Driver()
        let bytes = frame(.ping, [1]) + frame(.text, [0x41]) + frame(.pong)
        #expect(
            driver.receive(bytes)
                == [.writeControl, .deliver(RealtimeFrame("A")), .reportPong, .readMore]
        )
        #expect(driver.control == frame(.pong, [1], maskKey: nil))
    }

    @Test func clientMasksWhatItSends() {
        var driver = Driver(.client)
        #expect(driver.receive(frame(.ping, [1], maskKey: nil)) == [.writeControl, .readMore])
        #expect(driver.control == frame(.pong, [1], maskKey: 1))
        var output: [UInt8] = []
        #expect(driver.machine.send(RealtimeFrame("A"), maskKey: 7, to: &output))
        #expect(driver.machine.sendPing([2], maskKey: 8, to: &output))
        #expect(output == frame(.text, [0x41], maskKey: 7) + frame(.ping, [2], maskKey: 8))
    }

    @Test func unansweredPongsAreBounded() {
        var driver = Driver()
        let pings = (0..<1_000).flatMap { _ in frame(.ping, [UInt8](repeating: 0, count: 125)) }
        #expect(driver.receive(pings).last == .readMore)
        #expect(driver.control.count < 17 << 10)
    }

    @Test func openEchoesTheCloseOfThePeer() {
        var driver = Driver()
        let end = RealtimeClose(code: 4001, reason: "x", isClean: true)
        #expect(driver.receive(close(4001, "x") + frame(.ping)) == [.finish(end)])
        #expect(driver.control == close(4001, maskKey: nil))
        #expect(driver.receive(frame(.ping)) == [.readMore])
        #expect(driver.machine.receiveEndOfFile() == nil)
        #expect(driver.machine.closeTimedOut() == nil)
        var output: [UInt8] = []
        let isSent = driver.machine.send(RealtimeFrame("A"), maskKey: 7, to: &output)
        let isPing = driver.machine.sendPing(maskKey: 7, to: &output)
        let isClose = driver.machine.requestClose(code: 1000, reason: "", maskKey: 7, to: &output)
        #expect([isSent, isPing, isClose] == [false, false, false])
        #expect(output == [])
    }

    @Test func emptyCloseIsEchoedEmpty() {
        var driver = Driver()
        #expect(
            driver.receive(frame(.close)) == [.finish(RealtimeClose(code: 1005, isClean: true))]
        )
        #expect(driver.control == frame(.close, maskKey: nil))
    }

    @Test func closingDeliversUntilThePeerAnswers() {
        var driver = Driver()
        var output: [UInt8] = []
        #expect(driver.machine.requestClose(code: 1000, reason: "r", maskKey: 1, to: &output))
        #expect(output == close(1000, "r", maskKey: nil))
        let isOpen = driver.machine.isOpen
        #expect(!isOpen)
        #expect(!driver.machine.requestClose(code: 1001, reason: "", maskKey: 1, to: &output))
        #expect(!driver.machine.send(RealtimeFrame("A"), maskKey: 7, to: &output))
        #expect(!driver.machine.sendPing(maskKey: 7, to: &output))
        let bytes = frame(.ping) + frame(.text, [0x41]) + close(1000)
        let end = RealtimeClose(code: 1000, reason: "r", isClean: true)
        #expect(driver.receive(bytes) == [.deliver(RealtimeFrame("A")), .finish(end)])
        #expect(driver.control == [])
    }

    @Test func closingEndsUncleanWithoutAnAnswer() {
        var output: [UInt8] = []
        let end = RealtimeClose(code: 4000, reason: "r", isClean: false)
        var silent = Driver()
        #expect(silent.machine.closeTimedOut() == nil)
        #expect(silent.machine.requestClose(code: 4000, reason: "r", maskKey: 1, to: &output))
        #expect(silent.machine.closeTimedOut() == end)
        #expect(silent.machine.receiveEndOfFile() == nil)
        var ended = Driver()
        #expect(ended.machine.requestClose(code: 4000, reason: "r", maskKey: 1, to: &output))
        #expect(ended.machine.receiveEndOfFile() == end)
    }

    @Test func violationsEndWithTheirCode() {
        var driver = Driver()
        let end = RealtimeClose(code: 1007, reason: "invalid UTF-8", isClean: false)
        #expect(driver.receive(frame(.text, [0xFF]) + frame(.ping)) == [.finish(end)])
        #expect(driver.control == close(1007, "invalid UTF-8", maskKey: nil))

        var closing = Driver()
        var output: [UInt8] = []
        #expect(closing.machine.requestClose(code: 1000, reason: "", maskKey: 1, to: &output))
        #expect(closing.receive(frame(.text, [0xFF])) == [.finish(end)])
        #expect(closing.control == [])
    }

    @Test func endOfFileWithoutCloseIs1006() {
        var driver = Driver()
        #expect(driver.machine.receiveEndOfFile() == RealtimeClose(code: 1006, isClean: false))
    }
}
