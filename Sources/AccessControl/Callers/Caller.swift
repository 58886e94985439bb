import AgentConfiguration
import AgentProtocol
import CSystemd
import FoundationEssentials
import Glibc
package import NIOCore
import NIOPosix
import SessionEngine
import Synchronization
package import SystemSupport

/// What /proc tells about a process that asked for a token.
package struct Caller: Sendable, Hashable {
  /// When it began, in clock ticks since boot (proc_pid_stat(5), field 22): with the pid it names one process.
  var start: UInt64?
  /// Its program, without arguments. Unreadable where the agent runs in a user namespace of its own.
  var executable: String?
  /// Its systemd unit, as `CallerUnit` counts.
  var unit: String? { unitName.map { Self.bounded($0) } }
  /// The same, letter by letter.
  var unitName: String?
  /// Which file its program is, whatever it is called. Unreadable like its name.
  var file: ProgramFile?

  init(start: UInt64? = nil, executable: String? = nil, unit: String? = nil, file: ProgramFile? = nil) {
    (self.start, self.executable, unitName, self.file) = (start, executable, unit, file)
  }

  /// Looks up a process; blocks. `proc` is another folder in tests.
  ///
  /// - Parameter peer: what the kernel said about it when it connected: without it a process that got the number later
  ///   could be taken for it.
  init(pid: Int32, peer: PeerProcess? = nil, proc: String = "/proc") {
    guard pid > 0 else { return }
    start = Self.text(of: "\(proc)/\(pid)/stat").flatMap(Self.start)
    executable = Self.target(of: "\(proc)/\(pid)/exe").map { Self.bounded($0) }
    file = ProgramFile("\(proc)/\(pid)/exe")
    unitName = Self.text(of: "\(proc)/\(pid)/cgroup").flatMap { CallerUnit.name(in: $0) }
    // Another process may have got the number before or while this was read; then none of it is certain.
    if let peer, peer.isCertain {
      if !peer.isStill(startedAt: start) { self = Caller() }
      return
    }
    let again = Self.text(of: "\(proc)/\(pid)/stat").flatMap(Self.start)
    if again != start || peer?.isStill(startedAt: start) == false { self = Caller() }
  }

  /// The name of a program may hold spaces and parentheses: the fields begin behind the last one.
  static func start(_ stat: String) -> UInt64? {
    let stat = stat.utf8
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
    // The field behind the name is the third.
    return fields.count > 19 ? UInt64(Substring(fields[19])) : nil
  }

  /// Shown harmlessly (PR-6), and short enough for an entry however much of it had to be escaped.
  private static func bounded(_ text: String) -> String {
    let shown = ForeignText.shown(text)
    return shown.utf8.count <= 1000 ? shown : ForeignText.shown(text, limit: 80)
  }

  private static func target(of link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Files of /proc have no size; these two are shorter than a page.
  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}

/// Looks up callers on a thread of its own, in the order in which they came: neither the event loop nor a session waits
/// for /proc.
package final class CallerLookup: Sendable {
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let begun = Atomic<Int>(0)

  /// How many are begun and not found.
  var waiting: Int { begun.load(ordering: .relaxed) }

  /// Somebody waits for it, but for it alone: whoever asks for a token over an open connection goes before (sched(7), nice).
  private static let niceness: Int32 = 10

  package init() {
    thread.start()
    thread.name("callers")
    // Of this thread alone (setpriority(2), "C library/kernel differences").
    thread.submit { _ in _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness) }
  }

  /// Begins to look up who is at the other end.
  func begin(pid: Int32, _ peer: PeerProcess? = nil, _ found: @escaping @Sendable (Caller) -> Void) {
    begun.add(1, ordering: .relaxed)
    thread.submit { [self] _ in
      found(Caller(pid: pid, peer: peer))
      begun.subtract(1, ordering: .relaxed)
    }
  }

  /// Runs what blocks for a moment on this thread; nil when the agent ends.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    try? await thread.runIfActive(body)
  }

  /// Returns when all that was begun is found.
  func completeBegun() async { try? await thread.runIfActive {} }

  package func close() async { try? await thread.shutdownGracefully() }
}

/// Which file it is, whatever it is called: a name can be given to any program.
package struct ProgramFile: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64

  /// The file that `path` leads to, links followed; nil where there is none, or it may not be seen. Blocks.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

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

/// The process at the other end of a connection, so that it can be told from one that got its number later.
package final class PeerProcess: Sendable {
  enum Evidence: Sendable, Equatable {
    /// A descriptor of the very process (pidfd_open(2)), which SO_PEERPIDFD of Linux 6.5 gives.
    case descriptor(Int32)
    /// An older kernel: who began after the connection was accepted is another one. 10 ms are not told apart.
    case accepted(BootTime)
    /// It had ended already.
    case gone
  }

  let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }

  deinit {
    if case .descriptor(let descriptor) = evidence { close(descriptor) }
  }

  /// Whether `isStill` tells of all that was read before, by itself.
  var isCertain: Bool {
    if case .descriptor = evidence { true } else { false }
  }

  /// Whether a process with the caller's number that began `startedAt`, in clock ticks since boot, is the caller.
  func isStill(startedAt ticks: UInt64?) -> Bool {
    switch evidence {
    case .gone: return false
    case .descriptor(let descriptor):
      // Readable when the process has ended (pidfd_open(2)); until then nobody else gets its number.
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return Glibc.poll(&poll, 1, 0) == 0
    case .accepted(let time):
      guard let ticks else { return false }
      let nanoseconds = UInt64(1_000_000_000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
      return ticks <= UInt64(max(0, time.nanoseconds)) / nanoseconds
    }
  }

  /// What the kernel tells about the other end of `channel`, a Unix socket. Answers at once on the channel's event loop.
  package static func of(_ channel: any Channel, now: BootTime) -> EventLoopFuture<PeerProcess> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeSucceededFuture(PeerProcess(.accepted(now)))
    }
    let descriptor: EventLoopFuture<Int32> = provider.unsafeGetSocketOption(
      level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET),
      name: NIOBSDSocket.Option(rawValue: ritual_so_peerpidfd))
    return descriptor.map { PeerProcess(.descriptor($0)) }.flatMapErrorThrowing { error in
      let isUnknown = (error as? IOError)?.errnoCode == ENOPROTOOPT
      return PeerProcess(isUnknown ? .accepted(now) : .gone)
    }
  }
}
