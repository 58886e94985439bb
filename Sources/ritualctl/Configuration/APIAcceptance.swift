import AgentClient
import AgentProtocol

/// Accepts the API that `init --update` names for the stored sessions of the project, as `ritualctl use-api` does. A session is
/// bound to the API of its sign-in, and only the user may change that.
struct APIAcceptance {
  private let common: CommonOptions
  private let project: String
  private let url: String

  init(_ common: CommonOptions, _ project: String, _ url: String) {
    (self.common, self.project, self.url) = (common, project, url)
  }

  /// Throws nothing, because the file is changed already. Warns about each account that still has the old API, and names the
  /// command to run.
  ///
  /// - Parameter agentHasRead: whether the agent runs with this very file.
  /// - Returns: the accounts that have accepted it.
  func run(agentHasRead: Bool, _ output: Output) -> [String] {
    guard agentHasRead else {
      warn(output, "the agent has not read it", "", "")
      return []
    }
    do {
      let connection = try common.connect()
      let accounts = try connection.call(SessionList.self).accounts
      guard !accounts.contains(where: { $0.state == .locked }) else {
        warn(output, "the vault is locked", "\n  ritualctl unlock", "")
        return []
      }
      return accounts.filter { $0.project == project && $0.hasSession }.map(\.name)
        .filter { accepts($0, connection, output) }
    } catch {
      warn(output, Failure(error), "")
      return []
    }
  }

  private func accepts(_ account: String, _ connection: AgentConnection, _ output: Output) -> Bool {
    do {
      _ = try connection.call(SessionUseAPI.self, AccountParams(account: account))
      return true
    } catch {
      warn(output, Failure(error), " --account \(ForeignText.shown(account))")
      return false
    }
  }

  private func warn(_ output: Output, _ failure: Failure, _ option: String) {
    warn(output, failure.message, failure.hints.map { "\n  " + $0 }.joined(), option)
  }

  private func warn(_ output: Output, _ reason: String, _ steps: String, _ option: String) {
    output.warning(
      "stored sessions are not used for \(ForeignText.shown(url)) yet: \(reason)\(steps)\n  ritualctl use-api\(option)")
  }
}

extension AccountStatus {
  /// Whether there is a session that the project's present origin issued.
  fileprivate var hasSession: Bool { ![.unauthenticated, .signInNeeded, .misconfigured].contains(state) }
}
