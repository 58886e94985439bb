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
