import Glibc
import NIOCore
import NIOPosix
import Synchronization
import SystemSupport

/// Tells which connections of a loopback listener are this user's. One look at the kernel's table serves all that wait for
/// one, so that another user's connections do not delay this user's by more than a look. Safe from any thread.
final class LoopbackPeers: Sendable {
  private typealias Waiting = (connection: SocketTable.Connection, answer: EventLoopPromise<Bool>)

  private struct State {
    var waiting: [Waiting] = []
    /// A look has been begun and has not taken the list yet.
    var isAwaited = false
  }

  /// Connections that wait for a look, each with a descriptor; more are refused at once.
  private static let limit = 256

  /// Reading /proc blocks: neither the event loop nor the cooperative pool does it.
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let state = Mutex(State())

  init() { thread.start() }

  /// Whether the process that made the accepted connection `channel` is this user's.
  func isOwn(_ channel: any Channel) -> EventLoopFuture<Bool> {
    guard let client = SocketTable.End(channel.remoteAddress), let server = SocketTable.End(channel.localAddress) else {
      return channel.eventLoop.makeSucceededFuture(false)
    }
    let answer = channel.eventLoop.makePromise(of: Bool.self)
    let (isTaken, isFirst) = state.withLock { state in
      guard state.waiting.count < Self.limit else { return (false, false) }
      state.waiting.append((SocketTable.Connection(client: client, server: server), answer))
      defer { state.isAwaited = true }
      return (true, !state.isAwaited)
    }
    if !isTaken { answer.succeed(false) }
    if isFirst { thread.submit { [self] state in look(isActive: state == .active) } }
    return answer.futureResult
  }

  private func look(isActive: Bool) {
    let waiting = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    let uids = isActive ? SocketTable.uids(of: Set(waiting.map(\.connection))) : [:]
    for (connection, answer) in waiting { answer.succeed(uids[connection] == geteuid()) }
  }

  func close() async { try? await thread.shutdownGracefully() }
}

/// Who is at the other end of a loopback connection: `/proc/net/tcp` and `/proc/net/tcp6` name the uid of each socket
/// (proc(5)). For TCP the kernel offers no credentials at the socket itself.
enum SocketTable {
  /// One end of a connection.
  struct End: Sendable, Hashable {
    /// As inet_pton(3) makes it: network byte order in memory.
    let address: UInt32
    let port: UInt16

    /// Nil for anything but IPv4.
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

    /// The kernel prints the address as a number of this machine's byte order, the port as a plain number.
    fileprivate var text: String { "\(Self.hex(UInt64(address), 8)):\(Self.hex(UInt64(port), 4))" }

    /// The same end of a socket that was made for IPv6: `::ffff:a.b.c.d`.
    fileprivate var mappedText: String {
      let prefix = String(repeating: "0", count: 16) + Self.hex(UInt64(UInt32(bigEndian: 0xFFFF)), 8)
      return prefix + text
    }

    private static func hex(_ value: UInt64, _ width: Int) -> String {
      let digits = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
  }

  /// States in which a socket has an owner (include/net/tcp_states.h): established, the two that follow a half close from
  /// this side, and the one that follows a half close from the other. Elsewhere the table says 0.
  private static let owned: Set<Substring> = ["01", "04", "05", "08"]

  /// A connection, seen from the process that made it.
  struct Connection: Sendable, Hashable {
    let client: End
    let server: End
  }

  /// The uids of the processes that made `wanted`, as far as `table` has them.
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

  /// The uids of the processes that made `wanted`, on this machine; without those that cannot be told. Blocks.
  static func uids(of wanted: Set<Connection>) -> [Connection: UInt32] {
    let found = uids(in: contents(of: "/proc/net/tcp"), of: wanted)
    guard found.count < wanted.count else { return found }
    let rest = wanted.filter { found[$0] == nil }
    return found.merging(uids(in: contents(of: "/proc/net/tcp6"), of: rest)) { old, _ in old }
  }

  /// The whole file; empty if it cannot be read. The kernel hands out such a table a page at a time, and Foundation takes
  /// the first short read for the end: so it is read here until read(2) returns 0.
  private static func contents(of file: String) -> String {
    String(decoding: Descriptor.contents(of: file) ?? [], as: UTF8.self)
  }
}
