import Foundation

/// Names the errors of a connection that could not be opened.
enum URLSessionFailure {
    static func make(_ error: (any Error)?, status: Int?) -> RealtimeError {
        if let status, status != 101 {
            return RealtimeError(
                .httpStatus,
                (300...399).contains(status)
                    ? "The server redirects the WebSocket upgrade, which is not followed."
                    : "The server refused the WebSocket upgrade.",
                isRetryable: status == 408 || status == 429 || status >= 500,
                httpStatus: status
            )
        }
        // The error's own description may carry the URL with its query.
        let code = (error as? URLError)?.code
        switch code {
        case .timedOut:
            let message = "The connection was not made in time."
            return RealtimeError(.timeout, message, isRetryable: true)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            let message = "The TLS connection failed or the certificate is not trusted."
            return RealtimeError(.tlsFailed, message)
        case .badServerResponse:
            let message = "The server's answer to the upgrade is not valid."
            return RealtimeError(.handshakeFailed, message)
        default:
            let message = "The host could not be reached."
            return RealtimeError(.connectFailed, message, isRetryable: true)
        }
    }
}
