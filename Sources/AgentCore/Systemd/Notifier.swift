import AgentProtocol
import CSystemd
import Glibc
import Logging
import ServiceLifecycle
import SessionEngine
import Synchronization
import SystemSupport

/// Reports the state of the agent to the service manager (sd_notify(3)). Does nothing without
/// `NOTIFY_SOCKET` in the environment. Thread-safe.
public struct Notifier: Sendable {
  public init() {}

  public var isManagerPresent: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// Reports that the agent answers its socket.
  public func ready(_ status: String? = nil) { send("READY=1" + (status.map { "\nSTATUS=\(shown($0))" } ?? "")) }

  /// Reports that a reload has begun. A call of `ready` must follow (sd_notify(3)).
  public func reloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
  }

  /// Sets the text that `systemctl status` shows.
  public func status(_ status: String) { send("STATUS=\(shown(status))") }

  /// Reports that a stop has begun.
  public func stopping() { send("STOPPING=1\nSTATUS=stopping") }

  /// Reports that the agent is alive.
  public func watchdog() { send("WATCHDOG=1") }

  /// Makes the manager keep a copy of `descriptor` over restarts and crashes
  /// (sd_pid_notify_with_fds(3)), instead of an earlier one of that name. The copy comes back among
  /// the passed sockets. The unit needs `FileDescriptorStoreMax=`.
  func keep(_ descriptor: Int32, as name: String) {
    drop(name)
    _ = withUnsafePointer(to: descriptor) {
      sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", $0, 1)
    }
  }

  /// Makes the manager close what it keeps under that name.
  func drop(_ name: String) { send("FDSTOREREMOVE=1\nFDNAME=\(name)") }

  /// Maximum time between two calls of `watchdog` (sd_watchdog_enabled(3)); nil if the manager does
  /// not watch.
  public var watchdogTimeout: Duration? {
    var microseconds: UInt64 = 0
    return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
  }

  /// Removes line breaks, which would begin another assignment.
  private func shown(_ words: String) -> String { ForeignText.shown(words) }

  private func send(_ state: String) {
    // A failure is ignored: the manager then sees a timeout of the start or of the watchdog.
    _ = sd_notify(0, state)
  }
}

/// Pings the service manager's watchdog while the agent works: all parts must respond before each
/// ping. A part that does not respond is named in the journal, and finally the manager restarts the
/// agent (WatchdogSec=, systemd.service(5)).
struct Watchdog: Service {
  /// A part that the agent cannot work without.
  struct Part: Sendable {
    let name: String
    /// Returns when the part has done any piece of work.
    let answers: @Sendable () async -> Void
  }

  /// Pings per WATCHDOG_USEC, so that a late ping does no harm; systemd recommends half the
  /// interval.
  private static let pingsPerTimeout = 4

  /// The manager's timeout; nil if the manager does not watch.
  let timeout: Duration?
  let parts: [Part]
  let clock: any AgentClock
  let logger: Logger
  let feed: @Sendable () -> Void

  func run() async throws {
    guard let timeout else { return }
    let pause = timeout / Self.pingsPerTimeout
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await allAnswer(within: pause)
        // A cancelled part may have returned without a response.
        guard !Task.isCancelled else { return }
        feed()
        try? await clock.sleep(for: pause)
      }
    }
  }

  /// Returns when all parts have responded, however late. Logs the parts that have not responded
  /// after `limit`.
  private func allAnswer(within limit: Duration) async {
    let silent = SilentParts(parts.map(\.name))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await complain(about: silent, after: limit) }
      await withTaskGroup(of: Void.self) { answers in
        for part in parts {
          answers.addTask {
            await part.answers()
            silent.remove(part.name)
          }
        }
      }
      group.cancelAll()
    }
  }

  private func complain(about silent: SilentParts, after limit: Duration) async {
    guard (try? await clock.sleep(for: limit)) != nil else { return }
    let names = silent.names.sorted().joined(separator: ", ")
    logger.error(
      "the agent is stalled: no watchdog notification sent",
      metadata: JournalEvent.stalled.with(["part": "\(names)"]))
  }
}

/// The names of the parts that have not responded yet. Thread-safe.
private final class SilentParts: Sendable {
  private let all: Mutex<Set<String>>

  init(_ names: [String]) { all = Mutex(Set(names)) }

  var names: Set<String> { all.withLock { $0 } }

  func remove(_ name: String) { all.withLock { _ = $0.remove(name) } }
}
