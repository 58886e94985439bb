import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// A connected Unix stream socket (unix(7)), closed on deinit. No call raises SIGPIPE or waits past
/// its deadline.
package struct UnixStream: ~Copyable {
  let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Connects to a server that runs as the user `uid`. While its backlog is full, waits at most `limit`.
  ///
  /// - Throws: `.unreachable` with the command that helps, `.forbidden`, `.foreignServer`, or `.timedOut`.
  package static func connect(
    to path: String, within limit: Duration, uid: UInt32
  ) throws(AgentClientError) -> UnixStream {
    let stream = try connect(to: path, within: limit)
    let serverUID = stream.serverUID
    guard serverUID == uid else { throw AgentClientError.foreignServer(path, uid: serverUID) }
    return stream
  }

  private static func connect(to path: String, within limit: Duration) throws(AgentClientError) -> UnixStream {
    var address = try socketAddress(path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw AgentClientError.unreachable(path, errno: errno, hasSocket: false) }
    let stream = UnixStream(descriptor: descriptor)
    var sendTimeout = PollDeadline(after: limit).socketTimeout
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &sendTimeout, socklen_t(MemoryLayout<timeval>.size))
    let result = retried {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    guard result == 0 else {
      // EAGAIN: SO_SNDTIMEO expired while the server's backlog was full (connect(2)).
      throw errno == EAGAIN
        ? AgentClientError.timedOut(after: limit, "its queue of connections is full: \(ServiceManager.restartAgent)")
        : AgentClientError.unreachable(path, errno: errno, hasSocket: true)
    }
    return stream
  }

  /// The uid of the process that called listen(2) at the other end.
  private var serverUID: UInt32? { Peer(of: descriptor)?.uid }

  /// Why the server does not answer, as far as the kernel tells about its process, and the next step.
  package var silence: String {
    let again = "try again, or: \(ServiceManager.restartAgent)"
    guard let listener = Peer(of: descriptor)?.pid, let process = ServerProcess(of: listener) else {
      return "its process cannot be seen; \(again)"
    }
    guard process.isAgent || process.name != ServerProcess.manager else {
      return "the service manager has not started it yet; \(again)"
    }
    let who = "\(process.isAgent ? "it" : ForeignText.shown(process.name)) (pid \(process.pid))"
    return process.isStopped
      ? "\(who) is stopped; to continue it: kill -CONT \(process.pid)" : "\(who) runs, but is busy; \(again)"
  }

  /// Sends all of `bytes`. `stall` is the maximum time in which the server reads nothing.
  func send(_ bytes: Data, stall: Duration) throws(AgentClientError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try rest.withUnsafeBytes { bytes in
        Result { () throws(AgentClientError) in try sendSome(of: bytes) }
      }.get()
      rest = rest.dropFirst(count)
      guard count > 0 || ready(POLLOUT, deadline: PollDeadline(after: stall)) != 0 else {
        throw AgentClientError.timedOut(after: stall, silence)
      }
    }
  }

  /// Sends as much as the socket takes at once, and returns the number of bytes.
  package func sendSome(of bytes: UnsafeRawBufferPointer) throws(AgentClientError) -> Int {
    let count = Self.retried { Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.flags) }
    guard count < 0 else { return count }
    guard errno == EAGAIN else { throw AgentClientError.disconnected(errno: errno) }
    return 0
  }

  /// Waits for data and reads what is available into `buffer`. Returns nil if nothing arrived
  /// before `deadline`, 0 at the end of the stream.
  package func receive(
    into buffer: UnsafeMutableRawBufferPointer, deadline: PollDeadline
  ) throws(AgentClientError) -> Int? {
    while true {
      let count = Self.retried { recv(descriptor, buffer.baseAddress, buffer.count, Self.flags) }
      if count >= 0 { return count }
      guard errno == EAGAIN else { throw AgentClientError.disconnected(errno: errno) }
      guard ready(POLLIN, deadline: deadline) != 0 else { return nil }
    }
  }

  private static let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

  /// Waits for one of `events`, and returns those that have happened (poll(2)); 0 at the deadline.
  package func ready(_ events: Int32, deadline: PollDeadline) -> Int32 {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let result = poll(&entry, 1, deadline.pollTimeout)
      if result < 0 && errno == EINTR { continue }
      return result > 0 ? Int32(entry.revents) : 0
    }
  }

  /// Repeats a system call while a signal interrupts it (EINTR, signal(7)).
  private static func retried<Result: BinaryInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }

  private static func socketAddress(_ path: String) throws(AgentClientError) -> sockaddr_un {
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !path.isEmpty, path.utf8.count <= room, !path.utf8.contains(0) else {
      throw AgentClientError(
        .unreachable, "the socket path must have 1 to \(room) bytes", hint: "use another path with --socket")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }
}

/// The process that serves a socket, from proc(5).
private struct ServerProcess {
  static let manager = "systemd"

  let pid: Int32
  let name: String
  let isStopped: Bool

  var isAgent: Bool { name == "ritual-agentd" }

  /// The agent that systemd started, if it listens for the agent; else the listening process itself. Nil if
  /// the process is not visible here.
  init?(of listener: Int32) {
    guard let process = ServerProcess(pid: listener) else { return nil }
    let children = process.name == Self.manager ? Self.read("\(listener)/task/\(listener)/children") : nil
    let found = (children ?? "").split(separator: " ").lazy.compactMap { Int32($0) }.compactMap {
      ServerProcess(pid: $0)
    }
    self = found.first(where: \.isAgent) ?? process
  }

  private init?(pid: Int32) {
    guard let text = Self.read("\(pid)/stat"), let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
    else { return nil }
    self.pid = pid
    name = String(text[text.index(after: start)..<end])
    // The state follows the name: T is stopped, t is stopped by a tracer.
    isStopped = text[end...].dropFirst(2).first.map { "Tt".contains($0) } ?? false
  }

  private static func read(_ file: String) -> String? { try? String(contentsOfFile: "/proc/\(file)", encoding: .utf8) }
}

/// A deadline on CLOCK_MONOTONIC, the clock of poll(2), or no deadline.
package struct PollDeadline {
  private let nanoseconds: Int64?

  /// The deadline `duration` from now; nil means no deadline.
  package init(after duration: Duration?) {
    guard let duration else {
      nanoseconds = nil
      return
    }
    // The cap prevents overflow; a deadline in 30 years is as good as none.
    let seconds = min(duration.components.seconds, 1_000_000_000)
    nanoseconds = Self.now + seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
  }

  /// Milliseconds for poll(2): -1 without a deadline, 0 when the deadline has passed; rounded up so
  /// that no loop spins.
  var pollTimeout: Int32 {
    guard let nanoseconds else { return -1 }
    let left = max(0, nanoseconds - Self.now)
    return Int32(clamping: (left + 999_999) / 1_000_000)
  }

  /// The remaining time for SO_SNDTIMEO (socket(7)). Zero would mean no timeout, hence at least one
  /// millisecond.
  var socketTimeout: timeval {
    let milliseconds = Int(pollTimeout)
    guard milliseconds >= 0 else { return timeval(tv_sec: 0, tv_usec: 0) }
    return timeval(tv_sec: milliseconds / 1000, tv_usec: max(1000, milliseconds % 1000 * 1000))
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Splits a stream of bytes into lines of at most `limit` bytes. Each byte is searched for a
/// newline once, however the stream is fragmented.
struct LineReader {
  /// A line that is longer than the limit.
  struct Oversize: Error {}

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The start of the next line in `bytes`.
  private var start = 0
  /// The end of the part of `bytes` that is known to contain no newline after `start`.
  private var searched = 0

  init(limit: Int) { self.limit = limit }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Returns the next complete line without its newline, or nil if there is none yet.
  mutating func next() throws(Oversize) -> Data? {
    guard let end = newline() else {
      searched = bytes.count
      guard bytes.count - start <= limit else { throw Oversize() }
      return nil
    }
    guard end - start <= limit else { throw Oversize() }
    let line = Data(bytes[start..<end])
    start = end + 1
    searched = start
    return line
  }

  private func newline() -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, buffer.count > searched,
        let found = memchr(base + searched, 0x0A, buffer.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}

/// The kind of a message, decoded before its typed content.
enum IncomingLine {
  case notification(method: String)
  case answer(RequestID)

  init(_ line: Data) throws(AgentClientError) {
    let outline: Outline
    do {
      outline = try WireCoding.decode(Outline.self, from: line)
    } catch {
      throw AgentClientError.protocolViolation("it is not a JSON-RPC message", cause: error)
    }
    guard outline.jsonrpc == "2.0" else { throw AgentClientError.protocolViolation("it is not JSON-RPC 2.0") }
    if let method = outline.method {
      self = .notification(method: method)
    } else {
      self = .answer(outline.id ?? .null)
    }
  }

  private struct Outline: Decodable {
    var jsonrpc: String?
    var id: RequestID?
    var method: String?
  }
}
