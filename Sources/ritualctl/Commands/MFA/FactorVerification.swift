import AgentClient
import AgentProtocol
import ArgumentParser

/// The verification of a second factor by `mfa verify` and `mfa enroll`, on a terminal or in a script.
struct FactorVerification {
  let common: CommonOptions
  let account: AccountOption
  let output: Output

  /// Asks on the terminal. Without one, has a code sent to a phone.
  func run(_ factors: [AccountFactor], endsAccounts: [String]) throws -> ExitStatus {
    if !output.json, let terminal = ControllingTerminal.open() {
      let status = try prompt(factors, endsAccounts: endsAccounts, on: terminal).run()
      return try verified(status)
    }
    guard factors.count == 1, let factor = factors.first else {
      let list = factors.map { "\($0.id) (\($0.title))" as Words }.joined(separator: ", ")
      throw Failure(.usage, "the user has several second factors: \(list)", hint: command("ID"))
    }
    guard factor.isPhone else { throw missingCode(factor) }
    output.note(SecondFactors.consequence(endsAccounts))
    let sent = try common.connect().call(
      MFAChallenge.self, MFAChallenge.Params(account: account.account, factor: factor.id))
    try output.answer(
      FactorCodeSent(outcome: "codeSent", factor: sent.factor, expiresAt: sent.expiresAt),
      "a code was sent to the phone; pass it on standard input to:\n  \(command(sent.factor))")
    return .mfaNeeded
  }

  /// Reads the code from standard input. First says what a verification ends.
  func readCode(factor: String?) throws -> ExitStatus {
    if showsNotes { output.note(SecondFactors.consequence(endedAccounts(try common.connect()))) }
    let line = try Streams.readSecret("code", limit: Self.lineLimit)
    // The code may have taken minutes to arrive.
    let connection = try common.connect()
    guard let code = CodeInput.digits(line) else { throw Failure(.usage, CodeInput.form) }
    return try verified(SecondFactors.verify(code, factor: factor, account: account.account, connection))
  }

  /// Whether notes are printed; otherwise the list for them is not requested.
  var showsNotes: Bool { !output.json && !output.quiet }

  /// The accounts that a verification ends; nil if they cannot be listed, which does not prevent it.
  func endedAccounts(_ connection: AgentConnection) -> [String]? {
    try? connection.call(MFAList.self, account.params).endsAccounts
  }

  /// A code has 10 digits, and spaces between them.
  private static let lineLimit = 100

  func prompt(
    _ factors: [AccountFactor], endsAccounts: [String]?, on terminal: ControllingTerminal, canPostpone: Bool = false
  ) throws -> FactorPrompt {
    let dialog = FlowDialog(on: terminal, FlowFollower(try common.connect()) { try common.connect() })
    return FactorPrompt(
      dialog, account: account.account, factors: factors, endsAccounts: endsAccounts, canPostpone: canPostpone)
  }

  /// The command that takes the code of a factor from standard input.
  func command(_ factor: String) -> Words { "\(verifyCommand(factor)) --code-stdin" }

  /// The command that asks for the code of a factor; without a terminal, it sends one to a phone.
  func verifyCommand(_ factor: String) -> Words {
    "ritualctl mfa verify --factor \(Quoted.ifNeeded(Words(factor)))\(account.hintSuffix)"
  }

  private func missingCode(_ factor: AccountFactor) -> Failure {
    let reason: Words = output.json ? "--json asks for nothing" : "there is no terminal to ask for it"
    return Failure(.usage, "the code is missing, and \(reason)", hint: "\(command(factor.id)) < FILE")
  }

  private func verified(_ status: AccountStatus?) throws -> ExitStatus {
    guard let status else { return .mfaNeeded }
    try output.answer(status, status.verifiedWords)
    return .done
  }
}

/// The document for a code that was sent to a phone factor and must be passed to another command.
struct FactorCodeSent: Codable {
  /// `codeSent`.
  let outcome: String
  /// The factor to which the code belongs.
  let factor: String
  /// When the code expires, by this machine's clock.
  let expiresAt: Timestamp
}
