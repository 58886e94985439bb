import AgentClient
import AgentProtocol
import Glibc

/// The end of a sign-in: reports the user, and asks for confirmation if the agent needs a decision.
struct SignInEnd {
  let common: CommonOptions
  let connection: AgentConnection
  /// The value of `--yes`.
  let skipsConfirmation: Bool
  /// Whether the result is printed as a note: with `--no-browser`, standard output carries only the
  /// URL.
  var printsResultAsNote = false
  /// The start of the final message, before the account's name.
  var done = Self.signedIn
  /// The value of `--account`.
  var account: String?
  /// The command that takes the code from a confirmation email.
  var confirmation: Words?
  /// Whether this command started the sign-in, so that a linking decision without a terminal is
  /// declined here.
  var isStarter = true
  /// Whether to ask for a second factor after the sign-in; nil as configured.
  var secondFactor: SecondFactorChoice?
  /// Whether a person can be asked for a second factor: on standard input, or where the password or code
  /// was asked for. A script that passes a secret on standard input goes on.
  var canAskForFactor = isatty(STDIN_FILENO) == 1
  /// Whether the command has failed without the second factor, because it is its purpose.
  var requiresSecondFactor = false

  /// The default start of the final message.
  static let signedIn: Words = "signed in to"
  private static let stillNeeded: Words = "the second factor is not verified for"

  /// Prints the outcome, after asking for a decision if one is needed.
  func report(_ result: SignInResult, _ output: Output) throws -> ExitStatus {
    if result.outcome == .decisionNeeded { return try decide(result, output) }
    let done = requiresSecondFactor && result.secondFactor?.needed == true ? Self.stillNeeded : done
    let words = Self.words(result, done: done, account: account, confirmation: confirmation)
    if printsResultAsNote && !output.json { output.note(words) } else { try output.answer(result, words) }
    if result.outcome == .confirmationSent { return .signInNeeded }
    if let need = result.secondFactor, let account = result.account?.name {
      if requiresSecondFactor { return need.needed ? .mfaNeeded : .done }
      let step = SecondFactorStep(
        common: common, connection: connection, account: account, need: need, output: output)
      try step.run(canAskForFactor ? secondFactor : .later)
    }
    return .done
  }

  private func decide(_ result: SignInResult, _ output: Output) throws -> ExitStatus {
    guard let decision = result.decision else {
      throw Failure(.failed, "the agent sent an invalid response: the decision is missing")
    }
    if decision.kind == SignInDecision.link { return try decideLink(decision, output) }
    let who = decision.user.displayName
    let account = Words(decision.account)
    let terminal = skipsConfirmation ? nil : ControllingTerminal.open()
    if !skipsConfirmation && terminal == nil {
      // Not declined: the sign-in stays pending, and the same command with --yes finishes it.
      throw Failure(
        .usage, "the URL signs in \(who), and there is no terminal to confirm that this is you",
        hint: "to confirm: ritualctl complete-sign-in --yes URL")
    }
    let accepts = try skipsConfirmation || terminal?.confirm("Sign in to \(account) as \(who)?") == true
    // If declined, the answer is `cancelled`.
    let params = IdentityDecide.Params(flow: decision.flow, accept: accepts)
    return try report(try connection.call(IdentityDecide.self, params), output)
  }
}

extension SignInEnd {
  /// Decides about a link that the server has already made. Declining unlinks it again.
  fileprivate func decideLink(_ decision: SignInDecision, _ output: Output) throws -> ExitStatus {
    let what = decision.linkWords
    let terminal = skipsConfirmation ? nil : ControllingTerminal.open()
    let command: Words =
      "ritualctl sign-in \(decision.user.provider ?? "" as String) --account \(decision.account) --yes"
    if !skipsConfirmation && terminal == nil {
      guard isStarter else {
        throw Failure(
          .failed, "\(what) Confirm or decline it where the sign-in was started",
          hint: "or run this command again with --yes")
      }
      output.warning(
        "\(what)\n  there is no terminal to confirm the link, so it was declined\n"
          + "  to keep the link, run: \(command)")
    }
    let accepts =
      try skipsConfirmation
      || terminal?.confirm(
        "\(what)\nKeep the link and sign in to \(decision.account)?") == true
    return try report(try decided(IdentityDecide.Params(flow: decision.flow, accept: accepts)), output)
  }

  /// Sends the decision. If declined, the error is `cancelled` or names what stays linked. If the
  /// person has already answered on the sign-in page, returns that outcome.
  private func decided(_ params: IdentityDecide.Params) throws -> SignInResult {
    do {
      return try connection.call(IdentityDecide.self, params)
    } catch let error as AgentError where error.kind == .flowUnknown {
      return try connection.call(SignInWait.self, FlowParams(flow: params.flow))
    }
  }
}

extension SignInEnd {
  /// The final message.
  static func words(
    _ result: SignInResult, done: Words = signedIn, account: String? = nil, confirmation: Words? = nil
  ) -> Words {
    switch result.outcome {
    case .confirmationSent:
      let account: Words = account.map { " --account \($0)" } ?? ""
      let code: Words = confirmation.map { ",\n  or pass its code on standard input to:\n  \($0)" } ?? ""
      return "a confirmation email was sent: open the link in it, then run ritualctl sign-in email\(account)\(code)"
    case .signedIn:
      guard let account = result.account else { return "signed in" }
      return "\(done) \(account.name)" + (account.user.map { " as \($0.displayName)" } ?? "")
    default: return Words(result.outcome.rawValue)
    }
  }
}

extension SignInDecision {
  /// The statement before the question about a link, such as "Google (anna@example.org) was linked to the
  /// account of anna@example.org, which has these sign-in methods: email."
  fileprivate var linkWords: Words {
    let provider = ProviderName.shown(identity?.provider ?? user.provider ?? "")
    let address: Words = identity?.email.map { " (\($0))" } ?? ""
    let others = (self.others ?? []).map { ProviderName.shown($0.provider) }.listed()
    let who = user.email ?? user.id
    return "\(provider)\(address) was linked to the account of \(who), which has these sign-in methods: \(others)."
  }
}
