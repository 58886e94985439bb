import Dispatch
import Glibc
import Logging
import ServiceLifecycle
import Synchronization

/// The last resort of a stop (OP-8): a process that has not ended by itself after `limit` ends here, with exit status 0.
///
/// Everything that waits at a stop has a deadline, so this is for what has none: a disk that does not answer, and mistakes.
/// What was stored is durable, and the kernel releases the vault's lock. It runs on a queue of its own, since the
/// cooperative pool may be what is stuck.
final class StopLimit: Service {
  /// The command of `ritual-agentd -- CMD` has 5 s, requests have 3 s, connections 2 s more, and closing takes about 2 s.
  static let limit: DispatchTimeInterval = .seconds(13)

  private let logger: Logger
  private let exitStatus: @Sendable () -> Int32
  private let isArmed = Atomic(false)

  /// - Parameter exitStatus: asked when the limit is reached.
  init(logger: Logger, exitStatus: @escaping @Sendable () -> Int32) {
    self.logger = logger
    self.exitStatus = exitStatus
  }

  /// Arms the limit at the stop. As the last service of its group it is the first to hear of it.
  func run() async throws {
    try? await gracefulShutdown()
    arm()
  }

  /// Starts the countdown. Further calls have no effect.
  func arm() {
    guard !isArmed.exchange(true, ordering: .relaxed) else { return }
    DispatchQueue(label: "stop-limit").asyncAfter(deadline: .now() + Self.limit) { [logger, exitStatus] in
      logger.error("the agent did not end in time and exits now", metadata: JournalEvent.stalled.with(["part": "stop"]))
      _exit(exitStatus())
    }
  }
}
