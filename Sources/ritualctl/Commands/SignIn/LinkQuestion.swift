import AgentProtocol

/// The question of a sign-in that the server linked to an account (LK-2), in words.
struct LinkQuestion {
  let decision: SignInDecision

  /// `Google (anna@example.org) was linked to the account of anna@example.org (e-mail). Keep it linked, and sign in?`
  var words: String { "\(what)\nKeep it linked, and sign in to \(ForeignText.shown(decision.account))?" }

  /// What happened.
  var what: String {
    let provider = ProviderName.shown(decision.identity?.provider ?? decision.user.provider ?? "")
    let address = decision.identity?.email.map { " (\(ForeignText.shown($0)))" } ?? ""
    let others = (decision.others ?? []).map { ProviderName.shown($0.provider) }.joined(separator: ", ")
    let who = ForeignText.shown(decision.user.email ?? decision.user.id)
    return "\(provider)\(address) was linked to the account of \(who), which you sign in to by: \(others)."
  }
}
