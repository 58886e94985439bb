public import Foundation
import Glibc
import Synchronization

/// The exit status and the output of a program.
public struct Output: Sendable {
  public let status: Int32
  public let stdout: String
  public let stderr: String

  public init(status: Int32, stdout: String, stderr: String) {
    (self.status, self.stdout, self.stderr) = (status, stdout, stderr)
  }
}

/// A running program, with its output in files. `stop` ends a program that has not ended by itself.
/// Foundation's `Process` is not used: it reads past the end of its descriptor list if there are
/// many, and crashes occasionally.
public final class RunningProgram: Sendable {
  private let output: URL
  private let errors: URL
  private let ended = Mutex<Int32?>(nil)
  public let pid: Int32

  /// Starts the program at `path`. `input` is its complete standard input; `descriptors` become its
  /// descriptors 3, 4, and so on.
  public init(
    _ path: String, _ arguments: [String], environment: [String: String], input: String? = nil, folder: URL,
    descriptors: [Int32] = []
  ) throws {
    let name = UUID().uuidString
    output = folder.appendingPathComponent("out-\(name)")
    errors = folder.appendingPathComponent("err-\(name)")
    let source = folder.appendingPathComponent("in-\(name)")
    try Data((input ?? "").utf8).write(to: source)
    pid = try Self.spawn(
      [path] + arguments, (environment.merging(Sanitizer.environment) { $1 }).map { "\($0)=\($1)" }, input: source,
      output: output, errors: errors,
      descriptors)
  }

  /// Calls posix_spawn(3). The child has descriptors 0 to 2 and the given ones; all others of this
  /// process must be close-on-exec.
  private static func spawn(
    _ arguments: [String], _ environment: [String], input: URL, output: URL, errors: URL,
    _ descriptors: [Int32]
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input.path, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // Copies far above the target numbers, so that no descriptor is overwritten before it is
    // duplicated.
    let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 500) }
    defer { for copy in copies { close(copy) } }
    for (number, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, Int32(3 + number)) }
    var pid: pid_t = 0
    let error = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        withSpawnAttributes { posix_spawn(&pid, arguments[0]!, &actions, $0, arguments, environment) }
      }
    }
    guard error == 0 else { throw ConditionTimeout(what: "the start of \(arguments[0]): errno \(error)") }
    return pid
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }

  public var stdout: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
  public var stderr: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
  public var isRunning: Bool { status == nil }

  /// The exit status, or 128 plus the number of the signal that ended the program; nil while it
  /// runs.
  private var status: Int32? {
    ended.withLock { ended in
      if let ended { return ended }
      var raw: Int32 = 0
      guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
      ended = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
      return ended
    }
  }

  /// Waits for the program to exit.
  public func end(within deadline: Duration = .seconds(60)) async throws -> Output {
    try await eventually(within: deadline, "the end of pid \(pid)") { status != nil }
    return Output(status: status ?? -1, stdout: stdout, stderr: stderr)
  }

  public func send(_ signal: Int32) { if isRunning { kill(pid, signal) } }

  /// Stops all threads of the program; SIGCONT resumes them.
  public func suspend() async throws { try await suspendProcess(pid) }

  /// Ends the program by SIGTERM, or by SIGKILL after 30 s.
  public func stop() async {
    send(SIGTERM)
    do {
      try await eventually(within: .seconds(30), "a clean stop") { !isRunning }
    } catch {
      send(SIGKILL)
      _ = try? await end()
    }
  }
}

/// Sends SIGSTOP and returns when every thread of the process has stopped (proc_pid_stat(5), state
/// `T`). On a busy machine, one thread takes the signal late, and the others run until then.
public func suspendProcess(_ pid: Int32) async throws {
  kill(pid, SIGSTOP)
  let tasks = "/proc/\(pid)/task"
  try await eventually("pid \(pid) stands still") {
    try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { thread in
      // A thread may have exited since the directory was read.
      guard let line = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8) else { return true }
      return line.split(separator: ")").last?.hasPrefix(" T") == true
    }
  }
}
