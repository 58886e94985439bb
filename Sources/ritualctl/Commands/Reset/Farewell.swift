import AgentClient
import AgentProtocol

/// A session that a reset removes here without its server knowing.
struct UnrevokedSession: Encodable {
  let account: String
  let reason: String

  /// What a person can still do.
  var words: String {
    "\(ForeignText.shown(account)): \(reason); its session may go on at the server\n"
      + "  sign in to it again, then: ritualctl sign-out --scope global"
  }
}

/// The last sign-out of all accounts. It tells as many servers as it can, and which it could not tell.
struct Farewell {
  private let connection: AgentConnection?
  private let accounts: [String]
  /// Why no session can be ended; nil where they can.
  private let obstacle: String?
  /// The agent's process; nil where none answers.
  let pid: Int32?

  /// Asks the agent what there is; `names` are the accounts that its files tell where it cannot be asked.
  init(_ common: CommonOptions, names: [String]) throws {
    do {
      let connection = try common.connect()
      let status = try connection.call(AgentStatusMethod.self)
      self.connection = connection
      pid = status.pid
      obstacle = Self.obstacle(status.vault.state)
      // Without a session there is nothing to end; with a locked vault nobody knows.
      accounts = status.accounts.filter { ![.unauthenticated, .signInNeeded].contains($0.state) }.map(\.name)
    } catch let error as AgentClientError where [.unreachable, .timedOut, .disconnected].contains(error.code) {
      (connection, pid, accounts) = (nil, nil, names)
      obstacle = "the agent does not answer"
    }
  }

  private static func obstacle(_ vault: String) -> String? {
    switch vault {
    case "open": nil
    case "copied": "the vault is a copy, and its sessions are another machine's"
    case "locked": "the vault is locked"
    default: "the vault cannot be opened"
    }
  }

  /// What is about to happen to the sessions, in words.
  var words: String {
    guard !accounts.isEmpty else { return "nobody is signed in" }
    let names = accounts.map { ForeignText.shown($0) }.joined(separator: ", ")
    guard let obstacle else { return "signs out of \(names)" }
    return "\(obstacle): the server is not told for \(names)"
  }

  /// Ends every session that can be ended; the others do not keep it from going on.
  func signOut() -> (done: [String], unrevoked: [UnrevokedSession]) {
    var done: [String] = []
    var unrevoked: [UnrevokedSession] = []
    for account in accounts {
      if let reason = reasonNotToEnd(account) {
        unrevoked.append(UnrevokedSession(account: account, reason: reason))
      } else {
        done.append(account)
      }
    }
    return (done, unrevoked)
  }

  private func reasonNotToEnd(_ account: String) -> String? {
    guard let connection, obstacle == nil else { return obstacle }
    do {
      let params = SessionSignOut.Params(account: account, scope: .local, all: nil)
      let result = try connection.call(SessionSignOut.self, params)
      return result.pending.isEmpty ? nil : "the server could not be told"
    } catch {
      return Failure(error).message
    }
  }
}
