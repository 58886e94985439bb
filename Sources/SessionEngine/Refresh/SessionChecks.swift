import ServiceLifecycle
import SupabaseAuth
import SystemSupport

/// Asks a server whether it still knows restored sessions (SE-3), a few at a time, and in the background of all else.
struct SessionChecks {
  /// Questions to one project side by side: a thousand accounts at a start are no reason to storm a server, and each question
  /// under way costs some ten kilobytes.
  static let sideBySide = 4

  let accounts: Accounts

  /// Until the line ends. What waits at a stop is not begun: the next start asks again.
  func serve(_ requests: AsyncStream<CheckRequest>) async {
    await withTaskGroup(of: Void.self) { group in
      var line = requests.cancelOnGracefulShutdown().makeAsyncIterator()
      var running = 0
      while true {
        if running == Self.sideBySide {
          await group.next()
          running -= 1
        }
        // The end comes into the line behind what waits in it.
        guard let request = await line.next(), !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
        running += 1
        group.addTask { await ask(request) }
      }
    }
  }

  func ask(_ request: CheckRequest) async {
    guard let check = await accounts.check(request) else { return }
    await accounts.checked(check, await accounts.requests.run { await answer(to: check) })
  }

  private func answer(to check: SessionCheck) async -> Result<User, AuthError> {
    do {
      return .success(try await check.project.server.user(check.token))
    } catch {
      return .failure(error)
    }
  }
}
