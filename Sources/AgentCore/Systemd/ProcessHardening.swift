import CSystemd
import Glibc

/// The limit of open descriptors (getrlimit(2), RLIMIT_NOFILE).
public enum DescriptorLimit {
  /// `LimitNOFILE=` of the unit: room for all connections of egress, with two descriptors each, and
  /// for everything else.
  package static let wanted: UInt64 = 8192

  /// Raises the soft limit to what the agent can use, as far as the hard limit permits. A session
  /// usually has a soft limit of 1024 for programs that call select(2). A failure leaves room for
  /// fewer connections.
  public static func raise() { _ = ritual_raise_soft_limit(Int32(RLIMIT_NOFILE.rawValue), wanted) }
}

/// Keeps the memory of the process private.
public enum ProcessHardening {
  /// Disables core dumps (setrlimit(2), RLIMIT_CORE), also through a core handler, and debuggers of
  /// the same user (PR_SET_DUMPABLE, prctl(2)). Disables backtraces of crashes as well: the Swift
  /// runtime has already installed its signal handlers, and SWIFT_BACKTRACE in the environment can
  /// make them print memory. Must be called first.
  ///
  /// - Returns: a message for each step that failed; empty on success.
  public static func apply() -> [String] {
    var failures: [String] = []
    if ritual_set_limit(Int32(RLIMIT_CORE.rawValue), 0) != 0 {
      failures.append("core dumps could not be disabled")
    }
    if ritual_set_not_dumpable() != 0 { failures.append("the process could not be made non-dumpable") }
    for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(crash, SIG_DFL) }
    return failures
  }
}
