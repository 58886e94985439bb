import AgentProtocol
import CSystemd
import Glibc
import SystemSupport

/// Tells the service manager how the agent does (sd_notify(3)). Without `NOTIFY_SOCKET` in the environment it does
/// nothing. Safe from any thread.
public struct Notifier: Sendable {
  public init() {}

  /// Whether there is a manager to tell.
  public var isHeard: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// The agent answers its socket.
  public func ready(_ status: String? = nil) { send("READY=1" + (status.map { "\nSTATUS=\(shown($0))" } ?? "")) }

  /// The configuration is read again; `ready` has to follow (sd_notify(3)).
  public func reloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
  }

  /// What `systemctl status` shows.
  public func status(_ status: String) { send("STATUS=\(shown(status))") }

  /// A stop has begun.
  public func stopping() { send("STOPPING=1\nSTATUS=stopping") }

  /// The agent is alive.
  public func watchdog() { send("WATCHDOG=1") }

  /// Has the manager keep a copy of `descriptor` over restarts and crashes (sd_pid_notify_with_fds(3)), in the place of one of
  /// that name; it comes back among the passed sockets. The unit needs `FileDescriptorStoreMax=`.
  func keep(_ descriptor: Int32, as name: String) {
    drop(name)
    _ = withUnsafePointer(to: descriptor) {
      sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", $0, 1)
    }
  }

  /// Has the manager let go of what it keeps under that name.
  func drop(_ name: String) { send("FDSTOREREMOVE=1\nFDNAME=\(name)") }

  /// How often `watchdog` has to be called at least (sd_watchdog_enabled(3)); nil where the manager does not watch.
  public var watchdogTimeout: Duration? {
    var microseconds: UInt64 = 0
    return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
  }

  /// A line break in the words would begin another assignment.
  private func shown(_ words: String) -> String { ForeignText.shown(words) }

  private func send(_ state: String) {
    // Its failure is no reason to serve worse: the manager then sees a start or a watchdog that timed out.
    _ = sd_notify(0, state)
  }
}
