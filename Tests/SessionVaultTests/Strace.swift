import FoundationEssentials
import Glibc
import TestKit

/// strace(1), attached to this process. For exit tests only, because injected faults cannot be
/// removed.
enum Strace {
  static let path = "/usr/bin/strace"
  static let isThere = access(path, X_OK) == 0

  /// The value that strace injects as the result of getppid(2), which shows that it traces the
  /// calling thread.
  private static let mark: pid_t = 424_242

  struct Unusable: Error {}

  /// Traces this process from now on, into `log`; `faults` are expressions for `inject=`. Returns
  /// once the calling thread is traced.
  static func attach(calls: String, faults: [String] = [], log: String) throws {
    allowTracing()
    let arguments =
      [path, "-f", "-qq", "-y", "-s", "0", "-o", log, "-e", "trace=getppid," + calls]
      + ["-e", "inject=getppid:retval=\(mark)"] + faults.flatMap { ["-e", "inject=" + $0] }
      + ["-p", "\(getpid())"]
    try spawn(arguments)
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while getppid() != mark {
      guard clock.now < deadline else { throw Unusable() }
      sched_yield()
    }
  }

  /// Allows any process to trace this one: under Yama only a parent may trace by default
  /// (prctl(2)).
  private static func allowTracing() {
    typealias Prctl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    // PR_SET_PTRACER, PR_SET_PTRACER_ANY.
    _ = unsafeBitCast(dlsym(nil, "prctl"), to: Prctl.self)(0x5961_6d61, UInt.max, 0, 0, 0)
  }

  private static func spawn(_ arguments: [String]) throws {
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var pid: pid_t = 0
    let error = withSpawnAttributes { posix_spawn(&pid, path, nil, $0, &pointers, environ) }
    guard error == 0 else { throw Unusable() }
  }

  /// Returns the successful calls in the log, in order: names and arguments, with the paths of
  /// descriptors.
  static func calls(in log: String) throws -> [String] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
      .map { $0.drop { $0.isNumber || $0 == " " } }.filter { !$0.hasPrefix("getppid") && !$0.contains(" = -1 ") }
      .map(String.init)
  }
}
