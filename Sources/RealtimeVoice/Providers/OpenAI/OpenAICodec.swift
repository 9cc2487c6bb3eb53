/// Speaks OpenAI's wire, or one that shares its vocabulary, for one connection.
struct OpenAICodec: RealtimeCodec {
    /// Makes the native session of a configuration; the flag says whether it is the
    /// connection's first, for which a wire may need more than for a later change.
    typealias Session =
        @Sendable (
            _ config: RealtimeSessionConfig, _ isFirst: Bool
        ) throws(RealtimeError) -> JSONValue

    let configurationMoment: RealtimeConfigurationMoment
    private var decoder: OpenAIDecoder
    private let session: Session
    private var isConfigured = false
    /// Items whose deletion is not confirmed; xAI confirms without saying which.
    private var deletions: [String] = []

    init(
        dialect: OpenAIDialect,
        configurationMoment: RealtimeConfigurationMoment = .onSessionCreated,
        session: @escaping Session
    ) {
        decoder = OpenAIDecoder(dialect: dialect)
        self.configurationMoment = configurationMoment
        self.session = session
    }

    mutating func decode(
        _ frame: RealtimeFrame
    ) throws(RealtimeError) -> [RealtimeServerEvent] {
        let events = try decoder.decode(frame)
        guard !deletions.isEmpty, case .itemDeleted(let itemID, let raw)? = events.first else {
            return events
        }
        guard itemID.isEmpty else {
            deletions.removeAll { $0 == itemID }
            return events
        }
        return [.itemDeleted(itemID: deletions.removeFirst(), raw: raw)]
    }

    mutating func encode(
        _ event: RealtimeClientEvent
    ) throws(RealtimeError) -> [RealtimeFrame] {
        switch event {
        case .sessionUpdate(let config):
            let session = try session(config, !isConfigured)
            isConfigured = true
            return [OpenAIEncoder.sessionUpdate(session)]
        case .conversationItemDelete(let itemID):
            let frames = try OpenAIEncoder.encode(event, dialect: decoder.dialect)
            deletions.append(itemID)
            if deletions.count > 64 { deletions.removeFirst() }
            return frames
        default: return try OpenAIEncoder.encode(event, dialect: decoder.dialect)
        }
    }
}
