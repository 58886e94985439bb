/// State changes of a provider's callback.
extension SandboxState {
  /// The flow of a `state`, which is good for one callback.
  mutating func spendState(_ value: String) throws(APIError) -> Flow {
    if value.isEmpty { throw APIError(400, "bad_oauth_callback", "OAuth state parameter missing") }
    guard value.utf8.count == Text.uuid().utf8.count else {
      throw APIError(400, "bad_oauth_state", "OAuth state parameter is invalid")
    }
    guard let flow = flows[value] else {
      throw APIError(400, "bad_oauth_state", "OAuth state not found or expired")
    }
    if flow.stateIsSpent { throw APIError(400, "flow_state_already_used", "State has already been used") }
    if flow.isExpired(at: now) { throw APIError(400, "bad_oauth_state", "OAuth state has expired") }
    flows[value]?.stateIsSpent = true
    return flow
  }

  /// Redeems the provider's code and finds, links or creates the user.
  mutating func complete(_ flow: Flow, code: String, firstTimeName: String?) throws(APIError) {
    guard let grant = providers.redeem(code), grant.account.provider == flow.provider, !grant.isBroken else {
      throw APIError(500, "unexpected_failure", "Unable to exchange external code: \(code.prefix(4))")
    }
    let person = grant.account.identity(name: flow.provider == "apple" ? firstTimeName : grant.account.name)
    if person.email.isEmpty {
      throw APIError(500, "unexpected_failure", "Error getting user email from external provider")
    }
    let userID: String
    if let target = flow.linkingUser {
      try link(person, to: target)
      userID = target
    } else {
      userID = try signIn(person)
    }
    flows[flow.state]?.userID = userID
    flows[flow.state]?.authCode = Text.uuid()
    flows[flow.state]?.providerTokens = ProviderTokens()
  }
}
