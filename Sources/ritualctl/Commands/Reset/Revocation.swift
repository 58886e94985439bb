import AgentClient
import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

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

/// Ends the running agent, and keeps systemd from starting it with the next request.
struct AgentStop {
  /// The process that answered; nil where none did.
  let pid: Int32?
  /// Whether the agent is the one of the user's units.
  let stopsUnits: Bool

  private static let units = ["ritual-agent.socket", "ritual-agent.service"]
  /// By itself: systemctl disables none of several where one is not installed.
  private static let desktop = "ritual-notify.service"

  /// Asks it to end; that it has ended is told by its `VaultEntrance`.
  func run() throws {
    if stopsUnits {
      // Without a user manager, or without the units, both fail: then nothing starts it either.
      _ = DesktopTool.run("systemctl", ["--user", "stop"] + Self.units)
      _ = DesktopTool.run("systemctl", ["--user", "disable"] + Self.units)
      _ = DesktopTool.run("systemctl", ["--user", "disable", "--now", Self.desktop])
    }
    guard let pid, isAgent(pid), kill(pid, SIGTERM) != 0, errno != ESRCH else { return }
    throw Failure(.failed, "the agent cannot be stopped: \(errorDescription(errno))", hint: "kill \(pid)")
  }

  /// Whether the process is an agent of ours: the number may come from another container, or be given to another process
  /// since. What is left is the moment between this look and the signal, and then only a process of the user's is hit.
  private func isAgent(_ pid: Int32) -> Bool {
    var status = stat()
    guard stat("/proc/\(pid)", &status) == 0, status.st_uid == geteuid() else { return false }
    // proc(5): the name is readable also of a process that may not be traced.
    let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
    return name == "ritual-agentd\n"
  }
}

/// The vault's lock: while it is held no agent has the vault open, and none can open it.
final class VaultEntrance {
  private let descriptor: Int32

  /// Longer than a stop may take: `TimeoutStopSec=` of the unit.
  private static let patience = Duration.seconds(20)
  private static let pause: useconds_t = 50_000

  /// Waits until the agent has left the vault. Where there is no vault nothing is waited for.
  ///
  /// - Throws: where it is still there after 20 s.
  init(state: String) throws {
    descriptor = open(state + "/vault/lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    let end = ContinuousClock.now.advanced(by: Self.patience)
    while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now < end else {
        throw Failure(
          .failed, "an agent still has the vault open; nothing was removed",
          hint: "end ritual-agentd, then once more: ritualctl reset")
      }
      usleep(Self.pause)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
