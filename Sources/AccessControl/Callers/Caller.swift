import AgentConfiguration
import AgentProtocol
import CSystemd
import FoundationEssentials
import Glibc
import NIOPosix
import SessionEngine
import Synchronization
package import SystemSupport

/// The facts of /proc about a process that requested a token.
package struct Caller: Sendable, Hashable {
  /// Start time in clock ticks since boot (proc_pid_stat(5), field 22). Identifies one process
  /// together with the pid.
  var start: UInt64?
  /// The path of its executable, without arguments. Unreadable if the agent runs in its own user
  /// namespace.
  package var executable: String?
  /// The name that the process gives itself (proc_pid_comm(5)), escaped, if `executable` is not
  /// readable.
  package var comm: String?
  /// The systemd unit as `CallerUnit` determines it, escaped and shortened for display.
  package var unit: String? { unitName.map { Self.bounded($0) } }
  /// The unit's exact name, for comparisons.
  package var unitName: String?
  /// The executable's device and inode, whatever its name. Unreadable in the same cases as
  /// `executable`.
  var file: ProgramFile?

  init(start: UInt64? = nil, executable: String? = nil, unit: String? = nil, file: ProgramFile? = nil) {
    (self.start, self.executable, unitName, self.file) = (start, executable, unit, file)
  }

  /// Looks up a process. For the event loop, because the process may end as soon as it has its
  /// answer: no file system is asked, and the kernel takes about 20 µs. Tests pass another directory
  /// as `proc`.
  ///
  /// - Parameters:
  ///   - peer: The kernel's evidence from the time of the connection. Without it, a later process
  ///     with the same pid could be mistaken for the caller.
  ///   - opener: The facts that were read when the connection was accepted. They count, not what
  ///     the process has become since.
  init(pid: Int32, peer: PeerProcess? = nil, opener: ConnectionOpener? = nil, proc: String = "/proc") {
    guard pid > 0 else { return }
    start = Self.startTime(of: pid, proc)
    executable = Self.target(of: "\(proc)/\(pid)/exe").map { Self.bounded($0) }
    if executable == nil { comm = Self.text(of: "\(proc)/\(pid)/stat").flatMap(Self.comm) }
    file = opener?.program ?? ProgramFile(known: "\(proc)/\(pid)/exe")
    let unit = opener?.unit ?? Self.cgroup(of: pid, proc).map { ConnectionOpener.Unit(cgroup: $0) }
    unitName = unit?.name
    // The pid may have been reused before or during the reads; then nothing that was read is
    // certain.
    if let peer, peer.isCertain {
      if !peer.isStill(startedAt: start) { self = Caller() }
      return
    }
    let again = Self.startTime(of: pid, proc)
    if again != start || peer?.isStill(startedAt: start) == false { self = Caller() }
  }

  /// The text of the process's cgroup file (cgroups(7)).
  static func cgroup(of pid: Int32, _ proc: String = "/proc") -> String? { text(of: "\(proc)/\(pid)/cgroup") }

  /// The start time of the process that has the pid now.
  static func startTime(of pid: Int32, _ proc: String = "/proc") -> UInt64? {
    text(of: "\(proc)/\(pid)/stat").flatMap(start)
  }

  /// Parses the start time. A program's name may contain spaces and parentheses, so the fields
  /// start after the last `)`.
  static func start(_ stat: String) -> UInt64? {
    let stat = stat.utf8
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
    // The field after the name is field 3.
    return fields.count > 19 ? UInt64(Substring(fields[19])) : nil
  }

  /// Parses the name, which may contain parentheses itself.
  static func comm(_ stat: String) -> String? {
    guard let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")"), start < end else { return nil }
    return ForeignText.shown(String(stat[stat.index(after: start)..<end]), limit: 64)
  }

  /// Escapes the text for display, and shortens it to fit an entry even if much of it is
  /// escaped.
  private static func bounded(_ text: String) -> String {
    let shown = ForeignText.shown(text)
    return shown.utf8.count <= 1000 ? shown : ForeignText.shown(text, limit: 80)
  }

  /// The target of a symbolic link; nil if it is not readable. Does not block for a link in /proc.
  package static func target(of link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Reads a /proc file. These have no size; `stat` and `cgroup` are shorter than a page.
  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}

/// A thread for what the rules need of a caller, so that neither the event loop nor a session waits
/// for the file system.
package final class CallerLookup: Sendable {
  private let thread = NIOThreadPool(numberOfThreads: 1)

  /// A lookup delays only its own connection, so token requests on open connections take precedence
  /// (sched(7), nice).
  private static let niceness: Int32 = 10

  package init() {
    thread.start()
    thread.name("callers")
    // Affects only this thread (setpriority(2), "C library/kernel differences").
    thread.submit { _ in _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness) }
  }

  /// Starts a briefly blocking function on this thread; in order of the calls.
  func begin(_ body: @escaping @Sendable () -> Void) { thread.submit { _ in body() } }

  /// Runs a briefly blocking function on this thread. Returns nil at shutdown.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    try? await thread.runIfActive(body)
  }

  package func close() async { try? await thread.shutdownGracefully() }
}

/// Identifies an executable file independently of its name, which any program can have.
package struct ProgramFile: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64

  /// The file at `path`, following links; nil if the file does not exist or is not accessible.
  /// Blocks.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// The file at `path`, if the kernel has the whole path in memory; otherwise nil. Does not block.
  package init?(inMemory path: String) {
    var (device, inode) = (UInt64(0), UInt64(0))
    guard ritual_known_path(path, &device, &inode) == 0 else { return nil }
    (self.device, self.inode) = (device, inode)
  }

  /// The program that a link in /proc stands for; nil if that is not readable. Does not block.
  package init?(known link: String) {
    var (device, inode) = (UInt64(0), UInt64(0))
    guard ritual_known_file(-1, link, &device, &inode) == 0 else { return nil }
    (self.device, self.inode) = (device, inode)
  }
}

/// The facts that policy rules need about the process that opens a connection.
package struct ConnectionOpener: Sendable {
  /// The kinds of subjects that rules have.
  struct Subjects: Sendable {
    var executables = false
    var units = false
  }

  struct Unit: Sendable {
    /// Nil outside of units.
    let name: String?

    init(name: String?) { self.name = name }

    /// - Parameter cgroup: The text of a cgroup file.
    init(cgroup: String) { name = CallerUnit.name(in: cgroup) }
  }

  /// Nil if no rule is about an executable.
  let program: ProgramFile?
  /// Nil if no rule is about a unit.
  let unit: Unit?

  init(program: ProgramFile? = nil, unit: Unit? = nil) { (self.program, self.unit) = (program, unit) }

  /// Reads what rules about `subjects` need, when the connection is accepted. Nil if something is
  /// not readable, or if the kernel cannot tell the process from a later one with the same pid
  /// (before Linux 6.5): a lookup has to tell then.
  ///
  /// For the event loop: no file system is asked. The text of a cgroup takes the kernel 7 µs; it may
  /// wait as long as a cgroup is being changed, which is less than a switch to another thread and
  /// back.
  init?(_ process: PeerProcess, pid: Int32, _ subjects: Subjects) {
    guard process.isCertain else { return nil }
    program = subjects.executables ? ProgramFile(known: "/proc/\(pid)/exe") : nil
    unit = subjects.units ? Caller.cgroup(of: pid).map { Unit(cgroup: $0) } : nil
    guard (program != nil) == subjects.executables, (unit != nil) == subjects.units,
      process.isStill(startedAt: nil)
    else { return nil }
  }
}

/// The process at the other end of a connection, distinguishable from a later process with the same
/// pid.
package final class PeerProcess: Sendable {
  enum Evidence: Sendable, Equatable {
    /// A pidfd of the process (pidfd_open(2)) from SO_PEERPIDFD, Linux 6.5 or later.
    case descriptor(Int32)
    /// Older kernels: when the connection was accepted. A process that started later is another
    /// one. The resolution is a clock tick, 10 ms.
    case accepted(BootTime)
    /// The process had already exited.
    case gone
  }

  let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }

  deinit {
    if case .descriptor(let descriptor) = evidence { close(descriptor) }
  }

  /// A number that no other process has until the next boot, on Linux 6.9 or later.
  package var id: UInt64? {
    var inode: UInt64 = 0
    guard case .descriptor(let descriptor) = evidence, ritual_pidfd_inode(descriptor, &inode) == 0 else { return nil }
    return inode
  }

  /// True if a single `isStill` check confirms everything read before it.
  var isCertain: Bool {
    if case .descriptor = evidence { true } else { false }
  }

  /// Whether the process that now has the caller's pid, and started at `startedAt` clock ticks
  /// since boot, is the caller.
  func isStill(startedAt ticks: UInt64?) -> Bool {
    switch evidence {
    case .gone: return false
    case .descriptor(let descriptor):
      // A pidfd becomes readable when its process exits (pidfd_open(2)). Until then the pid is not
      // reused.
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return Glibc.poll(&poll, 1, 0) == 0
    case .accepted(let time):
      guard let ticks else { return false }
      let nanoseconds = UInt64(1_000_000_000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
      return ticks <= UInt64(max(0, time.nanoseconds)) / nanoseconds
    }
  }

  /// Whether the process still runs.
  ///
  /// On kernels before Linux 6.5, reads the start time of the process that has the pid now.
  package func isRunning(pid: Int32) -> Bool {
    switch evidence {
    case .descriptor, .gone: isStill(startedAt: nil)
    case .accepted: isStill(startedAt: Caller.startTime(of: pid))
    }
  }

  /// Gets the kernel's evidence for the peer of `descriptor`, a connected Unix socket.
  package convenience init(of descriptor: Int32, now: BootTime) {
    var process: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    if getsockopt(descriptor, SOL_SOCKET, ritual_so_peerpidfd, &process, &size) == 0 {
      self.init(.descriptor(process))
    } else {
      self.init(errno == ENOPROTOOPT ? .accepted(now) : .gone)
    }
  }
}
