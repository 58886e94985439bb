import AgentClient
import AgentProtocol
import ArgumentParser

/// `mfa`: second factors.
struct MFACommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mfa",
    abstract: "List, verify, add, and remove second factors.",
    discussion: """
      A verification raises the session's level of assurance from aal1 to aal2 until the session ends. It ends every \
      other session of the user without a second factor, on all devices.
      """,
    subcommands: [MFAListCommand.self, MFAVerifyCommand.self, MFAEnrollCommand.self, MFARemoveCommand.self],
    defaultSubcommand: MFAListCommand.self
  ).examples("ritualctl mfa", "ritualctl mfa verify", "ritualctl mfa enroll totp --name phone")
}

struct MFAListCommand: AccountCallCommand {
  typealias Method = MFAList
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the user's second factors."
  ).examples("ritualctl mfa list", "ritualctl mfa list --account work --json")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions
}

extension MFAList.Result: Answer {
  func text(_ style: Style) -> Words {
    let rows = factors.map { factor in
      [
        Table.Cell(factor.id), Table.Cell(factor.title),
        Table.Cell(factor.status, factor.isVerified ? .green : .yellow),
      ]
    }
    let old: [Words] = isCurrent ? [] : ["the server did not answer; this is the last known list"]
    return (Table(gaps: [2, 2, 2], rows: rows).lines(style) + [level] + old).joined(separator: "\n")
  }

  private var level: Words {
    let level: Words = "account \(account) is at \(assurance.current)"
    if assurance.possible == assurance.current { return factors.isEmpty ? "no second factor; \(level)" : level }
    guard factors.contains(where: { $0.isVerified && $0.isSupported }) else {
      return "\(level); no second factor of the user can be verified here"
    }
    return "\(level); to reach \(assurance.possible): ritualctl mfa verify --account \(account)"
  }
}

/// `mfa verify`: raises the session to aal2, or completes an enrolment.
struct MFAVerifyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify a second factor with a code; ends the user's other sessions without one.",
    discussion: """
      The code is read from the terminal, from standard input, or on a page in the browser, never from an argument. \
      Without a terminal, a code is sent to a phone factor, and the exit status is 8: pass the code with --code-stdin.
      """
  ).examples(
    "ritualctl mfa verify", "ritualctl mfa verify --account work --browser", "# In a script",
    "pass otp ritual | ritualctl mfa verify --code-stdin")
  static let documents = [
    JSONDocument(AccountStatus.self, "After the verification."),
    JSONDocument(SignInResult.self, "With `--browser`."),
    JSONDocument(FactorCodeSent.self, "Without `--code-stdin`, for a phone factor."),
  ]

  @Option(
    help: ArgumentHelp(
      "ID shown by `ritualctl mfa list`; by default the only verified factor.", valueName: "id"),
    completion: .custom(Completion.factors))
  var factor: String?
  @Flag(help: "Read the code from standard input. Nothing is sent to a phone: request its code first.")
  var codeStdin = false
  @Flag(help: "Enter the code on a page in the browser.") var browser = false
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if browser, codeStdin || factor != nil {
      throw ValidationError("--browser cannot be combined with --code-stdin or --factor: the page asks")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    if browser { return try verifyInBrowser(output) }
    let step = FactorVerification(common: common, account: account, output: output)
    if codeStdin { return try step.readCode(factor: factor) }
    let list = try common.connect().call(MFAList.self, account.params)
    return try step.run(candidates(list), endsAccounts: list.endsAccounts)
  }

  /// The factors to choose from: the named one, or the verified ones.
  private func candidates(_ list: MFAList.Result) throws -> [AccountFactor] {
    if let factor {
      if let named = list.factors.first(where: { $0.id == factor }) { return [named] }
      throw Failure(
        .usage, "the user has no second factor with this ID", hint: "ritualctl mfa list\(account.hintSuffix)")
    }
    let verified = list.factors.filter(\.isVerified)
    guard !verified.isEmpty else {
      if let pending = list.factors.first(where: \.isSupported) {
        let id = Quoted.ifNeeded(Words(pending.id))
        throw Failure(
          .failed, "the user's second factor was added, and needs its first code",
          hint:
            "ritualctl mfa verify --factor \(id)\(account.hintSuffix), or to start again: ritualctl mfa remove \(id)"
            + account.hintSuffix)
      }
      throw Failure(
        .failed, "the user has no second factor", hint: "ritualctl mfa enroll totp\(account.hintSuffix)")
    }
    let supported = verified.filter(\.isSupported)
    guard !supported.isEmpty else {
      throw Failure(
        .failed,
        "only authenticator apps and phones can be verified here, and the user has: "
          + verified.map(\.title).joined(separator: ", "))
    }
    return supported
  }

  private func verifyInBrowser(_ output: Output) throws -> ExitStatus {
    let end = SignInEnd(
      common: common, skipsConfirmation: true, done: "the second factor is verified for", requiresSecondFactor: true)
    let options = BrowserOptions(
      flags: .defaults, end: end, elsewhere: "ritualctl mfa verify\(account.hintSuffix)")
    return try BrowserSignIn(options: options, title: nil, output: output) { connection in
      try connection.call(MFAStart.self, MFAStart.Params(account: account.account))
    }.run()
  }
}

struct MFARemoveCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a second factor.",
    discussion: """
      The session falls to aal1, and the user's other sessions that were verified with this factor do, too. A verified \
      factor can be removed only by a session at aal2; otherwise the exit status is 8.
      """
  ).examples("ritualctl mfa remove 4c7d9a52-0c5e-4f6b-9d27-1e2f3a4b5c6d")
  static let documents = [JSONDocument(FactorRemoved.self)]

  @Argument(
    help: ArgumentHelp("ID shown by `ritualctl mfa list`.", valueName: "id"), completion: .custom(Completion.factors))
  var factor: String
  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    if !yes {
      try ControllingTerminal.confirm(
        "Remove the second factor \(factor)?", final: "a removal",
        orElse: "ritualctl mfa remove \(Quoted.ifNeeded("\(factor)" as Words))\(account.hintSuffix) --yes")
    }
    _ = try common.connect().call(MFARemove.self, MFARemove.Params(account: account.account, factor: factor))
    try output.answer(FactorRemoved(factor: factor), "removed the second factor \(factor)")
    return .done
  }
}

struct FactorRemoved: Codable {
  /// The ID of the removed factor.
  let factor: String
}
