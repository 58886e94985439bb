import AgentClient
import AgentProtocol
import ArgumentParser
import SystemSupport

/// `status`: shows the current state. The exit status tells whether the account can give a token.
struct StatusCommand: FrequentCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the current state of the agent, the vault, and the accounts.",
    discussion:
      "Exits with 0 if the account (named or default) can provide a token now, else with 4 (sign in), "
      + "5 (vault locked), 7 (try again), or 1 (vault damaged). With --watch, Ctrl-C ends it, with exit status 2."
  ).runOften.examples(
    "ritualctl status", "ritualctl status --account work --json", "ritualctl status --watch",
    "# Sign in only if needed",
    "ritualctl status > /dev/null || ritualctl sign-in")

  @Flag(help: "Show every change until Ctrl-C. On a terminal, the table is updated in place.")
  var watch = false

  @Flag(
    help: ArgumentHelp(
      "Print one word for a shell prompt: ACCOUNT, or ACCOUNT:STATE if it needs attention.",
      discussion: "Waits at most 1 second unless --timeout is given, and prints nothing if no agent answers."))
  var short = false

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  init() {}

  init?(account: String?, command: [String]) {
    guard command.isEmpty else { return nil }
    self.account = AccountOption(named: account)
    (watch, short, timeout, common) = (false, false, .defaults, .defaults)
  }

  /// Also reads `--short` without the parser, because a prompt runs it before each command.
  init?(plain arguments: ArraySlice<String>) {
    let others = arguments.filter { $0 != "--short" }
    // An assignment to `short` in this initializer would set the default of the option, not its value.
    guard var command = Self(withoutParser: others[...]) else { return nil }
    command.short = others.count < arguments.count
    self = command
  }

  func validate() throws {
    if watch, common.json { throw ValidationError("--watch prints no JSON; use ritualctl events --json") }
    if short, watch || common.json { throw ValidationError("--short cannot be combined with --watch or --json") }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    if short { return try printShort(output) }
    if watch {
      var watch = StatusWatch(command: self, output: output)
      try watch.run()
    }
    let status = try selected(common.ask(AgentStatusMethod.self, Empty(), within: timeout.limit))
    try output.answer(StatusAnswer(value: status))
    return Self.exitStatus(of: asked(in: status), vault: status.vault)
  }

  /// The status of the agent, limited to the account of `--account`.
  /// - Throws: `vaultDamaged`, and `unknownAccount` or `vaultLocked` if there is no such account.
  func selected(_ status: AgentStatusMethod.Result) throws -> AgentStatusMethod.Result {
    var status = status
    if status.vault.error == .vaultDamaged { throw AgentError(.vaultDamaged, hint: status.vault.protection) }
    if let words = InstalledVersion.complaint(aboutRunning: status.version) { status.health.append(words) }
    if let name = account.account { try select(name, in: &status) }
    return status
  }

  /// The account of `--account`, or the default account.
  private func asked(in status: AgentStatusMethod.Result) -> AccountStatus? {
    let name = account.account
    return status.accounts.first { name == nil ? $0.isDefault : $0.name == name }
  }

  /// Removes all accounts except `name`.
  func select(_ name: String, in status: inout AgentStatusMethod.Result) throws {
    let names = status.accounts.map(\.name)
    status.accounts.removeAll { $0.name != name }
    guard status.accounts.isEmpty else { return }
    // While the vault is locked, the accounts are unknown.
    guard status.vault.isOpen else { throw AgentError(.vaultLocked, account: name) }
    throw AgentError(
      .unknownAccount, "There is no account named \(ForeignText.shown(name, limit: 40)).",
      hint: names.isEmpty
        ? "ritualctl sign-in" : "accounts: \(names.map { ForeignText.shown($0) }.joined(separator: ", "))",
      account: name)
  }

  static func exitStatus(of account: AccountStatus?, vault: VaultSummary) -> ExitStatus {
    if account?.tokenUsable == true { return .done }
    if vault.error == .vaultDamaged { return .failed }
    guard vault.isOpen else { return .vaultLocked }
    switch account?.state {
    case nil, .unauthenticated?, .signInNeeded?, .copied?, .misconfigured?: return .signInNeeded
    case .locked?: return .vaultLocked
    default: return .temporary
    }
  }
}

// MARK: - For prompts

extension StatusCommand {
  /// A prompt waits for the command, so it waits less than a person would.
  private static let shortTimeout = 1.0

  /// Prints the short form. A prompt has no room for an error; only wrong usage is reported.
  private func printShort(_ output: Output) throws -> ExitStatus {
    let status: AgentStatusMethod.Result
    do {
      status = try common.ask(
        AgentStatusMethod.self, Empty(), within: timeout.limit(byDefault: Self.shortTimeout))
    } catch {
      return Failure(error).exit
    }
    let found = asked(in: status)
    if account.account != nil, found == nil, status.vault.isOpen { _ = try selected(status) }
    try output.stream(ShortStatus(value: status, name: account.account ?? found?.name, account: found))
    return Self.exitStatus(of: found, vault: status.vault)
  }
}

/// `NAME` if the account can give a token and is refreshed, else `NAME:STATE`; `:STATE` without a
/// known account. Contains only characters of `AccountName`, `-` and `:`, so that no shell expands
/// any of it.
private struct ShortStatus: Answer {
  let value: AgentStatusMethod.Result
  let name: String?
  let account: AccountStatus?

  func text(_ style: Style) -> String {
    (name.flatMap { AccountName.isValid($0) ? $0 : nil } ?? "") + (state.map { ":\($0)" } ?? "")
  }

  private var state: String? {
    guard value.vault.isOpen else { return value.vault.state == "locked" ? "locked" : "unavailable" }
    return switch account?.state {
    case nil, .unauthenticated?, .signInNeeded?: "sign-in"
    case .locked?: "locked"
    case .copied?: "copied"
    case .misconfigured?: "misconfigured"
    case .degraded?: account?.refresh?.lastError?.kind == .offline ? "offline" : "degraded"
    default: account?.tokenUsable == true ? nil : "no-token"
    }
  }
}

// MARK: - For people

/// The text and the document of `status`.
struct StatusAnswer: Answer {
  let value: AgentStatusMethod.Result

  func text(_ style: Style) -> String {
    let table = AccountTable(accounts: value.accounts)
    // `health` explains a copied vault in more words.
    let problems = table.problems(style) { $0.state != .copied || value.vault.state != "copied" }
    let health = value.health.flatMap { style.lines("! " + ForeignText.shown($0, limit: 1000)) }
    return
      (style.lines(agent) + (value.accounts.isEmpty ? noAccount : table.lines(style)) + problems
      + health.map { style.marked($0, .yellow) }).joined(separator: "\n")
  }

  private var noAccount: [String] {
    switch value.vault.state {
    case "open", "copied": ["no accounts yet", "  ritualctl sign-in"]
    case "locked": ["names not known while locked", "  ritualctl unlock"]
    default: ["names not known: the vault cannot be opened"]
    }
  }

  private var agent: String {
    let vault = ForeignText.shown(value.vault.state)
    let opener = value.vault.openedBy.map { " (\(ForeignText.shown($0)))" } ?? ""
    let version = ForeignText.shown(value.version)
    return "agent \(version), up \(durationText(Int64(value.uptime))), vault \(vault)\(opener)"
  }
}

extension VaultSummary {
  /// Whether the accounts are known.
  fileprivate var isOpen: Bool { ["open", "copied"].contains(state) }
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
    let color: Style.Color = one.outcome == "refreshed" ? .green : one.outcome == "ended" ? .red : .yellow
    let reply = [one.status.map { "HTTP \($0)" }, one.error.map { ForeignText.shown($0.rawValue) }]
    return [
      .init(Times.clock(one.at)), .init(ForeignText.shown(one.reason)), .init(ForeignText.shown(one.outcome), color),
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
