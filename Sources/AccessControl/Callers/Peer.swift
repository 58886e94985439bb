import Glibc
package import NIOCore

/// The credentials of a connection's peer at the time of connect(2), from the kernel (SO_PEERCRED, unix(7)).
package struct Peer: Sendable, Hashable {
  package let pid: Int32
  package let uid: UInt32
  package let gid: UInt32
}

/// struct ucred of unix(7), which the Glibc module does not show.
struct PeerCredentials: Sendable {
  var pid: Int32 = 0
  var uid: UInt32 = 0
  var gid: UInt32 = 0
}

extension Peer {
  init(_ credentials: PeerCredentials) {
    self.init(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
  }

  /// Who is at the other end of `descriptor`; for a connected client: who called listen(2).
  package init?(of descriptor: Int32) {
    var credentials = PeerCredentials()
    var size = socklen_t(MemoryLayout<PeerCredentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
    self.init(credentials)
  }

  /// Who is at the other end of `channel`, a Unix socket. Answers at once on the channel's event loop.
  package static func of(_ channel: any Channel) -> EventLoopFuture<Peer> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    let credentials: EventLoopFuture<PeerCredentials> = provider.unsafeGetSocketOption(
      level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET), name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.map { Peer($0) }
  }
}
