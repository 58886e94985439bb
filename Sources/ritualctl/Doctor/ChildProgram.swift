import Glibc
import SystemSupport

/// A program that runs beside this one. Killed when it goes, if it has not ended.
final class ChildProgram {
  private let pid: pid_t
  private var status: Int32?

  /// Starts `program`, looked up in PATH, with nothing on standard input; nil where it cannot be started.
  /// - Parameters:
  ///   - environment: `NAME=value`; by default this program's own.
  ///   - output: the descriptor for standard output; by default /dev/null. Standard error always goes there.
  init?(_ program: String, _ arguments: [String], environment: [String]? = nil, output: Int32? = nil) {
    let child = ChildProcess(
      [program] + arguments, environment: environment, output: output.map { .descriptor($0) } ?? .nothing)
    guard let pid = try? child.start() else { return nil }
    self.pid = pid
  }

  deinit { kill() }

  /// kill -9, and the end of it.
  func kill() {
    guard status == nil else { return }
    Glibc.kill(pid, SIGKILL)
    _ = end(within: .seconds(5))
  }

  /// SIGTERM; killed where that does not help within 5 s.
  func stop() {
    guard status == nil else { return }
    Glibc.kill(pid, SIGTERM)
    if end(within: .seconds(5)) == nil { kill() }
  }

  /// The exit status, 128 and the signal's number for a signal; nil while it still runs after `duration`.
  func end(within duration: Duration) -> Int32? {
    let deadline = ContinuousClock.now + duration
    while status == nil {
      var raw: Int32 = 0
      let result = waitpid(pid, &raw, WNOHANG)
      if result == pid { status = ChildProcess.exitStatus(raw) }
      if result < 0, errno != EINTR { status = -1 }
      guard status == nil, ContinuousClock.now < deadline else { break }
      // waitpid(2) knows no time limit; 5 ms are short to a person.
      usleep(5000)
    }
    return status
  }
}

/// The read end of a pipe whose write end a child gets.
final class ChildOutput {
  private let reading: Int32
  private var writing: Int32

  /// The most that is kept of what a program prints.
  private static let limit = 64 * 1024

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    // The child gets it as its standard output, and no other program gets it at all.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reading)
    if writing >= 0 { close(writing) }
  }

  var descriptor: Int32 { writing }

  /// What came until `isEnough`, the end of the output or the end of `duration`. To be called once, after the start.
  func text(within duration: Duration, isEnough: (String) -> Bool = { _ in false }) -> String {
    close(writing)
    writing = -1
    let deadline = ContinuousClock.now + duration
    var bytes: [UInt8] = []
    while bytes.count < Self.limit, ContinuousClock.now < deadline {
      var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      // In steps, for a signal's sake; rounded so that no loop spins.
      guard poll(&entry, 1, 100) > 0 else { continue }
      guard let part = try? Descriptor.read(reading, count: 4096), !part.isEmpty else { break }
      bytes += part
      if isEnough(String(decoding: bytes, as: UTF8.self)) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A program that is run for what it prints.
enum CapturedTool {
  /// Its output, if it ended well within `duration`.
  static func output(_ program: String, _ arguments: [String], within duration: Duration = .seconds(5)) -> String? {
    guard let output = ChildOutput(), let child = ChildProgram(program, arguments, output: output.descriptor) else {
      return nil
    }
    let text = output.text(within: duration)
    return child.end(within: duration) == 0 ? text : nil
  }
}
