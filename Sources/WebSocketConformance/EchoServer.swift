#if os(Linux)

    import Foundation
    import Glibc
    import RealtimeVoice

    /// An echo server with a thread for each connection, to examine the codec in its server's role.
    struct EchoServer {
        var port: UInt16

        private struct Failed: Error, CustomStringConvertible {
            var description: String
        }

        func run() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var yes: Int32 = 1
            unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe bind(listener, address, size) == 0
                }
            }
            guard isBound, listen(listener, 16) == 0 else {
                throw Failed(description: "port \(port) is taken")
            }
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { continue }
                Thread.detachNewThread {
                    var connection = EchoConnection(socket: client)
                    connection.run()
                }
            }
        }
    }

    /// One connection of the echo server.
    private struct EchoConnection: ~Copyable {
        let socket: Int32
        private var machine = WebSocketConnectionMachine(
            role: .server,
            maximumMessageBytes: 64 << 20
        )
        private var buffer = [UInt8](repeating: 0, count: 64 << 10)
        private var output: [UInt8] = []

        init(socket: Int32) {
            self.socket = socket
        }

        deinit {
            close(socket)
        }

        mutating func run() {
            var reader = WebSocketHTTPHeadReader()
            var isUpgraded = false
            while let count = read() {
                let bytes = Array(buffer[..<count])
                let goesOn = unsafe bytes.withUnsafeBytes { bytes in
                    var input = unsafe bytes
                    if !isUpgraded {
                        guard let head = try? unsafe reader.next(&input, start: "GET ") else {
                            return true
                        }
                        guard upgrade(head) else { return false }
                        isUpgraded = true
                    }
                    return unsafe echo(&input)
                }
                guard write(), goesOn else { break }
            }
            // A close with unread input would reset the connection and lose our close frame.
            shutdown(socket, Int32(SHUT_WR))
            var patience = timeval(tv_sec: 1, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
            while read() != nil {}
        }

        private mutating func upgrade(_ head: WebSocketHTTPHead) -> Bool {
            guard
                let handshake = try? WebSocketServerHandshake(method: "GET", headers: head.headers)
            else { return false }
            output += handshake.responseBytes(subprotocol: handshake.offeredSubprotocols.first)
            return true
        }

        /// Echoes messages; returns false once the connection is over.
        private mutating func echo(_ input: inout UnsafeRawBufferPointer) -> Bool {
            while true {
                var control: [UInt8] = []
                let action = unsafe machine.receive(&input, maskKey: 0, control: &control)
                output += control
                switch action {
                case .readMore: return true
                case .deliver(let frame): _ = machine.send(frame, maskKey: 0, to: &output)
                case .reportPong, .writeControl: break
                case .finish: return false
                }
            }
        }

        private mutating func read() -> Int? {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(socket, bytes.baseAddress, bytes.count, 0)
            }
            return count > 0 ? count : nil
        }

        private mutating func write() -> Bool {
            var sent = 0
            while sent < output.count {
                let count = unsafe output[sent...].withUnsafeBytes { bytes in
                    unsafe Glibc.send(
                        socket,
                        bytes.baseAddress,
                        bytes.count,
                        Int32(MSG_NOSIGNAL)
                    )
                }
                guard count > 0 else { return false }
                sent += count
            }
            output.removeAll(keepingCapacity: true)
            return true
        }
    }

#else

    import Foundation

    /// The echo server is written for Linux only.
    struct EchoServer {
        var port: UInt16

        func run() throws {
            throw CocoaError(.featureUnsupported)
        }
    }

#endif
