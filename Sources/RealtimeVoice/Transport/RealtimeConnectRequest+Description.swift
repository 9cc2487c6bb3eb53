import Foundation

extension RealtimeConnectRequest: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Where it goes, without query, headers, subprotocols and proxy, which may be secret.
    public var description: String {
        "RealtimeConnectRequest(\(url.scheme ?? "")://\(url.host ?? "")\(url.path))"
    }
    /// Where it goes, without query, headers, subprotocols and proxy, which may be secret.
    public var debugDescription: String { description }
    /// Where it goes, without query, headers, subprotocols and proxy, which may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
