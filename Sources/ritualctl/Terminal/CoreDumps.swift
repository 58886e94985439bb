import Glibc

/// Core dumps of this program would hold tokens and passwords (VA-1).
enum CoreDumps {
  /// For this process, and by inheritance for what it becomes.
  static func turnOff() { setLimit(to: 0) }

  /// Back to what the caller allowed, for a program that holds nothing of ours.
  static func allow() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    setLimit(to: limit.rlim_max)
  }

  private static func setLimit(to soft: rlim_t) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = soft
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
