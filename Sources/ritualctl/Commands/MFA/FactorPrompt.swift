import AgentClient
import AgentProtocol

/// The dialog on a terminal that takes the code of a second factor. First says what a
/// verification ends.
final class FactorPrompt {
  private let dialog: FlowDialog
  /// The account; nil for the default account.
  private let account: String?
  /// The factors to choose from.
  private let factors: [AccountFactor]
  /// The accounts that a verification ends; nil if they could not be listed.
  private let endsAccounts: [String]?
  /// Whether Enter alone, Ctrl-C and Ctrl-D leave the code for later.
  private let canPostpone: Bool

  private enum Reply {
    case line(String)
    /// The account if the factor was verified on the agent's page; nil for later.
    case end(AccountStatus?)
  }

  /// - Parameter flow: the flow of a page that asks for the code, too.
  init(
    _ dialog: FlowDialog, account: String?, factors: [AccountFactor], endsAccounts: [String]?, flow: String? = nil,
    canPostpone: Bool = false
  ) {
    (self.dialog, self.account, self.factors) = (dialog, account, factors)
    (self.endsAccounts, self.canPostpone) = (endsAccounts, canPostpone)
    if let flow { dialog.follower.follow(flow) }
  }

  /// Asks until a code is accepted.
  /// - Returns: The account; nil if the person leaves the code for later.
  func run() throws -> AccountStatus? {
    do { return try ask() } catch {
      dialog.terminal.discardInput()
      throw error
    }
  }

  private func ask() throws -> AccountStatus? {
    try show(SecondFactors.consequence(endsAccounts))
    if canPostpone { try show("press Enter alone to leave the second factor for later") }
    switch try choose() {
    case .end(let account): return account
    case .line(let index): return try askForCode(of: factors[Int(index) ?? 0])
    }
  }

  /// The index of the factor to use.
  private func choose() throws -> Reply {
    guard factors.count > 1 else { return .line("0") }
    let menu = Menu(question: "", choices: factors.map { .init(title: $0.title, name: $0.id) })
    for (index, factor) in factors.enumerated() { try show("  \(index + 1)  \(factor.title)") }
    while true {
      switch try next("Second factor (1-\(factors.count)): ") {
      case .end(let account): return .end(account)
      case .line(let line):
        if let index = menu.named(line) { return .line("\(index)") }
        try show("no such choice")
      }
    }
  }

  private func askForCode(of factor: AccountFactor) throws -> AccountStatus? {
    if factor.isPhone {
      // The page has a button that sends a code.
      if dialog.follower.flow == nil {
        guard try send(factor) else { return try postponed() }
      } else {
        try show("enter s to have a code sent")
      }
    }
    var failures = 0
    while true {
      switch try next("Code (\(factor.title)): ") {
      case .end(let account): return account
      case .line("s") where factor.isPhone: guard try send(factor) else { return try postponed() }
      case .line(let line):
        guard let code = CodeInput.digits(line) else {
          try show(CodeInput.form)
          continue
        }
        do {
          return try verify(code, factor)
        } catch let error as AgentError where Self.asksAgain.contains(error.kind) {
          failures += 1
          guard failures < FlowDialog.maxWrongCodes else { throw error }
          try show(Failure(Self.withoutHint(error)).text())
        }
      }
    }
  }

  /// Submits the code. Ctrl-C does not stop the verification, so it says where the result is seen.
  private func verify(_ code: String, _ factor: AccountFactor) throws -> AccountStatus? {
    let params = MFAVerify.Params(account: account, factor: factor.id, code: code)
    if let status = try dialog.call(MFAVerify.self, params, timeout: SecondFactors.verifyTimeout) { return status }
    try show("the verification goes on; to see its result: ritualctl status")
    return try postponed()
  }

  /// The end of the dialog by Ctrl-C during a request.
  private func postponed() throws -> AccountStatus? {
    guard canPostpone else { throw Failure(.cancelled, "cancelled") }
    return nil
  }

  /// The error without the command that verifies a factor: the dialog asks again.
  private static func withoutHint(_ error: AgentError) -> AgentError {
    var error = error
    error.data.hint = nil
    return error
  }

  /// The errors after which another code can be entered. After a lost answer, a new one is needed.
  private static let asksAgain: Set<ErrorKind> = [
    .codeInvalid, .invalidParams, .flowBusy, .rateLimited, .offline, .serviceUnavailable, .timedOut,
  ]

  /// Has a code sent. A temporary error does not end the dialog, because a former code may be valid.
  /// - Returns: False after Ctrl-C.
  private func send(_ factor: AccountFactor) throws -> Bool {
    do {
      let params = MFAChallenge.Params(account: account, factor: factor.id)
      guard try dialog.call(MFAChallenge.self, params, timeout: AgentConnection.defaultTimeout) != nil else {
        return false
      }
      try show("a code was sent to the phone; enter s to send another one")
    } catch let error as AgentError where error.data.retryable {
      try show(Failure(error).text() + "\n  if you already have a code, enter it; enter s to try again")
    }
    return true
  }

  /// The next line that is not empty, or the end of the dialog.
  private func next(_ question: Words) throws -> Reply {
    while true {
      switch try dialog.next(question, takesInterrupt: canPostpone) {
      case .ended(let result):
        dialog.terminal.discardInput()
        return .end(result.secondFactor?.needed == true ? nil : result.account)
      case .forgotten: try show("the page was closed, or the agent was restarted; you can still enter the code")
      case .interrupted: return .end(nil)
      case .line(let line):
        let text = Menu.trimmed(line)
        if !text.isEmpty { return .line(text) }
        if canPostpone { return .end(nil) }
      }
    }
  }

  private func show(_ text: Words) throws { try dialog.terminal.show(text) }
}

/// Functions for second factors that several commands share.
enum SecondFactors {
  /// The time of a verification: the agent waits 60 s for the server.
  static let verifyTimeout = Duration.seconds(75)

  /// Submits a code, once.
  static func verify(
    _ code: String, factor: String?, account: String?, _ connection: AgentConnection
  ) throws -> AccountStatus {
    try connection.call(
      MFAVerify.self, MFAVerify.Params(account: account, factor: factor, code: code), timeout: verifyTimeout)
  }

  /// The sessions that a verification ends, in words.
  /// - Parameter accounts: the accounts of this machine; nil if they could not be listed.
  static func consequence(_ accounts: [String]?) -> Words {
    "a verification ends every session of this user without a second factor: phone, browsers" + here(accounts)
  }

  private static func here(_ accounts: [String]?) -> Words {
    guard let accounts else { return "\n  the accounts on this machine could not be listed" }
    guard !accounts.isEmpty else { return "" }
    return "\n  on this machine: \(accounts.listed(limit: 40))"
  }
}

extension SignInResult {
  /// The need for a second factor, of the result or of its account.
  var secondFactor: SecondFactorNeed? { mfa ?? account?.mfa }
}

extension AccountFactor {
  static let totp = "totp"
  static let phone = "phone"

  var isPhone: Bool { type == Self.phone }
  /// Whether the agent can verify this type.
  var isSupported: Bool { [Self.totp, Self.phone].contains(type) }

  /// The kind and the name, such as `authenticator app "Pixel"`.
  var title: Words {
    let kind = type == Self.totp ? "authenticator app" : Words(type, limit: 40)
    return name.map { "\(kind) \"\($0, limit: 40)\"" } ?? kind
  }
}
