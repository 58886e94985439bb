import Dispatch
import Glibc
import Logging
public import ServiceLifecycle
import SessionEngine
import Synchronization
import SystemSupport

/// Asks an agent to stop, and ends the process where it does not (OP-8). Safe from any thread.
///
/// Everything that waits at a stop has a deadline. The limit is for what has none: a disk that does not answer, and
/// mistakes. Stored sessions are durable by then, and the kernel releases the vault's lock. The exit status is 0, or that of
/// the command of `ritual-agentd -- CMD`.
public final class AgentStop: Service {
  /// The command of `ritual-agentd -- CMD` has 5 s, requests have 3 s, connections 2 s more, and closing takes about 2 s.
  private static let limit: DispatchTimeInterval = .seconds(13)
  /// The journal hears of it a second before, on another thread: writing to it may be what hangs.
  private static let notice: DispatchTimeInterval = .seconds(12)

  private let requested = SettledValue<Void>()
  private let isArmed = Atomic(false)
  private let exitStatus = Mutex<@Sendable () -> Int32>({ 0 })

  public init() {}

  /// Asks for the stop. An agent that has not begun to serve stops as soon as it does. Further calls have no effect.
  public func request() {
    arm()
    requested.settle(())
  }

  /// - Parameter exitStatus: asked when the limit is reached.
  func endWith(_ exitStatus: @escaping @Sendable () -> Int32) { self.exitStatus.withLock { $0 = exitStatus } }

  /// Returns when a stop is asked for, which is to stop the group, or when the group stops for another reason. As the last
  /// service of its group it is the first to hear of it.
  public func run() async throws {
    _ = await cancelWhenGracefulShutdown { [requested] in try? await requested.wait() }
    arm()
  }

  /// Starts the countdown, on threads outside the cooperative pool: that may be what is stuck.
  private func arm() {
    guard !isArmed.exchange(true, ordering: .relaxed) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.notice) {
      Logger(label: "ritual-agent").error(
        "the agent did not end in time and exits now", metadata: JournalEvent.stalled.with(["part": "stop"]))
    }
    DispatchQueue(label: "stop-limit").asyncAfter(deadline: .now() + Self.limit) { [self] in
      _exit(exitStatus.withLock { $0 }())
    }
  }
}
