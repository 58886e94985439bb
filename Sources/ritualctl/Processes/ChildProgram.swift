import Glibc
import SystemSupport

/// A pipe (pipe(7)) whose ends no other program inherits, closed on deinit.
final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reading)
    closeWriting()
  }

  /// The reader sees the end of the stream when no program holds the write end.
  func closeWriting() {
    guard writing >= 0 else { return }
    close(writing)
    writing = -1
  }
}

/// Runs a program and captures its output.
enum CapturedTool {
  /// The maximum size of the input and of the output that is kept: up to the size of a pipe's buffer
  /// (pipe(7)), writing does not wait for a reader.
  private static let limit = 64 * 1024

  /// The output of a program, which is looked up in PATH.
  ///
  /// - Parameter duration: the maximum time to read, and to wait for the end; then the program is killed.
  /// - Returns: nil unless the program ended with status 0.
  /// - Throws: if the program cannot be started.
  static func run(
    _ program: String, _ arguments: [String], input: String = "", within duration: Duration = .seconds(5)
  ) throws -> String? {
    let failure = Failure(.failed, "\(program) cannot be started")
    guard input.utf8.count <= limit, let (content, output) = Pipe().flatMap({ first in Pipe().map { (first, $0) } })
    else { throw failure }
    try Descriptor.writeAll(content.writing, Array(input.utf8))
    content.closeWriting()
    let child = ChildProcess(
      [program] + arguments, input: .descriptor(content.reading), output: .descriptor(output.writing))
    guard let pid = try? child.start() else { throw failure }
    output.closeWriting()
    let text = text(from: output.reading, until: .now + duration)
    return end(of: pid, until: .now + duration) == 0 ? text : nil
  }

  private static func text(from descriptor: Int32, until deadline: ContinuousClock.Instant) -> String {
    var bytes: [UInt8] = []
    while bytes.count < limit, ContinuousClock.now < deadline {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // Waits in steps, so that the deadline is checked every 100 ms.
      guard poll(&entry, 1, 100) > 0 else { continue }
      guard let part = try? Descriptor.read(descriptor, count: 4096), !part.isEmpty else { break }
      bytes += part
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The exit status, 128 plus the number for a signal.
  private static func end(of pid: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
    if let status = ChildProcess.exitStatus(of: pid, until: deadline) { return status }
    kill(pid, SIGKILL)
    return ChildProcess.exitStatus(of: pid)
  }
}
