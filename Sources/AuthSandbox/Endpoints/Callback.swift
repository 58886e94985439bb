import Synchronization

extension Backend {
  /// `/callback`, where the provider sends the browser: by GET from Google, by a posted form from Apple.
  func callback(_ fields: [(name: String, value: String)]) async throws -> Answer {
    @Sendable func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    let flow: Flow
    do throws(APIError) {
      flow = try commit { state throws(APIError) in try state.spendState(field("state")) }
    } catch {
      // Nobody knows the client here: the browser ends at SITE_URL, and the client hears nothing.
      let site = state.withLock { $0.siteURL }
      return .redirect(303, to: site.addingQuery(RedirectFailure(error).pairs))
    }
    if !field("error").isEmpty {
      let failure = RedirectFailure(error: field("error"), description: field("error_description"))
      return .redirect(303, to: failure.location(flow.redirectTo))
    }
    do {
      let name = Self.firstTimeName(field("user"))
      try commit { state throws(APIError) in try state.complete(flow, code: field("code"), firstTimeName: name) }
      return try await finish(flow.state)
    } catch let error as APIError {
      return .redirect(303, to: RedirectFailure(error).location(flow.redirectTo))
    }
  }

  /// To the client: with a code, or with the tokens in the fragment where no challenge was sent.
  private func finish(_ flowState: String) async throws -> Answer {
    let finished = try commit { state throws(APIError) in
      guard let flow = state.flows[flowState], let userID = flow.userID else {
        throw APIError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
      }
      guard flow.challenge == nil else { return (flow, nil as Grant?) }
      var grant = try state.beginSession(userID: userID, method: "oauth", userAgent: nil)
      grant.providerTokens = flow.providerTokens
      return (flow, grant)
    }
    if let grant = finished.1 {
      return .redirect(302, to: finished.0.redirectTo + "#" + (try await implicitFragment(grant)))
    }
    let code = finished.0.authCode ?? ""
    return .redirect(302, to: finished.0.redirectTo.addingQuery([("code", code)]))
  }

  /// The session as a fragment, its names sorted.
  func implicitFragment(_ grant: Grant) async throws -> String {
    let members = try await sessionMembers(grant)
    let pairs = members.filter { $0.key != "user" }.map { name, value in
      (name: name, value: value.string ?? value.int.map(String.init) ?? "")
    }
    return FormCoding.encode((pairs + [("sb", "")]).sorted { $0.name < $1.name })
  }

  /// Apple's `user` field, which comes at the first authorization only.
  private static func firstTimeName(_ text: String) -> String? {
    guard let name = try? JSON(parsing: Array(text.utf8))["name"] else { return nil }
    let parts = [name["firstName"]?.string, name["lastName"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

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

extension ProviderAccount {
  /// What the provider tells about the account, with the name as far as it is told.
  func identity(name: String?) -> ExternalIdentity {
    var profile: [String: JSON] = [:]
    profile["iss"] = ProviderFacts.issuers[provider]?.first.map(JSON.string)
    if let name, !name.isEmpty {
      profile["full_name"] = .string(name)
      profile["name"] = .string(name)
    }
    if provider == "google" {
      let picture: JSON = "https://example.org/picture.png"
      profile["avatar_url"] = picture
      profile["picture"] = picture
    }
    return ExternalIdentity(
      provider: provider, subject: subject, email: toldEmail ?? email, isEmailVerified: isEmailVerified,
      profile: profile)
  }
}
