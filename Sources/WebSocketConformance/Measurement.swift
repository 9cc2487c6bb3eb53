#if os(Linux)

    import Foundation
    import Glibc
    import RealtimeVoice
    import Synchronization

    /// Figures of the client against an echo server: throughput with processor time, and many
    /// connections one after another with descriptors and memory.
    struct Measurement {
        var server: URL

        private struct Failed: Error {}

        private func open() -> (any RealtimeTransportChannel, AsyncStream<RealtimeTransportEvent>) {
            var request = RealtimeConnectRequest(url: server)
            request.certificateAuthorityFile = ProcessInfo.processInfo.environment["CA_FILE"]
            let (events, continuation) = AsyncStream.makeStream(of: RealtimeTransportEvent.self)
            let channel = DefaultTransport.make().open(request) { event in
                continuation.yield(event)
                switch event {
                case .closed, .failed: continuation.finish()
                case .opened, .received, .pong, .drained: break
                }
            }
            return (channel, events)
        }

        private static func processorSeconds() -> Double {
            var usage = rusage()
            unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
            let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
            return Double(seconds) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        }

        /// Times messages of 6,400 bytes to a server that reads, or from one that sends.
        func throughput(count: Int, isSending: Bool) async throws {
            let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
            let received = Atomic(0)
            var request = RealtimeConnectRequest(url: server)
            request.certificateAuthorityFile = ProcessInfo.processInfo.environment["CA_FILE"]
            let channel = DefaultTransport.make().open(request) { event in
                guard case .received = event else {
                    arrive.yield()
                    return
                }
                let now = received.add(1, ordering: .relaxed).newValue
                if now == 1 || now == count { arrive.yield() }
            }
            var steps = arrived.makeAsyncIterator()
            _ = await steps.next()
            let frame = RealtimeFrame(String(repeating: "0123456789abcdef", count: 400))
            if !isSending { _ = await steps.next() }
            let started = ContinuousClock.now
            let processor = Self.processorSeconds()
            for _ in 0..<(isSending ? count : 0) {
                if channel.queuedBytes > 16 << 20 { _ = await steps.next() }
                try channel.send(frame)
            }
            if isSending {
                while channel.queuedBytes > 0 { _ = await steps.next() }
            } else {
                _ = await steps.next()
            }
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            let used = Self.processorSeconds() - processor
            print(
                "\(count) messages of 6,400 bytes \(isSending ? "sent" : "received"):",
                "\(Int(Double(count) / seconds)) a second,",
                "\(Double(Int(used / Double(count) * 1e8)) / 100) us of processor time each"
            )
            channel.cancel()
        }

        /// Opens and closes connections, eight at a time.
        func cycles(count: Int) async throws {
            for tenth in 0...10 {
                if tenth > 0 {
                    await withTaskGroup { group in
                        for _ in 0..<8 {
                            group.addTask {
                                for _ in 0..<count / 80 {
                                    let (channel, events) = open()
                                    for await event in events {
                                        if case .opened = event {
                                            channel.close(code: 1000, reason: "")
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                try Self.printUse(count / 10 * tenth)
            }
        }

        /// Keeps connections open and quiet for a second.
        func idle(count: Int) async throws {
            try Self.printUse(0)
            var channels: [any RealtimeTransportChannel] = []
            for _ in 0..<count {
                let (channel, events) = open()
                for await event in events {
                    guard case .opened = event else { throw Failed() }
                    break
                }
                channels.append(channel)
            }
            try Self.printUse(count)
            let processor = Self.processorSeconds()
            try await Task.sleep(for: .seconds(1))
            print("processor time in a quiet second: \(Self.processorSeconds() - processor) s")
            for channel in channels { channel.cancel() }
        }

        private static func printUse(_ count: Int) throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
            print("\(count) connections: \(files) descriptors, \(memory)")
        }
    }

#else

    import Foundation

    /// The figures are taken on Linux only.
    struct Measurement {
        var server: URL

        func throughput(count: Int, isSending: Bool) async throws {
            throw CocoaError(.featureUnsupported)
        }
        func cycles(count: Int) async throws { throw CocoaError(.featureUnsupported) }
        func idle(count: Int) async throws { throw CocoaError(.featureUnsupported) }
    }

#endif
