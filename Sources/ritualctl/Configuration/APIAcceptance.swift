import AgentClient
import AgentProtocol

/// A session is bound to the API of its sign-in, and a change of it is asked for: who names another one to `init --update`
/// has asked. The sessions of the project accept it, as by `ritualctl use-api`.
struct APIAcceptance {
  private let common: CommonOptions
  private let project: String
  private let url: String

  init(_ common: CommonOptions, _ project: String, _ url: String) {
    (self.common, self.project, self.url) = (common, project, url)
  }

  /// Never fails: the file is changed. What could not be done is said, with the command that is left.
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
  /// One that the project's origin issued: another one is of no use until a new sign-in.
  fileprivate var hasSession: Bool { ![.unauthenticated, .signInNeeded, .misconfigured].contains(state) }
}
