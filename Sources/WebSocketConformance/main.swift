import Foundation

/// The peer that the Autobahn test suite examines; see `Tests/Autobahn/run.sh`.
let usage = """
    usage: WebSocketConformance client URL    run all cases of a fuzzing server
           WebSocketConformance server PORT   echo messages on 127.0.0.1 until killed
    """

switch Array(CommandLine.arguments.dropFirst()) {
case let arguments where arguments.count == 2 && arguments[0] == "client":
    guard let url = URL(string: arguments[1]) else { fallthrough }
    try await EchoClient(server: url).run()
case let arguments where arguments.count == 2 && arguments[0] == "server":
    guard let port = UInt16(arguments[1]) else { fallthrough }
    try EchoServer(port: port).run()
default:
    FileHandle.standardError.write(Data("\(usage)\n".utf8))
    exit(2)
}
