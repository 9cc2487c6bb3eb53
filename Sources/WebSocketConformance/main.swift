import Foundation

/// The peer that the Autobahn test suite examines; see `Tests/Autobahn/run.sh`.
let usage = """
    usage: WebSocketConformance client URL         run all cases of a fuzzing server
           WebSocketConformance server PORT        echo messages on 127.0.0.1 until killed
           WebSocketConformance send URL N         time N messages to a server that reads
           WebSocketConformance receive URL N      time N messages from a server that sends
           WebSocketConformance cycles URL N       open and close N connections
           WebSocketConformance idle URL N         keep N connections open for a second
    """

func fail() -> Never {
    FileHandle.standardError.write(Data("\(usage)\n".utf8))
    exit(2)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { fail() }

switch arguments[0] {
case "client":
    guard let url = URL(string: arguments[1]) else { fail() }
    try await EchoClient(server: url).run()
case "server":
    guard let port = UInt16(arguments[1]) else { fail() }
    try EchoServer(port: port).run()
case "send", "receive":
    guard let url = URL(string: arguments[1]), let count = arguments.last.flatMap({ Int($0) })
    else { fail() }
    try await Measurement(server: url).throughput(count: count, isSending: arguments[0] == "send")
case "cycles":
    guard let url = URL(string: arguments[1]), let count = arguments.last.flatMap({ Int($0) })
    else { fail() }
    try await Measurement(server: url).cycles(count: count)
case "idle":
    guard let url = URL(string: arguments[1]), let count = arguments.last.flatMap({ Int($0) })
    else { fail() }
    try await Measurement(server: url).idle(count: count)
default:
    fail()
}
