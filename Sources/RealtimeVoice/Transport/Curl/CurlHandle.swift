#if os(Linux)

    import CCurl
    import Foundation
    import Glibc

    /// What libcurl reported.
    struct CurlError: Error, Hashable, CustomStringConvertible {
        var code: UInt32

        var description: String {
            let text = unsafe String(cString: curl_easy_strerror(CURLcode(code)))
            return "libcurl \(code): \(text)"
        }
    }

    /// One connection of libcurl: it connects, and carries bytes afterwards.
    ///
    /// Unchecked: libcurl wants a handle to be used by one thread at a time. Until `connect` returns
    /// that is the thread that called it; afterwards the owner holds its lock around every call.
    /// Only `wake` may be called meanwhile, which libcurl allows. The pointers never change.
    @safe
    final class CurlHandle: @unchecked Sendable {
        private let easy: UnsafeMutableRawPointer
        private let multi: UnsafeMutableRawPointer
        let isSecure: Bool

        private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

        init(_ request: RealtimeConnectRequest) throws(RealtimeError) {
            let address = try WebSocketAddress(request.url)
            guard Self.isInitialized, let easy = unsafe curl_easy_init() else {
                throw RealtimeError(.connectFailed, "libcurl could not be started.")
            }
            guard let multi = unsafe curl_multi_init() else {
                unsafe curl_easy_cleanup(easy)
                throw RealtimeError(.connectFailed, "libcurl could not be started.")
            }
            unsafe self.easy = easy
            unsafe self.multi = multi
            isSecure = address.isSecure
            configure(address, request)
            _ = unsafe curl_multi_add_handle(multi, easy)
        }

        deinit {
            // This closes the connection, with TLS's close_notify.
            withoutSIGPIPE {
                unsafe curl_multi_remove_handle(multi, easy)
                unsafe curl_easy_cleanup(easy)
                unsafe curl_multi_cleanup(multi)
            }
        }

        private func configure(_ address: WebSocketAddress, _ request: RealtimeConnectRequest) {
            let scheme = address.isSecure ? "https" : "http"
            set(CURLOPT_URL, "\(scheme)://\(address.host):\(address.port)/")
            set(CURLOPT_CONNECT_ONLY, 1)
            set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            set(CURLOPT_NOSIGNAL, 1)
            set(CURLOPT_HTTPPROXYTUNNEL, 1)
            set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.timeout))
            if let file = request.certificateAuthorityFile {
                set(CURLOPT_CAINFO, file)
                // The folder of the system's authorities would be trusted beside the file.
                set(CURLOPT_CAPATH, nil)
            }
            if let proxy = request.proxy {
                set(CURLOPT_PROXY, proxy)
            }
            unsafe realtime_curl_set_quick_exit(easy)
        }

        private static func milliseconds(_ timeout: Duration) -> Int {
            Int(min(max(timeout / .milliseconds(1), 1), Double(Int32.max)))
        }

        private func set(_ option: CURLoption, _ value: Int) {
            let result = unsafe realtime_curl_set_long(easy, option, value)
            assert(result == CURLE_OK)
        }

        private func set(_ option: CURLoption, _ value: String?) {
            // Fails only without memory; libcurl copies the text.
            _ = unsafe realtime_curl_set_string(easy, option, value)
        }

        /// Connects and returns the socket; blocks until then, or until the deadline.
        ///
        /// Returns nil once the closure, which is asked after every `wake`, says so.
        func connect(isCancelled: () -> Bool) throws(RealtimeError) -> Int32? {
            while !isCancelled() {
                var running: Int32 = 0
                let result = unsafe curl_multi_perform(multi, &running)
                guard result == CURLM_OK else {
                    throw RealtimeError(.connectFailed, "libcurl failed.")
                }
                if let code = finishedCode() {
                    guard code == CURLE_OK else { throw failure(code) }
                    return try socket()
                }
                // `wake` ends the wait, so its length matters little.
                _ = unsafe curl_multi_poll(multi, nil, 0, 1_000, nil)
            }
            return nil
        }

        private func finishedCode() -> CURLcode? {
            var left: Int32 = 0
            guard let message = unsafe curl_multi_info_read(multi, &left),
                unsafe message.pointee.msg == CURLMSG_DONE
            else { return nil }
            return unsafe message.pointee.data.result
        }

        private func socket() throws(RealtimeError) -> Int32 {
            var socket: curl_socket_t = -1
            let result = unsafe realtime_curl_get_socket(easy, &socket)
            guard result == CURLE_OK, socket >= 0 else {
                throw RealtimeError(.connectFailed, "The connection was lost.", isRetryable: true)
            }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            return socket
        }

        private func failure(_ code: CURLcode) -> RealtimeError {
            let cause = CurlError(code: code.rawValue)
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
                return RealtimeError(
                    .connectFailed,
                    "The host's name could not be resolved.",
                    cause: cause,
                    isRetryable: true
                )
            case CURLE_OPERATION_TIMEDOUT:
                return RealtimeError(
                    .timeout,
                    "The connection was not made in time.",
                    cause: cause,
                    isRetryable: true
                )
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
                CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED, CURLE_USE_SSL_FAILED:
                return RealtimeError(
                    .tlsFailed,
                    code == CURLE_SSL_CACERT_BADFILE
                        ? "The file of certificate authorities can't be read."
                        : "The TLS connection failed or the certificate is not trusted.",
                    cause: cause
                )
            default:
                return connectFailure(cause)
            }
        }

        private func connectFailure(_ cause: CurlError) -> RealtimeError {
            var status = 0
            _ = unsafe realtime_curl_get_connect_status(easy, &status)
            guard status == 0 || (200...299).contains(status) else {
                return RealtimeError(
                    .connectFailed,
                    "The proxy refused the connection.",
                    cause: cause,
                    isRetryable: status >= 500,
                    httpStatus: status
                )
            }
            return RealtimeError(
                .connectFailed,
                "The host could not be reached.",
                cause: cause,
                isRetryable: true
            )
        }

        /// Makes a `connect` on another thread ask whether it is cancelled.
        func wake() {
            _ = unsafe curl_multi_wakeup(multi)
        }

        /// Offers bytes to the connection without waiting.
        func send(_ bytes: UnsafeRawBufferPointer) -> WebSocketSendQueue.WriteResult {
            var count = 0
            // libcurl's own plain sockets write with MSG_NOSIGNAL; TLS libraries may not.
            let result =
                isSecure
                ? withoutSIGPIPE {
                    unsafe curl_easy_send(easy, bytes.baseAddress, bytes.count, &count)
                }
                : unsafe curl_easy_send(easy, bytes.baseAddress, bytes.count, &count)
            switch result {
            case CURLE_OK: return count > 0 ? .wrote(count) : .wouldBlock
            case CURLE_AGAIN: return .wouldBlock
            default: return .failed
            }
        }

        /// What a read brought.
        enum ReadResult: Hashable {
            case read(Int)
            case wouldBlock
            case endOfFile
        }

        /// Reads what there is without waiting.
        func receive(_ bytes: UnsafeMutableRawBufferPointer) -> ReadResult {
            var count = 0
            let result = unsafe curl_easy_recv(easy, bytes.baseAddress, bytes.count, &count)
            switch result {
            case CURLE_OK: return count > 0 ? .read(count) : .endOfFile
            case CURLE_AGAIN: return .wouldBlock
            // A reset is as much the end as an orderly one without a close frame.
            default: return .endOfFile
            }
        }
    }

    /// Runs a body whose writes can't end the process with SIGPIPE.
    ///
    /// The signal goes to the thread that writes, so it is enough to block it there, and to take
    /// one that became pending before the thread's mask is restored. No handler is touched.
    package func withoutSIGPIPE<Result>(_ body: () -> Result) -> Result {
        var blocked = sigset_t()
        var previous = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe sigaddset(&blocked, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        let result = body()
        guard unsafe sigismember(&previous, SIGPIPE) == 0 else { return result }
        var pending = sigset_t()
        unsafe sigpending(&pending)
        if unsafe sigismember(&pending, SIGPIPE) == 1 {
            var now = timespec()
            unsafe sigtimedwait(&blocked, nil, &now)
        }
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
        return result
    }

    /// Keeps signals, SIGPIPE among them, from a thread of the transport's own.
    func blockAllSignals() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }

#endif
