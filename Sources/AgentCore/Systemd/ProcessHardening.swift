import CSystemd
import Glibc

/// Keeps the process's memory to itself (VA-1).
public enum ProcessHardening {
  /// No core dump (setrlimit(2), RLIMIT_CORE), and none by way of a core handler or a debugger of the same user
  /// (PR_SET_DUMPABLE, prctl(2)). Call it first thing.
  ///
  /// - Returns: what could not be done, in words; empty if all could.
  public static func apply() -> [String] {
    var failures: [String] = []
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    if setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) != 0 {
      failures.append("core dumps could not be switched off")
    }
    if ritual_set_not_dumpable() != 0 { failures.append("the process could not be made undumpable") }
    return failures
  }
}
