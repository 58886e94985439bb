import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// Ends the running agent, and keeps systemd from starting it with the next request.
struct AgentStop {
  /// The process that answered; nil where none did.
  let pid: Int32?
  /// Whether the agent is the one of the user's units.
  let stopsUnits: Bool

  private static let units = ["ritual-agent.socket", "ritual-agent.service"]
  /// By itself: systemctl disables none of several where one is not installed.
  private static let desktop = "ritual-notify.service"

  /// Asks it to end; that it has ended is told by its `VaultEntrance`.
  func run() throws {
    if stopsUnits {
      // Without a user manager, or without the units, both fail: then nothing starts it either.
      _ = DesktopTool.run("systemctl", ["--user", "stop"] + Self.units)
      _ = DesktopTool.run("systemctl", ["--user", "disable"] + Self.units)
      _ = DesktopTool.run("systemctl", ["--user", "disable", "--now", Self.desktop])
    }
    guard let pid, isAgent(pid), kill(pid, SIGTERM) != 0, errno != ESRCH else { return }
    throw Failure(.failed, "the agent cannot be stopped: \(words(of: errno))", hint: "kill \(pid)")
  }

  /// Whether the process is an agent of ours: the number may come from another container, or be given to another process
  /// since. What is left is the moment between this look and the signal, and then only a process of the user's is hit.
  private func isAgent(_ pid: Int32) -> Bool {
    var status = stat()
    guard stat("/proc/\(pid)", &status) == 0, status.st_uid == geteuid() else { return false }
    // proc(5): the name is readable also of a process that may not be traced.
    let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
    return name == "ritual-agentd\n"
  }
}

/// The vault's lock: while it is held no agent has the vault open, and none can open it.
final class VaultEntrance {
  private let descriptor: Int32

  /// Longer than a stop may take: `TimeoutStopSec=` of the unit.
  private static let patience = Duration.seconds(20)
  private static let pause: useconds_t = 50_000

  /// Waits until the agent has left the vault. Where there is no vault nothing is waited for.
  ///
  /// - Throws: where it is still there after 20 s.
  init(state: String) throws {
    descriptor = open(state + "/vault/lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    let end = ContinuousClock.now.advanced(by: Self.patience)
    while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now < end else {
        throw Failure(
          .failed, "an agent still has the vault open; nothing was removed",
          hint: "end ritual-agentd, then once more: ritualctl reset")
      }
      usleep(Self.pause)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
