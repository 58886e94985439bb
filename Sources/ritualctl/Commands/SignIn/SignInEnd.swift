import AgentClient
import AgentProtocol
import Glibc

/// The end of a sign-in: reports the user, and asks for confirmation if the agent needs a decision.
struct SignInEnd {
  let common: CommonOptions
  /// The value of `--yes`.
  var skipsConfirmation = false
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
  /// - Parameter asNote: whether the result is printed as a note: with `--no-browser`, standard output carries
  ///   only the URL.
  func report(
    _ result: SignInResult, _ connection: AgentConnection, _ output: Output, asNote: Bool = false
  ) throws -> ExitStatus {
    if result.outcome == .decisionNeeded {
      return try report(try decide(result, connection, output), connection, output, asNote: asNote)
    }
    let done = requiresSecondFactor && result.secondFactor?.needed == true ? Self.stillNeeded : done
    let words = Self.words(result, done: done, account: account, confirmation: confirmation)
    if asNote && !output.json { output.note(words) } else { try output.answer(result, words) }
    if result.outcome == .confirmationSent { return .signInNeeded }
    if let need = result.secondFactor, let account = result.account?.name {
      if requiresSecondFactor { return need.needed ? .mfaNeeded : .done }
      let step = SecondFactorStep(
        common: common, connection: connection, account: account, need: need, output: output)
      try step.run(canAskForFactor ? secondFactor : .later)
    }
    return .done
  }

  private func decide(
    _ result: SignInResult, _ connection: AgentConnection, _ output: Output
  ) throws -> SignInResult {
    guard let decision = result.decision else {
      throw Failure(.failed, "the agent sent an invalid response: the decision is missing")
    }
    let isLink = decision.kind == SignInDecision.link
    let accepts = try isLink ? acceptsLink(decision, output) : acceptsUser(decision)
    do {
      // If declined, the error is `cancelled`, or names what stays linked.
      return try connection.call(IdentityDecide.self, .init(flow: decision.flow, accept: accepts))
    } catch let error as AgentError where isLink && error.kind == .flowUnknown {
      // The person has already answered on the sign-in page.
      return try connection.call(SignInWait.self, FlowParams(flow: decision.flow))
    }
  }

  private func acceptsUser(_ decision: SignInDecision) throws -> Bool {
    let who = decision.user.displayName
    return try accepts("Sign in to \(decision.account) as \(who)?") {
      // Not declined: the sign-in stays pending, and the same command with --yes finishes it.
      throw Failure(
        .usage, "the URL signs in \(who), and there is no terminal to confirm that this is you",
        hint: "to confirm: ritualctl complete-sign-in --yes URL")
    }
  }

  /// Whether to keep a link that the server has already made. Declining unlinks it again.
  private func acceptsLink(_ decision: SignInDecision, _ output: Output) throws -> Bool {
    let what = decision.linkWords
    return try accepts("\(what)\nKeep the link and sign in to \(decision.account)?") {
      guard isStarter else {
        throw Failure(
          .failed, "\(what) Confirm or decline it where the sign-in was started",
          hint: "or run this command again with --yes")
      }
      let provider = decision.user.provider ?? ""
      output.warning(
        "\(what)\n  there is no terminal to confirm the link, so it was declined\n"
          + "  to keep the link, run: ritualctl sign-in \(provider) --account \(decision.account) --yes")
    }
  }

  /// The person's answer; false without a terminal, unless `withoutTerminal` throws.
  private func accepts(_ question: Words, withoutTerminal: () throws -> Void) throws -> Bool {
    if skipsConfirmation { return true }
    guard let terminal = ControllingTerminal.open() else {
      try withoutTerminal()
      return false
    }
    return try terminal.confirm(question)
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
