import CSystemd
import Glibc

/// Keeps the process's memory to itself (VA-1).
public enum ProcessHardening {
  /// No core dump (setrlimit(2), RLIMIT_CORE), and none by way of a core handler or a debugger of the same user
  /// (PR_SET_DUMPABLE, prctl(2)). A crash prints no backtrace either: the Swift runtime has installed its signal handlers by now,
  /// and SWIFT_BACKTRACE of the environment can have them print memory. Call it first thing.
  ///
  /// - Returns: what could not be done, in words; empty if all could.
  public static func apply() -> [String] {
    var failures: [String] = []
    if ritual_set_limit(Int32(RLIMIT_CORE.rawValue), 0) != 0 {
      failures.append("core dumps could not be switched off")
    }
    if ritual_set_not_dumpable() != 0 { failures.append("the process could not be made undumpable") }
    for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(crash, SIG_DFL) }
    return failures
  }
}
