import AgentClient
import AgentProtocol
import ArgumentParser
import SystemSupport

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
  static let documents = [JSONDocument(AgentStatusMethod.Result.self)]

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
    let status = try common.ask(AgentStatusMethod.self, .init(), within: timeout.limit).limited(to: account.account)
    try output.answer(status)
    return status.exitStatus(account.account)
  }
}

extension AgentStatusMethod.Result {
  /// The status of one account; of all accounts for nil.
  /// - Throws: `vaultDamaged`, and `unknownAccount` or `vaultLocked` if there is no such account.
  func limited(to name: String?) throws -> Self {
    if vault.error == .vaultDamaged { throw AgentError(.vaultDamaged, hint: vault.protection) }
    var status = self
    if let words = InstalledVersion.complaint(about: self) { status.health.append(words) }
    guard let name else { return status }
    status.here = nil
    status.accounts.removeAll { $0.name != name }
    guard status.accounts.isEmpty else { return status }
    // While the vault is locked, the accounts are unknown.
    guard vault.isOpen else { throw closedVault(name) }
    throw AgentError(
      .unknownAccount, "There is no account named \(ForeignText.shown(name, limit: 40)).",
      hint: accounts.isEmpty ? firstCommand : "accounts: \(accounts.map(\.name).joined(separator: ", "))",
      account: name)
  }

  /// The command for a person without an account.
  var firstCommand: String { lacksProject ? "ritualctl init" : "ritualctl sign-in" }

  var lacksProject: Bool { health.contains(AgentStatusMethod.noProject) }

  /// The named account; for nil that of the directory, or the default account.
  func account(_ name: String?) -> AccountStatus? {
    let name = name ?? here?.account
    return accounts.first { name == nil ? $0.isDefault : $0.name == name }
  }

  /// Whether the account (named or default) can give a token.
  func exitStatus(_ name: String?) -> ExitStatus {
    let account = account(name)
    if account?.tokenUsable == true { return .done }
    if vault.error == .vaultDamaged { return .failed }
    guard vault.isOpen else { return .vaultLocked }
    switch account?.state {
    case nil, .unauthenticated?, .signInNeeded?, .copied?, .misconfigured?: return .signInNeeded
    case .locked?: return .vaultLocked
    case .formatTooNew?: return .failed
    default: return .temporary
    }
  }

  /// Why the vault is not open. The exit status is the same for every reason, as that of `status`.
  func closedVault(_ account: String?) -> Failure {
    let reason = vault.error.map { AgentError($0, hint: vault.protection, account: account) }
    var failure = Failure(reason ?? AgentError(.vaultLocked, account: account))
    failure.exit = .vaultLocked
    return failure
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
        AgentStatusMethod.self, .init(), within: timeout.limit(byDefault: Self.shortTimeout))
    } catch {
      return Failure(error).exit
    }
    let name = account.account
    let found = status.account(name)
    if found == nil, status.vault.isOpen { _ = try status.limited(to: name) }
    let shown = name ?? status.here?.account ?? found?.name
    try output.answer(
      status, Words(shown.flatMap { AccountName.isValid($0) ? $0 : nil } ?? "") + (status.shortState(of: found) ?? ""))
    return status.exitStatus(name)
  }
}

extension AgentStatusMethod.Result {
  /// The part after the name in the short form: nil if the account can give a token and is refreshed. The form
  /// contains only characters of `AccountName`, `-` and `:`, so that no shell expands any of it.
  fileprivate func shortState(of account: AccountStatus?) -> Words? {
    guard vault.isOpen else { return vault.state == "locked" ? ":locked" : ":unavailable" }
    return switch account?.state {
    case nil, .unauthenticated?, .signInNeeded?: ":sign-in"
    case .locked?: ":locked"
    case .copied?: ":copied"
    case .misconfigured?: ":misconfigured"
    case .formatTooNew?: ":unavailable"
    case .degraded?: account?.refresh?.lastError?.kind == .offline ? ":offline" : ":degraded"
    default: account?.tokenUsable == true ? nil : ":no-token"
    }
  }
}

// MARK: - For people

extension AgentStatusMethod.Result: Answer {
  func text(_ style: Style) -> Words {
    let table = AccountTable(accounts: accounts)
    // `health` explains a copied vault in more words.
    let problems = table.problems(style) { $0.state != .copied || vault.state != "copied" }
    // Without an account, the first command answers this one.
    let others = health.filter { !accounts.isEmpty || $0 != AgentStatusMethod.noProject || !vault.isOpen }
    let findings = others.flatMap { style.lines("! \($0, limit: 1000)") }.map { style.marked($0, .yellow) }
    let place = here.map { ["account here: \($0.account), \($0.reason)" as Words] } ?? []
    return ([agent] + (accounts.isEmpty ? noAccount : table.lines(style)) + place + problems + findings)
      .joined(separator: "\n")
  }

  private var noAccount: [Words] {
    switch vault.state {
    case "open", "copied": [lacksProject ? "no project is configured" : "no accounts yet", "  \(firstCommand)"]
    case "locked": ["names not known while locked", "  ritualctl unlock"]
    default: ["names not known: the vault cannot be opened"]
    }
  }

  private var agent: Words {
    let opener: Words = vault.openedBy.map { " (\($0))" } ?? ""
    return "agent \(version), up \(durationText(Int64(uptime))), vault \(VaultSummary.shown(vault.state))\(opener)"
  }
}

extension VaultSummary {
  /// Whether the accounts are known.
  var isOpen: Bool { ["open", "copied"].contains(state) }

  /// The state for a person: `open` on the wire is the counterpart of `locked`.
  static func shown(_ state: String) -> Words { state == "open" ? "unlocked" : Words(state) }
}

struct WhyCommand: AccountCallCommand, LocalCallCommand {
  typealias Method = SessionExplain
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Show the next refresh, the reason, and recent attempts."
  ).examples("ritualctl why", "ritualctl why --account work")

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func text(_ result: SessionExplain.Result, _ style: Style) -> Words {
    let sentences = result.explanation.map { Times.localized("\($0, limit: 1000)") }
    guard !result.tries.isEmpty else { return (sentences + ["no attempts yet"]).joined(separator: "\n") }
    let tries = Table(gaps: [2, 2, 2, 2], rows: result.tries.map(Self.row)).lines(style).map { "  \($0)" as Words }
    return (sentences + ["recent attempts, newest first:"] + tries).joined(separator: "\n")
  }

  private static func row(_ one: RefreshTry) -> [Table.Cell] {
    let color: Style.Color = one.outcome == "refreshed" ? .green : one.outcome == "ended" ? .red : .yellow
    let reply: [Words?] = [one.status.map { "HTTP \($0)" }, one.error.map { "\($0.rawValue)" }]
    return [
      .init(Times.clock(one.at)), .init(one.reason), .init(one.outcome, color), .init(milliseconds(one.latency)),
      .init(reply.compactMap { $0 }.joined(separator: " ")),
    ]
  }

  private static func milliseconds(_ seconds: Double) -> Words {
    // Capped at one day, in case the agent's clock was wrong.
    "\(Int((max(0, min(seconds, 86_400)) * 1000).rounded())) ms"
  }
}

struct EventsCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Show the current state, then follow events.",
    discussion:
      "With --json, each event is one JSON document per line (JSON Lines). Ctrl-C stops it, with exit status 2."
  ).examples("ritualctl events", "ritualctl events --json | jq .type")
  static let documents = [JSONDocument(AgentEvent.self)]

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let connection = try common.connect()
    _ = try connection.subscribe()
    try connection.forEachEvent { event in
      try output.stream(event)
      return true
    }
    return .done
  }
}

extension AgentEvent: Answer {
  func text(_ style: Style) -> Words {
    let words: [Words?] = [
      Times.clock(at), "\(type.rawValue)", account.map { "\($0)" }, status.map { "(\($0.stateWords.text))" },
      reason.map { "\($0)" },
    ]
    return words.compactMap { $0 }.joined(separator: "  ")
  }
}
