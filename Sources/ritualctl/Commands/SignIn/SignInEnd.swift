import AgentClient
import AgentProtocol

/// The end of a sign-in: who it is, and whether it is wanted.
struct SignInEnd {
  let connection: AgentConnection
  /// `--yes`.
  let acceptsAnybody: Bool
  /// With `--no-browser` standard output carries the address alone.
  var saysSoAsNote = false

  /// Prints how it ended; asks where a person has to decide.
  func report(_ result: SignInResult, _ output: Output) throws -> ExitStatus {
    if result.outcome == .decisionNeeded { return try decide(result, output) }
    let answer = SignInAnswer(value: result)
    if saysSoAsNote && !output.json { output.note(answer.text(.plain)) } else { try output.answer(answer) }
    return result.outcome == .confirmationSent ? .signInNeeded : .done
  }

  private func decide(_ result: SignInResult, _ output: Output) throws -> ExitStatus {
    guard let decision = result.decision else {
      throw Failure(.failed, "the agent asks for a decision and does not say which")
    }
    let who = decision.user.words
    let account = ForeignText.shown(decision.account)
    let terminal = acceptsAnybody ? nil : ControllingTerminal.open()
    let accepts = try acceptsAnybody || terminal?.confirm("Sign in to \(account) as \(who)?") == true
    if !accepts && terminal == nil {
      output.warning(
        "the address signs in \(who), and there is no terminal to ask whether that is you: declined\n"
          + "  if it is, begin again and add --yes: ritualctl complete-sign-in --yes URL")
    }
    // A no comes back as `cancelled`.
    let params = IdentityDecide.Params(flow: decision.flow, accept: accepts)
    return try report(try connection.call(IdentityDecide.self, params), output)
  }
}

struct SignInAnswer: Answer {
  let value: SignInResult

  func text(_ style: Style) -> String {
    switch value.outcome {
    case .confirmationSent: return "a message was sent to that address: open the link in it, then run ritualctl sign-in"
    case .signedIn:
      guard let account = value.account else { return "signed in" }
      let who = account.user.map { " as \($0.words)" } ?? ""
      return "signed in to \(ForeignText.shown(account.name))\(who)"
    default: return ForeignText.shown(value.outcome.rawValue)
    }
  }
}
