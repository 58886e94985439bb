import AgentProtocol
import CSystemd
import Glibc
package import NIOCore
import NIOPosix
import Synchronization
import SystemSupport

/// Listeners on 127.0.0.1 that serve only processes of this user. The kernel is asked for the owner of
/// each connection when it is accepted. Thread-safe.
package final class LoopbackPeers: Sendable {
  /// Installs the handlers of an accepted connection. A failure closes the connection.
  package typealias Serve = @Sendable (any Channel) -> EventLoopFuture<Void>
  private typealias Waiting = (connection: TCPConnection, answer: EventLoopPromise<Bool>)

  /// The maximum number of connections that wait to be accepted: the kernel's own limit
  /// (`net.core.somaxconn`). While the queue is full, the kernel ignores new connections, which try
  /// again after a second. Another user fills a shorter queue in an instant.
  private static let backlog: Int32 = 4096

  /// The maximum number of connections, each with a descriptor, that wait for the next reading of the table.
  private static let maxWaiting = 256

  /// nil if the kernel does not answer questions about single sockets. Then its table of all sockets is read.
  private let diagnosis = Mutex<SocketDiagnosis?>(nil)
  private let waiting = Mutex<[Waiting]>([])
  /// Called for each connection that is not served, on its event loop.
  fileprivate let whenRefused: @Sendable () -> Void

  private init(_ whenRefused: @escaping @Sendable () -> Void) { self.whenRefused = whenRefused }

  /// Listens on 127.0.0.1. Connections of other users, and those without an owner on this system, are closed
  /// without an answer.
  ///
  /// - Parameters:
  ///   - port: 0 for any free port.
  ///   - whenRefused: called for each connection that is closed so. Must not block.
  /// - Throws: `AgentError` if the owner of a connection cannot be determined, `IOError` if the port cannot be
  ///   bound.
  package static func listen(
    port: Int, on eventLoop: any EventLoop, whenRefused: @escaping @Sendable () -> Void = {}, serve: @escaping Serve
  ) async throws -> any Channel {
    let peers = LoopbackPeers(whenRefused)
    let listener = try await peers.bootstrap(eventLoop, serve).bind(host: "127.0.0.1", port: port).get()
    do {
      try await peers.prepare(for: listener)
      try await listener.setOption(.autoRead, value: true).get()
      return listener
    } catch {
      try? await listener.close().get()
      throw error
    }
  }

  /// For a listener that does not accept yet.
  private func bootstrap(_ eventLoop: any EventLoop, _ serve: @escaping Serve) -> ServerBootstrap {
    ServerBootstrap(group: eventLoop)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.autoRead, value: false)
      // `OwnConnections` accepts the others.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      // Allows the next flow to bind the port at once: both sockets need the option (tcp(7), TIME_WAIT).
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            AcceptPause(maxWaiting: Self.maxWaiting) { [self] in waiting.withLock { $0.count } },
            OwnConnections(peers: self, serve: serve))
        }
      }
      .childChannelInitializer { [self] channel in
        // Most answers are there at once.
        if let isOwn = isOwn(channel) { return admit(channel, isOwn, serve) }
        return isOwnInTable(channel).flatMap { [self] in admit(channel, $0, serve) }
      }
  }

  private func admit(_ channel: any Channel, _ isOwn: Bool, _ serve: Serve) -> EventLoopFuture<Void> {
    if isOwn { return serve(channel) }
    whenRefused()
    return channel.close()
  }

  /// Finds out how the owner of a connection can be determined: asks for the owner of `listener`. The
  /// kernel's errors do not tell a missing module from a missing socket.
  private func prepare(for listener: any Channel) async throws {
    guard let end = TCPConnection.End(listener.localAddress) else { throw ChannelError.unknownLocalAddress }
    let socket = TCPConnection(client: end, server: TCPConnection.End(address: 0, port: 0))
    // On a thread, because the first question may load a kernel module, and reading /proc blocks.
    try await NIOThreadPool.singleton.runIfActive { [self] in
      if let diagnosis = try? SocketDiagnosis(), diagnosis.owner(of: socket, in: .listening) == geteuid() {
        return self.diagnosis.withLock { $0 = diagnosis }
      }
      guard SocketTable.uids(of: [socket], in: .listening)[socket] == geteuid() else {
        throw AgentError(
          .internalError, "The kernel does not tell the agent which user connects to a port of this machine.",
          hint: "allow the agent netlink sockets (AF_NETLINK, sock_diag), or to read /proc/net/tcp")
      }
    }
  }

  /// Returns whether the process that opened the accepted connection `channel` belongs to this user; nil if only
  /// the table tells.
  private func isOwn(_ channel: any Channel) -> Bool? {
    TCPConnection(of: channel).map { isOwn($0) } ?? false
  }

  /// True if no process has the other end of `channel` open any more. The end of a process and a half close
  /// (shutdown(2)) look alike on the connection itself. False if the kernel does not tell.
  package static func hasLeft(_ channel: any Channel) -> Bool {
    guard let connection = TCPConnection(of: channel), let diagnosis = try? SocketDiagnosis(),
      // The kernel tells if it knows this end.
      diagnosis.owner(of: TCPConnection(client: connection.server, server: connection.client)) != nil
    else { return false }
    return diagnosis.owner(of: connection) == nil
  }

  /// False if only the table tells.
  fileprivate var hasDiagnosis: Bool { diagnosis.withLock { $0 != nil } }

  /// Returns nil if only the table tells.
  fileprivate func isOwn(_ connection: TCPConnection) -> Bool? {
    diagnosis.withLock { $0 }.map { $0.owner(of: connection) == geteuid() }
  }

  /// Reads the table on a thread, once for all connections that wait.
  private func isOwnInTable(_ channel: any Channel) -> EventLoopFuture<Bool> {
    guard let connection = TCPConnection(of: channel) else { return channel.eventLoop.makeSucceededFuture(false) }
    let answer = channel.eventLoop.makePromise(of: Bool.self)
    let isFirst = waiting.withLock { waiting in
      waiting.append((connection, answer))
      return waiting.count == 1
    }
    if isFirst {
      NIOThreadPool.singleton.submit { [self] _ in
        let taken = waiting.withLock { waiting in
          defer { waiting = [] }
          return waiting
        }
        let uids = SocketTable.uids(of: Set(taken.map(\.connection)))
        for (connection, answer) in taken { answer.succeed(uids[connection] == geteuid()) }
      }
    }
    return answer.futureResult
  }
}

/// Accepts connections beside the listening channel, and closes those of other users. The channel makes a
/// channel of each connection that it accepts, which costs several times as much as to refuse one here, and
/// another user must not open connections faster than they are refused. Bound to its event loop.
private final class OwnConnections: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  /// The maximum number of connections accepted in one pass of the event loop. Each takes about 15 µs.
  private static let acceptsPerPass = 32

  private let peers: LoopbackPeers
  private let serve: LoopbackPeers.Serve
  /// The descriptor of the listening channel, which is open while the channel is active.
  private var listener: NIOBSDSocket.Handle?
  private var server: TCPConnection.End?

  init(peers: LoopbackPeers, serve: @escaping LoopbackPeers.Serve) { (self.peers, self.serve) = (peers, serve) }

  func channelActive(context: ChannelHandlerContext) {
    // Read once, because each connection would take two system calls for them.
    listener = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
    server = TCPConnection.End(context.localAddress)
    context.fireChannelActive()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if let server {
      for _ in 0..<Self.acceptsPerPass {
        guard context.channel.isActive, let (descriptor, client) = accept() else { break }
        if peers.isOwn(TCPConnection(client: client, server: server)) == true {
          _ = ClientBootstrap(group: context.eventLoop).channelInitializer(serve).withConnectedSocket(descriptor)
        } else {
          close(descriptor)
          peers.whenRefused()
        }
      }
    }
    context.fireChannelReadComplete()
  }

  /// Accepts a connection, without waiting. Returns nil if there is none, or if only the table tells its owner.
  private func accept() -> (descriptor: Int32, client: TCPConnection.End)? {
    guard peers.hasDiagnosis, let listener else { return nil }
    var (address, port): (UInt32, UInt16) = (0, 0)
    let descriptor = ritual_accept(listener, &address, &port)
    return descriptor >= 0 ? (descriptor, TCPConnection.End(address: address, port: port)) : nil
  }
}

extension TCPConnection {
  /// The connection of a channel that was accepted; nil if it is not one of IPv4.
  fileprivate init?(of channel: any Channel) {
    guard let client = End(channel.remoteAddress), let server = End(channel.localAddress) else { return nil }
    self.init(client: client, server: server)
  }
}

extension TCPConnection.End {
  /// Returns nil for any address but IPv4.
  fileprivate init?(_ address: SocketAddress?) {
    guard case .v4? = address else { return nil }
    // sockaddr_in (ip(7)): the family, the port, the address.
    let fields = address?.withSockAddr { address, size in
      let bytes = UnsafeRawBufferPointer(start: address, count: size)
      return (
        address: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
        port: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
      )
    }
    guard let fields else { return nil }
    self.init(address: UInt32(bigEndian: fields.address), port: UInt16(bigEndian: fields.port))
  }
}

/// The owners of TCP sockets according to `/proc/net/tcp` and `/proc/net/tcp6` (proc(5)), for systems whose
/// kernel does not answer questions about single sockets.
enum SocketTable {
  /// Returns the uids of the processes that opened `wanted`, for the connections that `table` contains.
  static func uids(
    in table: String, of wanted: some Sequence<TCPConnection>, in states: TCPStates = .open
  ) -> [TCPConnection: UInt32] {
    var names: [[Substring]: TCPConnection] = [:]
    for connection in wanted {
      let ends = [connection.client, connection.server]
      names[ends.map { text($0)[...] }] = connection
      names[ends.map { mappedPrefix + text($0)[...] }] = connection
    }
    var found: [TCPConnection: UInt32] = [:]
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ", maxSplits: 10, omittingEmptySubsequences: true)
      // The inode is 0 for a socket that no process has open any more. Its uid is shown as 0.
      guard fields.count > 9, fields[9] != "0", let state = UInt32(fields[3], radix: 16), state < 32,
        states.contains(TCPStates(rawValue: 1 << state)), let connection = names[[fields[1], fields[2]]]
      else { continue }
      found[connection] = UInt32(fields[7])
    }
    return found
  }

  /// Returns the uids of the processes that opened `wanted`, without unknown connections. Blocks.
  static func uids(of wanted: Set<TCPConnection>, in states: TCPStates = .open) -> [TCPConnection: UInt32] {
    let found = uids(in: contents(of: "/proc/net/tcp"), of: wanted, in: states)
    guard found.count < wanted.count else { return found }
    let rest = wanted.filter { found[$0] == nil }
    return found.merging(uids(in: contents(of: "/proc/net/tcp6"), of: rest, in: states)) { old, _ in old }
  }

  /// Returns the complete file, or an empty string if the file cannot be read.
  private static func contents(of file: String) -> String {
    String(decoding: Descriptor.contents(of: file) ?? [], as: UTF8.self)
  }

  /// The kernel's text form: the bytes of the address as a number of the machine's order, the port as a plain number.
  private static func text(_ end: TCPConnection.End) -> String {
    "\(hex(UInt64(end.address.bigEndian), 8)):\(hex(UInt64(end.port), 4))"
  }

  /// The prefix of the text form of an IPv4 address on an IPv6 socket: `::ffff:`.
  private static let mappedPrefix = String(repeating: "0", count: 16) + hex(UInt64(UInt32(bigEndian: 0xFFFF)), 8)

  private static func hex(_ value: UInt64, _ width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
