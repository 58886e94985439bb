import Glibc

/// Describes an `errno` (strerror_r(3)). Safe from any thread.
package func errorDescription(_ errno: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  // The POSIX form returns 0 and fills the buffer, also for an unknown number.
  guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A system call that failed, with the `errno` it left.
package struct SystemCallError: Error, CustomStringConvertible {
  package let call: String
  package let errno: Int32

  package init(call: String, errno: Int32) { (self.call, self.errno) = (call, errno) }

  package var description: String { "\(call): \(errorDescription(errno))" }
}

/// Runs a system call, and repeats it while a signal interrupts it (EINTR, signal(7)).
@discardableResult
package func systemCall<Result: SignedInteger>(
  _ call: String, _ body: () -> Result
) throws(SystemCallError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemCallError(call: call, errno: code) }
  }
}

/// Whether the caller of this program ignores a signal (nohup, a background job of a script). Such a
/// signal stays ignored.
package func isIgnored(_ signal: Int32) -> Bool {
  var action = sigaction()
  sigaction(signal, nil, &action)
  // Swift cannot compare functions, only their addresses.
  return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// Windows Subsystem for Linux, where a browser on Windows reaches the loopback ports of Linux, too: through
/// a process of root, or without any socket here.
package enum WSL {
  /// True if this system has one of its markers: the release of its kernel, what starts Windows programs, or
  /// the directory of its sockets.
  package static let isPresent: Bool = {
    let release = Descriptor.contents(of: "/proc/sys/kernel/osrelease").map { String(decoding: $0, as: UTF8.self) }
    return release?.lowercased().contains("microsoft") == true
      || access("/proc/sys/fs/binfmt_misc/WSLInterop", F_OK) == 0
      || access("/run/WSL", F_OK) == 0
  }()
}

/// The credentials of a connection's peer at the time of connect(2), from the kernel (SO_PEERCRED,
/// unix(7)). On a client's socket, the peer is the process that called listen(2).
public struct Peer: Sendable, Hashable {
  // The layout of struct ucred, which the Glibc module does not export.
  public var pid: Int32
  public var uid: UInt32
  public var gid: UInt32

  public init(pid: Int32, uid: UInt32, gid: UInt32) { (self.pid, self.uid, self.gid) = (pid, uid, gid) }

  /// Reads the credentials of the peer of `descriptor`; nil if SO_PEERCRED fails.
  public init?(of descriptor: Int32) {
    self.init(pid: 0, uid: 0, gid: 0)
    var size = socklen_t(MemoryLayout<Peer>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &self, &size) == 0 else { return nil }
  }
}

/// Reading and writing whole files and streams by their descriptors. Blocks.
package enum Descriptor {
  /// A size that needs few calls for a usual file.
  private static let pageSize = 65_536

  /// Opens /dev/null at each standard descriptor that is closed, so that no later file or socket gets its
  /// number and is read or printed to by mistake. A use of it still fails with EBADF. Call first.
  package static func occupyStandardNumbers() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      // open(2) returns the lowest free number.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Waits for at most `count` bytes of a stream; empty at its end.
  package static func read(_ descriptor: Int32, count: Int) throws(SystemCallError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let filled = try systemCall("read") { Glibc.read(descriptor, &buffer, count) }
    buffer.removeLast(count - filled)
    return buffer
  }

  /// Reads until the end; stops soon after more than `limit` bytes, so that the caller sees the excess.
  package static func readAll(_ descriptor: Int32, limit: Int = .max) throws(SystemCallError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let part = try read(descriptor, count: pageSize)
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// Reads until `buffer` is full or the file ends; returns the number of bytes read.
  package static func readAll(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemCallError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = try systemCall("read") { Glibc.read(descriptor, buffer.baseAddress! + done, buffer.count - done) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes all bytes; a short write is continued.
  package static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      done += try systemCall("write") { Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done) }
    }
  }

  package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemCallError) {
    try bytes.span.withUnsafeBytes { (bytes) throws(SystemCallError) in try writeAll(descriptor, bytes) }
  }

  /// The content of the file at `path`; nil if it cannot be opened or read. Neither a FIFO nor a terminal makes it wait.
  package static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try? readAll(descriptor)
  }
}
