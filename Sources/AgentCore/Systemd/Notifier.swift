import AgentProtocol
import CSystemd
import Glibc
import Logging
import ServiceLifecycle
import SessionEngine
import Synchronization
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

/// Feeds the service manager's watchdog while the agent really works: before each feeding every part has to answer. A part
/// that does not is named in the journal, and in the end the manager starts the agent anew (WatchdogSec=,
/// systemd.service(5)).
struct Watchdog: Service {
  /// Something that the agent cannot work without.
  struct Part: Sendable {
    let name: String
    /// Returns when the part has done a piece of work, however small.
    let answers: @Sendable () async -> Void
  }

  /// Fed so many times in the manager's time: one that is late does no harm.
  private static let feedings = 4

  private let timeout: Duration?
  private let parts: [Part]
  private let clock: any AgentClock
  private let logger: Logger
  private let feed: @Sendable () -> Void

  /// `timeout` is the manager's time; nil where it does not watch.
  init(
    timeout: Duration?, parts: [Part], clock: any AgentClock, logger: Logger, feed: @escaping @Sendable () -> Void
  ) {
    (self.timeout, self.parts, self.clock, self.logger, self.feed) = (timeout, parts, clock, logger, feed)
  }

  func run() async throws {
    guard let timeout else { return }
    let pause = timeout / Self.feedings
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await allAnswer(within: pause)
        // Whoever was cancelled may have returned without an answer.
        guard !Task.isCancelled else { return }
        feed()
        try? await clock.sleep(for: pause)
      }
    }
  }

  /// Returns when all parts have answered, however late; says so after `limit` where some have not.
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
    logger.error("the agent stalls: the watchdog is not fed", metadata: JournalEvent.stalled.with(["part": "\(names)"]))
  }
}

/// The parts that have not answered yet.
private final class SilentParts: Sendable {
  private let all: Mutex<Set<String>>

  init(_ names: [String]) { all = Mutex(Set(names)) }

  var names: Set<String> { all.withLock { $0 } }

  func remove(_ name: String) { all.withLock { _ = $0.remove(name) } }
}
