import Glibc
package import NIOCore
import NIOPosix
import Synchronization
import SystemSupport

/// Identifies the connections of a loopback listener that belong to this user. One lookup in the
/// kernel's table serves all waiting connections, so that another user's connections delay this
/// user's by at most one lookup. Thread-safe.
package final class LoopbackPeers: Sendable {
  private typealias Waiting = (connection: SocketTable.Connection, answer: EventLoopPromise<Bool>)

  private struct State {
    var waiting: [Waiting] = []
    /// True if a lookup is scheduled that has not taken the list yet.
    var isLookupScheduled = false
  }

  /// The maximum number of connections waiting for a lookup, each with a descriptor; further
  /// connections are refused.
  private static let limit = 256

  /// A separate thread, because reading /proc blocks: neither the event loop nor the cooperative
  /// pool may do it.
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let state = Mutex(State())

  package init() { thread.start() }

  /// Returns whether the process that opened the accepted connection `channel` belongs to this
  /// user.
  package func isOwn(_ channel: any Channel) -> EventLoopFuture<Bool> {
    guard let client = SocketTable.End(channel.remoteAddress), let server = SocketTable.End(channel.localAddress) else {
      return channel.eventLoop.makeSucceededFuture(false)
    }
    let answer = channel.eventLoop.makePromise(of: Bool.self)
    let (isTaken, isFirst) = state.withLock { state in
      guard state.waiting.count < Self.limit else { return (false, false) }
      state.waiting.append((SocketTable.Connection(client: client, server: server), answer))
      defer { state.isLookupScheduled = true }
      return (true, !state.isLookupScheduled)
    }
    if !isTaken { answer.succeed(false) }
    if isFirst { thread.submit { [self] state in lookUp(isActive: state == .active) } }
    return answer.futureResult
  }

  private func lookUp(isActive: Bool) {
    let waiting = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    let uids = isActive ? SocketTable.uids(of: Set(waiting.map(\.connection))) : [:]
    for (connection, answer) in waiting { answer.succeed(uids[connection] == geteuid()) }
  }

  package func close() async { try? await thread.shutdownGracefully() }
}

/// The owners of loopback connections. `/proc/net/tcp` and `/proc/net/tcp6` list the uid of each
/// socket (proc(5)); the kernel provides no peer credentials for TCP sockets.
enum SocketTable {
  /// One end of a connection.
  struct End: Sendable, Hashable {
    /// The address as inet_pton(3) stores it: network byte order in memory.
    let address: UInt32
    let port: UInt16

    /// Returns nil for any address but IPv4.
    init?(_ address: SocketAddress?) {
      guard case .v4? = address, let port = address?.port,
        let parts = address?.ipAddress?.split(separator: ".").map({ UInt8($0) }), parts.count == 4
      else { return nil }
      let number = parts.reduce(UInt32(0)) { $0 << 8 | UInt32($1 ?? 0) }
      self.init(address: UInt32(bigEndian: number), port: UInt16(port))
    }

    init(address: UInt32, port: UInt16) {
      self.address = address
      self.port = port
    }

    /// The kernel's text form: the address as a number in the machine's byte order, the port as a
    /// plain number.
    fileprivate var text: String { "\(Self.hex(UInt64(address), 8)):\(Self.hex(UInt64(port), 4))" }

    /// The text form for an IPv6 socket: `::ffff:a.b.c.d`.
    fileprivate var mappedText: String {
      let prefix = String(repeating: "0", count: 16) + Self.hex(UInt64(UInt32(bigEndian: 0xFFFF)), 8)
      return prefix + text
    }

    private static func hex(_ value: UInt64, _ width: Int) -> String {
      let digits = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
  }

  /// The states in which a socket has an owner (include/net/tcp_states.h): established, the two
  /// states after a half close by this side, and the state after a half close by the other side.
  /// For other states, the table shows uid 0.
  private static let owned: Set<Substring> = ["01", "04", "05", "08"]

  /// A connection, from the perspective of the process that opened it.
  struct Connection: Sendable, Hashable {
    let client: End
    let server: End
  }

  /// Returns the uids of the processes that opened `wanted`, for the maxConnections that `table`
  /// contains.
  static func uids(in table: String, of wanted: some Sequence<Connection>) -> [Connection: UInt32] {
    var names: [[Substring]: Connection] = [:]
    for connection in wanted {
      names[[connection.client.text[...], connection.server.text[...]]] = connection
      names[[connection.client.mappedText[...], connection.server.mappedText[...]]] = connection
    }
    var found: [Connection: UInt32] = [:]
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ", maxSplits: 8, omittingEmptySubsequences: true)
      guard fields.count > 7, owned.contains(fields[3]), let connection = names[[fields[1], fields[2]]] else {
        continue
      }
      found[connection] = UInt32(fields[7])
    }
    return found
  }

  /// Returns the uids of the processes that opened `wanted`, without unknown connections. Blocks.
  static func uids(of wanted: Set<Connection>) -> [Connection: UInt32] {
    let found = uids(in: contents(of: "/proc/net/tcp"), of: wanted)
    guard found.count < wanted.count else { return found }
    let rest = wanted.filter { found[$0] == nil }
    return found.merging(uids(in: contents(of: "/proc/net/tcp6"), of: rest)) { old, _ in old }
  }

  /// Returns the complete file, or an empty string if the file cannot be read. The kernel returns
  /// such a table one page at a time, and Foundation takes the first short read for the end. So
  /// this function reads until read(2) returns 0.
  private static func contents(of file: String) -> String {
    String(decoding: Descriptor.contents(of: file) ?? [], as: UTF8.self)
  }
}
