import Logging
import ServiceLifecycle
import SessionEngine
import Synchronization
import SystemSupport

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
