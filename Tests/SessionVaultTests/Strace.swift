import FoundationEssentials
import Glibc
import TestKit

/// strace(1), put upon this very process: for exit tests only, since what it does to system calls stays.
enum Strace {
  static let path = "/usr/bin/strace"
  static let isThere = access(path, X_OK) == 0

  /// Which process this is, as strace lets it see from the moment that it sees every call of the thread.
  private static let mark: pid_t = 424_242

  struct Unusable: Error {}

  /// Traces this process from here on, into `log`; `faults` are expressions for `inject=`. Returns when the calling
  /// thread is traced.
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

  /// Where the kernel lets only parents trace (Yama), a child has to be allowed to: prctl(2).
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

  /// The calls in the log that succeeded, in order: name and arguments, with the paths of descriptors.
  static func calls(in log: String) throws -> [String] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
      .map { $0.drop { $0.isNumber || $0 == " " } }.filter { !$0.hasPrefix("getppid") && !$0.contains(" = -1 ") }
      .map(String.init)
  }
}
