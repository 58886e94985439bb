import AgentClient
import AgentProtocol
import Glibc

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
  /// Whose earlier sign-outs the server was not told of yet: the agent would go on trying, and a reset forgets them.
  private let owed: [String]
  /// Where the agent keeps its vault; nil where it does not say.
  let stateFolder: String?
  /// Why no session can be ended; nil where they can.
  private let obstacle: String?
  /// The agent's process; nil where none answers.
  let pid: Int32?

  /// As long as the agent waits for the server's answer to a sign-out, and how often it is asked, in microseconds.
  private static let patience = Duration.seconds(3)
  private static let pause: useconds_t = 100_000

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
      (owed, stateFolder) = (status.unrevoked ?? [], status.stateFolder)
    } catch let error as AgentClientError where [.unreachable, .timedOut, .disconnected].contains(error.code) {
      (connection, pid, accounts, owed, stateFolder) = (nil, nil, names, [], nil)
      obstacle = "the agent does not answer"
    } catch let error as AgentError where error.kind == .misconfigured {
      (connection, pid, accounts, owed, stateFolder) = (nil, nil, names, [], nil)
      obstacle = "the agent cannot start, for its configuration has a mistake"
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
    let debts = owed.isEmpty ? [] : ["the server still waits to be told of earlier sign-outs: \(Self.shown(owed))"]
    return ([sessions] + debts).joined(separator: "\n")
  }

  private var sessions: String {
    guard !accounts.isEmpty else { return "nobody is signed in" }
    guard let obstacle else { return "signs out of \(Self.shown(accounts))" }
    return "\(obstacle): the server is not told for \(Self.shown(accounts))"
  }

  private static func shown(_ names: [String]) -> String {
    names.map { ForeignText.shown($0) }.joined(separator: ", ")
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
    return (done, unrevoked + debts(besides: unrevoked.map(\.account)))
  }

  /// The earlier sign-outs that the server has not been told of by now: the agent has tried them again with those of today.
  private func debts(besides named: [String]) -> [UnrevokedSession] {
    guard !owed.isEmpty, let connection else { return [] }
    let end = ContinuousClock.now + Self.patience
    var left = owed
    repeat {
      left = (try? connection.call(AgentStatusMethod.self))?.unrevoked ?? left
      guard !left.isEmpty else { break }
      usleep(Self.pause)
    } while ContinuousClock.now < end
    return left.filter { !named.contains($0) }.map {
      UnrevokedSession(account: $0, reason: "the server could not be told of an earlier sign-out")
    }
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
