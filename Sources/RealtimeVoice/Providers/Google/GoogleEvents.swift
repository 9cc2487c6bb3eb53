/// What one frame becomes: the events in order, each with the frame behind it.
struct GoogleEvents {
    let raw: RealtimeRawPayload
    private(set) var list: [RealtimeServerEvent] = []

    init(_ frame: RealtimeFrame) {
        raw = RealtimeRawPayload(frame.bytes)
    }

    @inline(__always)
    mutating func add(_ event: RealtimeServerEvent) {
        list.append(event)
    }

    mutating func addCustom(_ rawType: String) {
        list.append(.custom(rawType: rawType, raw: raw))
    }
}
