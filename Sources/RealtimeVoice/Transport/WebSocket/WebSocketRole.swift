/// Which end of a connection this is; a client masks what it sends, a server doesn't.
package enum WebSocketRole: Sendable, Hashable {
    case client
    case server
}
