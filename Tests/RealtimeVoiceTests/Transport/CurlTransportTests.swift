#if os(Linux)

    import Foundation
    import Glibc
    import RealtimeVoice
    import Testing

    /// What only the transport over libcurl promises.
    @Suite(
        .timeLimit(.minutes(2)),
        .enabled(if: PeerServers.canRun, "python3 and openssl are needed for the peers")
    )
    struct CurlTransportTests {
        private static func openDescriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }

        @Test(arguments: [("raw", "ws", 300), ("good", "wss", 100)])
        func descriptorsStayFlat(name: String, scheme: String, cycles: Int) async throws {
            let servers = try await PeerServers.shared
            var request = RealtimeConnectRequest(
                url: try servers.url("/early", on: name, scheme: scheme)
            )
            request.certificateAuthorityFile = servers.authority
            let transport = CurlTransport()
            let before = try Self.openDescriptors()
            for _ in 0..<cycles {
                #expect(await Link.open(request, transport).rest().count == 4)
            }
            // Each connection has three descriptors; other tests open and close theirs meanwhile.
            while try Self.openDescriptors() > before + cycles / 2 {
                await Task.yield()
            }
        }

        @Test(arguments: [("raw", "ws"), ("good", "wss")])
        func writesToAResetConnectionRaiseNoSignal(name: String, scheme: String) async throws {
            // The test runner leaves the signal at its default, which would end the process.
            let servers = try await PeerServers.shared
            var request = RealtimeConnectRequest(
                url: try servers.url("/rst", on: name, scheme: scheme)
            )
            request.certificateAuthorityFile = servers.authority
            let link = Link.open(request)
            #expect(await link.next() == .opened(subprotocol: nil))
            let frame = RealtimeFrame(kind: .binary, bytes: [UInt8](repeating: 1, count: 100_000))
            let error = #expect(throws: RealtimeError.self) {
                while true { try link.channel.send(frame) }
            }
            #expect(error?.code == .notConnected || error?.code == .queueFull)
            #expect(await link.rest().last == .closed(1006, isClean: false))
        }

        @Test func theSignalOfABodyIsTakenBack() {
            var ends: [Int32] = [0, 0]
            #expect(unsafe pipe(&ends) == 0)
            close(ends[0])
            defer { close(ends[1]) }
            var byte: UInt8 = 0
            for _ in 0..<3 {
                let result = withoutSIGPIPE { unsafe write(ends[1], &byte, 1) }
                #expect(result == -1)
                #expect(errno == EPIPE)
            }
        }

        @Test(arguments: ["/mute", "/slow?bytes=1"])
        func aPeerThatIgnoresOurCloseIsLeft(path: String) async throws {
            let servers = try await PeerServers.shared
            let transport = CurlTransport(closeTimeout: .milliseconds(100))
            let link = Link.open(RealtimeConnectRequest(url: try servers.url(path)), transport)
            #expect(await link.next() == .opened(subprotocol: nil))
            link.channel.close(code: 4001, reason: "bye")
            #expect(await link.rest() == [.closed(4001, "bye", isClean: false)])
        }

        @Test func connectionsOutliveTheirTransport() async throws {
            let servers = try await PeerServers.shared
            let url = try servers.url("/early")
            let link = Link.open(RealtimeConnectRequest(url: url), CurlTransport())
            #expect(await link.rest().count == 4)
        }
    }

#endif
