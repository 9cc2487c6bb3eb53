public import Foundation

/// What went wrong, with what a caller needs to decide what to do next.
///
/// No secret ever stands in an error: URLs are kept without their query, and headers are not
/// kept at all.
public struct RealtimeError: Error, Sendable {
    /// A stable machine-readable code; new codes may be added in any release.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's text.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code's text.
        public var description: String { rawValue }

        /// An argument or a configuration that can't be used.
        public static let invalidInput = Code(rawValue: "invalid_input")
        /// No API key was given and none is in the environment.
        public static let missingAPIKey = Code(rawValue: "missing_api_key")
        /// The operation needs an open session and there is none.
        public static let notConnected = Code(rawValue: "not_connected")
        /// The provider has no such operation; see `RealtimeModel.capabilities`.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A bounded queue is full.
        public static let queueFull = Code(rawValue: "queue_full")
        /// The host could not be reached, or its name not be resolved.
        public static let connectFailed = Code(rawValue: "connect_failed")
        /// The server's certificate was not accepted.
        public static let tlsFailed = Code(rawValue: "tls_failed")
        /// The server answered the upgrade, or an HTTP request, with a refusal.
        public static let httpStatus = Code(rawValue: "http_status")
        /// The server's answer to the upgrade breaks RFC 6455.
        public static let handshakeFailed = Code(rawValue: "handshake_failed")
        /// Something did not happen in its time.
        public static let timeout = Code(rawValue: "timeout")
        /// The socket closed, or broke, without our doing.
        public static let connectionClosed = Code(rawValue: "connection_closed")
        /// The peer sent what the protocol forbids.
        public static let protocolViolation = Code(rawValue: "protocol_violation")
        /// The provider reported an error.
        public static let provider = Code(rawValue: "provider_error")
        /// The client secret has expired.
        public static let secretExpired = Code(rawValue: "secret_expired")
        /// A reply could not be understood.
        public static let decodingFailed = Code(rawValue: "decoding_failed")
        /// A tool failed, is unknown, or could not be called.
        public static let toolFailed = Code(rawValue: "tool_failed")
        /// The caller, or `disconnect()`, ended it.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// What kind of failure this is.
    public var code: Code
    /// One sentence for a person.
    public var message: String
    /// The error beneath, for logs.
    public var cause: (any Error)?
    /// Whether the same call may succeed later, unchanged.
    public var isRetryable: Bool
    /// The provider's own error code, such as `insufficient_quota`.
    public var providerCode: String?
    /// The provider's own error type, such as `invalid_request_error`.
    public var providerType: String?
    /// The request field that the provider objects to.
    public var parameter: String?
    /// The client event that the provider's error answers.
    public var eventID: String?
    /// The HTTP status of a refused request or upgrade.
    public var httpStatus: Int?
    /// The beginning of a refused request's body, at most 16 KiB.
    public var httpBody: String?
    /// The WebSocket close code, 1006 where the peer sent none.
    public var closeCode: Int?
    /// The WebSocket close reason.
    public var closeReason: String?

    /// Creates an error.
    public init(
        _ code: Code,
        _ message: String,
        cause: (any Error)? = nil,
        isRetryable: Bool = false,
        providerCode: String? = nil,
        providerType: String? = nil,
        parameter: String? = nil,
        eventID: String? = nil,
        httpStatus: Int? = nil,
        httpBody: String? = nil,
        closeCode: Int? = nil,
        closeReason: String? = nil
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.isRetryable = isRetryable
        self.providerCode = providerCode
        self.providerType = providerType
        self.parameter = parameter
        self.eventID = eventID
        self.httpStatus = httpStatus
        self.httpBody = httpBody
        self.closeCode = closeCode
        self.closeReason = closeReason
    }
}

extension RealtimeError: Equatable {
    /// Compares everything but the cause, which need not be comparable.
    public static func == (left: RealtimeError, right: RealtimeError) -> Bool {
        left.code == right.code && left.message == right.message
            && left.isRetryable == right.isRetryable
            && left.providerCode == right.providerCode
            && left.providerType == right.providerType
            && left.parameter == right.parameter && left.eventID == right.eventID
            && left.httpStatus == right.httpStatus && left.httpBody == right.httpBody
            && left.closeCode == right.closeCode && left.closeReason == right.closeReason
    }
}

extension RealtimeError: LocalizedError, CustomStringConvertible {
    /// The message with its details.
    public var errorDescription: String? { description }

    /// The message with its details.
    public var description: String {
        var details: [String] = []
        if let providerCode { details.append("code \(providerCode)") }
        if let parameter { details.append("parameter \(parameter)") }
        if let httpStatus { details.append("HTTP \(httpStatus)") }
        if let closeCode { details.append("close \(closeCode)") }
        if let closeReason, !closeReason.isEmpty {
            details.append("\u{201C}\(closeReason)\u{201D}")
        }
        return details.isEmpty ? message : "\(message) (\(details.joined(separator: ", ")))"
    }
}
