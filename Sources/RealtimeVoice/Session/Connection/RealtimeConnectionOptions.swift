/// How a connection is made and kept, beside what the model is told.
public struct RealtimeConnectionOptions: Sendable {
    /// Opens the socket.
    public var transport: any RealtimeTransport
    /// Tells the time.
    public var clock: any RealtimeClock
    /// How long name lookup, TCP, TLS and the upgrade may take together.
    public var openTimeout: Duration
    /// How long the provider may take to announce the session, and to confirm the configuration.
    public var setupTimeout: Duration
    /// How long a tool may take before the model is told that it didn't answer; nil for ever.
    public var toolTimeout: Duration?
    /// Whether an interruption by the user cancels the tools that run.
    public var cancelsToolsOnInterruption: Bool
    /// How much of the user's audio waits for the session to be ready; the oldest falls out.
    public var maximumWaitingAudio: Duration
    /// How much of the model's speech waits to be taken; the oldest falls out.
    public var maximumQueuedSpeech: Duration
    /// A PEM file of certificate authorities to trust instead of the system's.
    public var certificateAuthorityFile: String?
    /// An HTTP CONNECT proxy; nil follows the environment.
    public var proxy: String?

    /// Creates options.
    public init(
        transport: any RealtimeTransport = DefaultTransport.make(),
        clock: any RealtimeClock = SystemRealtimeClock(),
        openTimeout: Duration = .seconds(15), setupTimeout: Duration = .seconds(20),
        toolTimeout: Duration? = .seconds(60), cancelsToolsOnInterruption: Bool = false,
        maximumWaitingAudio: Duration = .seconds(10),
        maximumQueuedSpeech: Duration = .seconds(300),
        certificateAuthorityFile: String? = nil, proxy: String? = nil
    ) {
        self.transport = transport
        self.clock = clock
        self.openTimeout = openTimeout
        self.setupTimeout = setupTimeout
        self.toolTimeout = toolTimeout
        self.cancelsToolsOnInterruption = cancelsToolsOnInterruption
        self.maximumWaitingAudio = maximumWaitingAudio
        self.maximumQueuedSpeech = maximumQueuedSpeech
        self.certificateAuthorityFile = certificateAuthorityFile
        self.proxy = proxy
    }
}
