import AgentClient
import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// A session that a reset removes on this machine, but that is not revoked on its server.
struct UnrevokedSession: Codable {
  /// The account's name.
  let account: String
  /// A readable reason.
  let reason: String

  /// The reason, and how the user can still end the session.
  var words: Words {
    "\(account): \(reason, limit: 1000); the session may still be active on the server\n"
      + "  sign in to the account again, then run: ritualctl sign-out --scope global"
  }
}

/// The final sign-out of all accounts. It revokes as many sessions as possible and reports the
/// others.
struct FinalSignOut {
  private let connection: AgentConnection?
  private let accounts: [String]
  /// The accounts of anonymous users, who are lost with their sessions.
  private(set) var anonymousAccounts: [String] = []
  /// The accounts with a pending revocation from an earlier sign-out. The agent would continue to
  /// retry, but a reset deletes its queue.
  private let pendingRevocations: [String]
  /// The agent's state directory; nil if the agent does not report it.
  let stateFolder: String?
  /// The agent's key file; nil if the agent does not report it.
  let keyFile: String?
  /// The reason why no session can be ended; nil if sessions can be ended.
  private let obstacle: String?
  /// The agent's process; nil if no agent answers.
  let pid: Int32?

  /// The time to wait for pending revocations, equal to the agent's timeout for a sign-out on the
  /// server, and the polling interval in microseconds.
  private static let revocationTimeout = Duration.seconds(3)
  private static let pause: useconds_t = 100_000

  /// Asks the agent for its accounts; `names` are the accounts from its files, used if it does not
  /// answer.
  init(_ common: CommonOptions, names: [String]) throws {
    do {
      let connection = try common.connect()
      let status = try connection.call(AgentStatusMethod.self, .init())
      self.connection = connection
      pid = status.pid
      obstacle = Self.obstacle(status.vault.state)
      // Without a session there is nothing to end; while the vault is locked, sessions are unknown.
      let signedIn = status.accounts.filter { !$0.isSignedOut }
      accounts = signedIn.map(\.name)
      (pendingRevocations, stateFolder, keyFile) = (status.unrevoked ?? [], status.stateFolder, status.keyFile)
      if obstacle == nil { anonymousAccounts = signedIn.filter { $0.user?.isAnonymous == true }.map(\.name) }
    } catch let error as AgentClientError where [.unreachable, .timedOut, .disconnected].contains(error.code) {
      (connection, pid, accounts, pendingRevocations, stateFolder, keyFile) = (nil, nil, names, [], nil, nil)
      obstacle = "the agent does not respond"
    } catch let error as AgentError where error.kind == .misconfigured {
      (connection, pid, accounts, pendingRevocations, stateFolder, keyFile) = (nil, nil, names, [], nil, nil)
      obstacle = "the agent cannot start because its configuration is invalid"
    }
  }

  private static func obstacle(_ vault: String) -> String? {
    switch vault {
    case "open": nil
    case "copied": "the vault is a copy, and its sessions belong to another machine"
    case "locked": "the vault is locked"
    default: "the vault cannot be opened"
    }
  }

  /// A description of what will happen to the sessions.
  var words: Words {
    guard !pendingRevocations.isEmpty else { return sessions }
    return "\(sessions)\nearlier sign-outs are still pending: \(pendingRevocations.listed())"
  }

  private var sessions: Words {
    guard !accounts.isEmpty else { return "no account is signed in" }
    guard let obstacle else { return "will sign out of \(accounts.listed())" }
    return "\(obstacle): cannot end the sessions of \(accounts.listed()) on the server"
  }

  /// Ends every session that can be ended. A failure does not prevent the others from being ended.
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
    return (done, unrevoked + remainingRevocations(besides: unrevoked.map(\.account)))
  }

  /// The earlier sign-outs that are still pending. The agent has retried them along with the
  /// current sign-outs.
  private func remainingRevocations(besides named: [String]) -> [UnrevokedSession] {
    guard !pendingRevocations.isEmpty, let connection else { return [] }
    let end = ContinuousClock.now + Self.revocationTimeout
    var left = pendingRevocations
    repeat {
      left = (try? connection.call(AgentStatusMethod.self, .init()))?.unrevoked ?? left
      guard !left.isEmpty else { break }
      usleep(Self.pause)
    } while ContinuousClock.now < end
    return left.filter { !named.contains($0) }.map {
      UnrevokedSession(account: $0, reason: "an earlier sign-out is still pending")
    }
  }

  private func reasonNotToEnd(_ account: String) -> String? {
    guard let connection, obstacle == nil else { return obstacle }
    do {
      // A reset with anonymous accounts was confirmed by --yes.
      let discard = anonymousAccounts.contains(account) ? true : nil
      let params = SessionSignOut.Params(account: account, scope: .local, all: nil, discard: discard)
      let result = try connection.call(SessionSignOut.self, params)
      return result.pending.isEmpty ? nil : "the sign-out is still pending"
    } catch {
      return Failure(error).message.text
    }
  }
}

/// Stops the running agent, and prevents systemd from starting it with the next request.
struct RunningAgent {
  /// The process of the agent that answered; nil if none did.
  let pid: Int32?
  /// Whether the agent belongs to the user's systemd units.
  let stopsUnits: Bool

  private static let units = ["ritual-agent.socket", "ritual-agent.service"]
  /// Separate, because systemctl disables none of several units if one is not installed.
  private static let desktop = "ritual-notify.service"

  /// Requests the agent to stop. `HeldVaultLock` waits for its end.
  func run() throws {
    if stopsUnits {
      // Without a user manager or the units, these commands fail; then nothing restarts the agent
      // either.
      _ = DesktopTool.run("systemctl", ["--user", "stop"] + Self.units)
      _ = DesktopTool.run("systemctl", ["--user", "disable"] + Self.units)
      _ = DesktopTool.run("systemctl", ["--user", "disable", "--now", Self.desktop])
    }
    guard let pid, isAgent(pid), kill(pid, SIGTERM) != 0, errno != ESRCH else { return }
    throw Failure(.failed, "the agent cannot be stopped: \(errorDescription(errno))", hint: "kill \(pid)")
  }

  /// Whether the process is an agent of this user. The pid may come from another container, or may
  /// have been reused. A race remains between this check and the signal, but it can only hit a
  /// process of the same user.
  private func isAgent(_ pid: Int32) -> Bool {
    var status = stat()
    guard stat("/proc/\(pid)", &status) == 0, status.st_uid == geteuid() else { return false }
    // proc(5): the name is readable even if the process cannot be traced.
    let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
    return name == "ritual-agentd\n"
  }
}

/// The vault's lock. While it is held, no agent has the vault open, and none can open it.
final class HeldVaultLock {
  private let descriptor: Int32

  /// Longer than the time to stop the agent: `TimeoutStopSec=` of the unit.
  private static let timeout = Duration.seconds(20)
  private static let pause: useconds_t = 50_000

  /// Waits until the agent has closed the vault. Without a vault, returns immediately.
  ///
  /// - Throws: a failure if the vault is still open after 20 s.
  init(state: String) throws {
    descriptor = open(state + "/vault/lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    let end = ContinuousClock.now.advanced(by: Self.timeout)
    while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now < end else {
        throw Failure(
          .failed, "an agent still uses the vault; nothing was removed",
          hint: "stop ritual-agentd, then run again: ritualctl reset")
      }
      usleep(Self.pause)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
