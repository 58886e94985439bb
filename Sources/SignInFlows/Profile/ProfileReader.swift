import AgentProtocol
package import Logging
import ServiceLifecycle
import SessionEngine

/// Reads profiles in the background (SE-6). At a stop what runs is cut off: it is read again after the next start.
package struct ProfileReader: Service {
  package let profiles: ProfileService
  package let logger: Logger

  package init(profiles: ProfileService, logger: Logger) {
    (self.profiles, self.logger) = (profiles, logger)
  }

  func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask { await cancelWhenGracefulShutdown { await serve() } }
    }
  }

  private func serve() async {
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      for await name in profiles.accounts.profileRequests.names {
        if running == ProfileBounds.readers {
          await group.next()
          running -= 1
        }
        running += 1
        group.addTask { await read(name) }
      }
      group.cancelAll()
    }
  }

  private func read(_ name: String) async {
    do throws(AgentError) {
      try await profiles.readInBackground(name)
    } catch {
      guard error.kind != .cancelled else { return }
      logger.notice(
        "the profile could not be read; it is tried again after the next refresh",
        metadata: ["account": "\(name)", "kind": "\(error.kind.rawValue)"])
    }
  }
}
