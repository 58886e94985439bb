/// Manual linking, which is an option of the project.
enum ManualLinking {
  static let disabled = APIError(404, "manual_linking_disabled", "Manual linking is disabled")
}

extension Backend {
  /// `DELETE /user/identities/{identity_id}`.
  func unlink(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    let identity = String(Route.split(request.path).last ?? "")
    try commit { state throws(APIError) in
      if !state.settings.manualLinking { throw ManualLinking.disabled }
      try state.unlink(identity, of: caller.userID)
    }
    return Answer(json: [:])
  }
}

extension SandboxState {
  /// Removes an identity. A user keeps at least one identity, and an address that no other user
  /// has.
  mutating func unlink(_ identityID: String, of id: String) throws(APIError) {
    let user = try liveUser(id)
    if user.identities.count <= 1 {
      throw APIError(
        422, "single_identity_not_deletable", "User must have at least 1 identity after unlinking")
    }
    guard let gone = user.identities.first(where: { $0.identityID == identityID }) else {
      throw APIError(422, "identity_not_found", "Identity doesn't exist")
    }
    let rest = user.identities.filter { $0.identityID != identityID }
    var email = user.email
    if gone.email == email, !rest.contains(where: { $0.email == email }) {
      email = rest.first { !$0.email.isEmpty }?.email ?? ""
      if let owner = users.withEmail(email), owner.id != id {
        throw APIError(
          422, "email_conflict_identity_not_deletable", "Unable to unlink identity due to email conflict")
      }
    }
    changeUser(id) {
      $0.identities = rest
      $0.email = email
      $0.updatedAt = $1.truncatedToMicroseconds
    }
  }
}
