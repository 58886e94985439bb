import AgentClient
import AgentProtocol
import ArgumentParser

/// `status`: shows the current state. The exit status tells whether the account can give a token.
struct StatusCommand: FrequentCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the current state of the agent, the vault, and the accounts.",
    discussion:
      "Exits with 0 if the account (named or default) can provide a token now, else with 4 (sign in), "
      + "5 (vault locked), 7 (try again), or 1 (vault damaged)."
  ).runOften.examples(
    "ritualctl status", "ritualctl status --account work --json", "# Sign in only if needed",
    "ritualctl status > /dev/null || ritualctl sign-in")

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  init() {}

  init?(account: String?, command: [String]) {
    guard command.isEmpty else { return nil }
    self.account = AccountOption(named: account)
    (timeout, common) = (.defaults, .defaults)
  }

  func perform(_ output: Output) throws -> ExitStatus {
    var status = try common.ask(AgentStatusMethod.self, Empty(), within: timeout.limit)
    if status.vault.error == .vaultDamaged { throw AgentError(.vaultDamaged, hint: status.vault.protection) }
    if let words = InstalledVersion.complaint(aboutRunning: status.version) { status.health.append(words) }
    if let name = account.account { try select(name, in: &status) }
    try output.answer(StatusAnswer(value: status))
    let asked = account.account == nil ? status.accounts.first(where: \.isDefault) : status.accounts.first
    return Self.exitStatus(of: asked, vault: status.vault)
  }

  /// Removes all accounts except `name`.
  func select(_ name: String, in status: inout AgentStatusMethod.Result) throws {
    let names = status.accounts.map(\.name)
    status.accounts.removeAll { $0.name != name }
    guard status.accounts.isEmpty else { return }
    // While the vault is locked, the accounts are unknown.
    guard Self.isOpen(status.vault) else { throw AgentError(.vaultLocked, account: name) }
    throw AgentError(
      .unknownAccount, "There is no account named \(ForeignText.shown(name, limit: 40)).",
      hint: names.isEmpty
        ? "ritualctl sign-in" : "accounts: \(names.map { ForeignText.shown($0) }.joined(separator: ", "))",
      account: name)
  }

  private static func isOpen(_ vault: VaultSummary) -> Bool { ["open", "copied"].contains(vault.state) }

  static func exitStatus(of account: AccountStatus?, vault: VaultSummary) -> ExitStatus {
    if account?.tokenUsable == true { return .done }
    guard isOpen(vault) else { return .vaultLocked }
    switch account?.state {
    case nil, .unauthenticated?, .signInNeeded?, .copied?, .misconfigured?: return .signInNeeded
    case .locked?: return .vaultLocked
    default: return .temporary
    }
  }
}

private struct StatusAnswer: Answer {
  let value: AgentStatusMethod.Result

  func text(_ style: Style) -> String {
    let accounts = value.accounts.isEmpty ? ["  " + noAccount] : AccountTable.lines(value.accounts, style)
    let health = value.health.map { style.marked("! " + ForeignText.shown($0, limit: 1000), .yellow) }
    return ([agent] + accounts + health).joined(separator: "\n")
  }

  private var noAccount: String {
    switch value.vault.state {
    case "open", "copied": "no accounts: ritualctl sign-in"
    case "locked": "account names are unknown while the vault is locked"
    default: "account names are unknown: the vault cannot be opened"
    }
  }

  private var agent: String {
    let vault = ForeignText.shown(value.vault.state)
    let opener = value.vault.openedBy.map { " (\(ForeignText.shown($0)))" } ?? ""
    let version = ForeignText.shown(value.version)
    return "agent \(version), up \(Times.length(Int64(value.uptime))), vault \(vault)\(opener)"
  }
}

/// `why`: explains the next refresh and shows recent attempts.
struct WhyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Show the next refresh, the reason, and recent attempts."
  ).examples("ritualctl why", "ritualctl why --account work")

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.ask(SessionExplain.self, account.params, within: timeout.limit)
    try output.answer(WhyAnswer(value: result))
    return .done
  }
}

private struct WhyAnswer: Answer {
  let value: SessionExplain.Result

  func text(_ style: Style) -> String {
    let sentences = value.explanation.map { ForeignText.shown($0, limit: 1000) }
    guard !value.tries.isEmpty else { return (sentences + ["no attempts yet"]).joined(separator: "\n") }
    var table = Table(gaps: [2, 2, 2, 2])
    table.rows = value.tries.map { Self.row($0) }
    let tries = table.lines(style).map { "  " + $0 }
    return (sentences + ["recent attempts, newest first:"] + tries).joined(separator: "\n")
  }

  private static func row(_ one: RefreshTry) -> [Table.Cell] {
    let colour: Style.Colour = one.outcome == "refreshed" ? .green : one.outcome == "ended" ? .red : .yellow
    let reply = [one.status.map { "HTTP \($0)" }, one.error.map { ForeignText.shown($0.rawValue) }]
    return [
      .init(Times.clock(one.at)), .init(ForeignText.shown(one.reason)), .init(ForeignText.shown(one.outcome), colour),
      .init(milliseconds(one.latency)), .init(reply.compactMap { $0 }.joined(separator: " ")),
    ]
  }

  private static func milliseconds(_ seconds: Double) -> String {
    // Capped at one day, in case the agent's clock was wrong.
    "\(Int((max(0, min(seconds, 86_400)) * 1000).rounded())) ms"
  }
}

/// `events`: prints each event on one line, until Ctrl-C.
struct EventsCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Show the current state, then follow events.",
    discussion:
      "With --json, each event is one JSON document per line (JSON Lines). Ctrl-C stops it, with exit status 2."
  ).examples("ritualctl events", "ritualctl events --json | jq .type")

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let connection = try common.connect()
    _ = try connection.subscribe()
    try connection.forEachEvent { event in
      try output.stream(EventAnswer(value: event))
      return true
    }
    return .done
  }
}

private struct EventAnswer: Answer {
  let value: AgentEvent

  func text(_ style: Style) -> String {
    let words = [
      Times.clock(value.at), ForeignText.shown(value.type.rawValue), value.account.map { ForeignText.shown($0) },
      value.status.map { "(\($0.stateWords.text))" }, value.reason.map { ForeignText.shown($0) },
    ]
    return words.compactMap { $0 }.joined(separator: "  ")
  }
}
