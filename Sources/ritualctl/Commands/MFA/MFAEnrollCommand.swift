import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

struct MFAEnrollCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll",
    abstract: "Add a second factor: an authenticator app (totp) or a phone.",
    discussion: """
      For totp, prints the secret and the otpauth: URI, once: they are stored nowhere. On a terminal that has qrencode, \
      the URI is also a QR code. Then asks for the first code, which completes the enrolment and ends every other \
      session of the user without a second factor, on all devices; the server forgets the factor after 5 minutes \
      without it. A second factor has no recovery codes: add another factor for the case that \
      this one is lost.
      """
  ).examples(
    "ritualctl mfa enroll totp --name phone", "ritualctl mfa enroll phone --phone +15550100",
    "# Keep the secret in a password manager", "ritualctl mfa enroll totp --json | jq -r .uri | pass otp insert ritual")
  static let documents = [JSONDocument(MFAEnroll.Result.self)]

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case totp, phone
  }

  @Argument(help: "totp for an authenticator app, or phone.") var type: Kind
  @Option(help: ArgumentHelp("Name of the factor, unique among the user's.", valueName: "text")) var name: String?
  @Option(help: ArgumentHelp("Phone number with country code.", valueName: "number")) var phone: String?
  @Flag(help: "Read the first code from standard input, after the secret is printed or the code is sent.")
  var codeStdin = false
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if phone != nil, type != .phone { throw ValidationError("--phone requires: mfa enroll phone") }
    if codeStdin, common.json {
      throw ValidationError("--json and --code-stdin cannot be combined: use mfa verify --code-stdin for the code")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let number = try type == .phone ? self.number(output) : nil
    let connection = try common.connect()
    let enrolled = try connection.call(
      MFAEnroll.self, MFAEnroll.Params(account: account.account, type: type.rawValue, name: name, phone: number))
    try show(enrolled, output)
    let factor = AccountFactor(id: enrolled.factor, type: type.rawValue, name: name, status: "unverified")
    return try complete(factor, connection, output)
  }

  private func number(_ output: Output) throws -> String {
    try AddressQuestion(
      noun: "phone number", question: "Phone number with country code: ",
      command: "ritualctl mfa enroll phone --phone NUMBER\(account.hintSuffix)"
    ).answer(given: phone, readsCode: codeStdin, output)
  }

  /// Prints the factor at once, because the code is made from the secret.
  private func show(_ enrolled: MFAEnroll.Result, _ output: Output) throws {
    try output.stream(enrolled)
    guard !output.json, isatty(STDOUT_FILENO) == 1, let uri = enrolled.uri else { return }
    do { try QRCode.show(Words(uri, limit: PastedURL.limit).text, on: STDOUT_FILENO) } catch {
      output.note(
        "in your authenticator app, choose to enter a setup key, and type the secret (time-based, 6 digits)\n"
          + "  for a QR code instead: \(Failure(error).hints.first ?? ""), then enrol again")
    }
  }

  /// Takes the first code, or names the command that does.
  private func complete(
    _ factor: AccountFactor, _ connection: AgentConnection, _ output: Output
  ) throws -> ExitStatus {
    let step = FactorVerification(common: common, account: account, output: output)
    if codeStdin {
      if factor.isPhone {
        _ = try connection.call(MFAChallenge.self, MFAChallenge.Params(account: account.account, factor: factor.id))
      }
      return try step.readCode(factor: factor.id)
    }
    guard !output.json, let terminal = ControllingTerminal.open() else {
      if step.showsNotes {
        output.note(next(factor, step) + "\n" + SecondFactors.consequence(step.endedAccounts(connection)))
      }
      return .done
    }
    let ends = step.endedAccounts(connection)
    guard let status = try step.prompt([factor], endsAccounts: ends, on: terminal, canPostpone: true).run() else {
      output.note(next(factor, step))
      return .done
    }
    output.note(status.verifiedWords)
    return .done
  }

  private func next(_ factor: AccountFactor, _ step: FactorVerification) -> Words {
    let commands = (factor.isPhone ? [step.verifyCommand(factor.id)] : []) + [step.command(factor.id)]
    return (["within 5 minutes, complete the enrolment with a code:"] + commands).joined(separator: "\n  ")
  }
}

/// The new factor. For TOTP, the only place that shows its secret.
extension MFAEnroll.Result: Answer {
  func text(_ style: Style) -> Words {
    let lines: [(Words, String?)] = [("factor", factor), ("secret", secret), ("uri", uri)]
    return lines.compactMap { label, value in
      value.map { "\(label.padded(to: 8))\($0, limit: PastedURL.limit)" }
    }.joined(separator: "\n")
  }
}
