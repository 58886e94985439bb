import Glibc
import SystemSupport

/// A child process, killed on deinit if it is still running.
final class ChildProgram {
  private let pid: pid_t
  private var status: Int32?

  /// Starts `program`, looked up in PATH. Returns nil if it cannot be started.
  /// - Parameters:
  ///   - input: the descriptor for standard input; by default it is empty.
  ///   - output: the descriptor for standard output; by default /dev/null, where standard error
  ///     always goes.
  init?(_ program: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil) {
    let child = ChildProcess(
      [program] + arguments, input: input.map { .descriptor($0) } ?? .nothing,
      output: output.map { .descriptor($0) } ?? .nothing)
    guard let pid = try? child.start() else { return nil }
    self.pid = pid
  }

  deinit {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    _ = end(within: .seconds(5))
  }

  /// Waits for the end and returns the exit status, 128 plus the number for a signal; nil if the
  /// process still runs after `duration`.
  func end(within duration: Duration) -> Int32? {
    let deadline = ContinuousClock.now + duration
    while status == nil {
      var raw: Int32 = 0
      let result = waitpid(pid, &raw, WNOHANG)
      if result == pid { status = ChildProcess.exitStatus(raw) }
      if result < 0, errno != EINTR { status = -1 }
      guard status == nil, ContinuousClock.now < deadline else { break }
      // waitpid(2) has no timeout; a person does not notice 5 ms.
      usleep(5000)
    }
    return status
  }
}

/// The read end of a pipe that contains a text, for a child process.
final class ChildInput {
  let descriptor: Int32

  /// The size of a pipe's buffer (pipe(7)), up to which writing does not wait for a reader.
  private static let limit = 64 * 1024

  init?(_ text: String) {
    var ends: [Int32] = [-1, -1]
    guard text.utf8.count <= Self.limit, pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    guard (try? Descriptor.writeAll(ends[1], Array(text.utf8))) != nil else { return nil }
  }

  deinit { close(descriptor) }
}

/// The read end of a pipe, whose write end is for a child process.
final class ChildOutput {
  private let reading: Int32
  private var writing: Int32

  /// The maximum output that is kept, in bytes.
  private static let limit = 64 * 1024

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    // The child gets the write end as its standard output; no other program inherits it.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reading)
    if writing >= 0 { close(writing) }
  }

  var descriptor: Int32 { writing }

  /// Reads output until its end or the end of `duration`. Called once, after the start.
  func text(within duration: Duration) -> String {
    close(writing)
    writing = -1
    let deadline = ContinuousClock.now + duration
    var bytes: [UInt8] = []
    while bytes.count < Self.limit, ContinuousClock.now < deadline {
      var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      // Waits in steps, so that the deadline is checked every 100 ms.
      guard poll(&entry, 1, 100) > 0 else { continue }
      guard let part = try? Descriptor.read(reading, count: 4096), !part.isEmpty else { break }
      bytes += part
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Runs a program and captures its output.
enum CapturedTool {
  /// The program's output; nil unless it ended with status 0. Reading and waiting take at most
  /// `duration` each.
  static func output(_ program: String, _ arguments: [String], within duration: Duration = .seconds(5)) -> String? {
    guard let output = ChildOutput(), let child = ChildProgram(program, arguments, output: output.descriptor) else {
      return nil
    }
    let text = output.text(within: duration)
    return child.end(within: duration) == 0 ? text : nil
  }
}
