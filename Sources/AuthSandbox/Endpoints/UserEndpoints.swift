extension Backend {
  /// `GET /user`.
  func readUser(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    return Answer(json: try commit { state throws(APIError) in state.writer.user(try state.liveUser(caller.userID)) })
  }

  /// `PUT /user` with `email`, `password`, `data`.
  func updateUser(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    let body = try request.json()
    let email = try body.text("email").lowercased()
    let password = try body.text("password")
    let data = body.all["data"]?.object ?? [:]
    let json = try commit { state throws(APIError) in
      if !password.isEmpty { try state.changePassword(of: caller, to: password) }
      if !email.isEmpty { try state.changeEmail(of: caller.userID, to: email) }
      state.mergeMetadata(of: caller.userID, data)
      return state.writer.user(try state.liveUser(caller.userID))
    }
    return Answer(json: json)
  }

  /// `POST /logout?scope=global|local|others`.
  func logout(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    let scope = request.parameter("scope") ?? "global"
    try commit { state throws(APIError) in
      switch scope {
      case "global": state.sessions.removeAll(ofUser: caller.userID)
      case "local": if let session = caller.sessionID { state.sessions.remove(session) }
      case "others": state.sessions.removeAll(ofUser: caller.userID, except: caller.sessionID)
      default: throw .validation("Unsupported logout scope \"\(scope)\"")
      }
    }
    return Answer(status: 204)
  }

  /// `DELETE /admin/users/{id}`, with the service role key as the bearer token.
  func adminDeleteUser(_ request: Incoming) async throws -> Answer {
    guard let token = request.bearer else {
      throw APIError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    }
    guard try await claims(ofAccessToken: token)["role"]?.string == "service_role" else {
      throw APIError(403, "not_admin", "User not allowed")
    }
    let id = String(Route.split(request.path).last ?? "")
    try commit { state throws(APIError) in
      guard state.users[id] != nil else { throw APIError(404, "user_not_found", "User not found") }
      state.deleteUser(id)
    }
    return Answer(json: [:])
  }
}

extension SandboxState {
  /// Sets the password and ends all other sessions of the user.
  mutating func changePassword(of caller: Caller, to password: String) throws(APIError) {
    let now = self.now
    try checkStrength(password)
    if users[caller.userID]?.password?.matches(password) == true {
      throw APIError(422, "same_password", "New password should be different from the old password.")
    }
    users.update(caller.userID) {
      $0.password = PasswordHash(password)
      $0.updatedAt = now.truncatedToMicroseconds
    }
    sessions.removeAll(ofUser: caller.userID, except: caller.sessionID)
  }

  /// Changes the address: at once with auto-confirmation, otherwise as the pending `new_email`.
  mutating func changeEmail(of id: String, to email: String) throws(APIError) {
    let now = self.now
    try Self.checkAddress(email)
    if let owner = users.withEmail(email), owner.id != id {
      throw APIError(422, "email_exists", "A user with this email address has already been registered")
    }
    let isImmediate = settings.autoconfirm
    users.update(id) {
      if isImmediate {
        $0.email = email
        for index in $0.identities.indices where $0.identities[index].provider == "email" {
          $0.identities[index].data["email"] = .string(email)
        }
      } else {
        $0.newEmail = email
      }
      $0.updatedAt = now.truncatedToMicroseconds
    }
  }

  /// Merges `data` into the user's metadata; null deletes a key.
  mutating func mergeMetadata(of id: String, _ data: [String: JSON]) {
    let now = self.now
    users.update(id) {
      for (name, value) in data { $0.metadata[name] = value == .null ? nil : value }
      $0.updatedAt = now.truncatedToMicroseconds
    }
  }

  mutating func deleteUser(_ id: String) {
    sessions.removeAll(ofUser: id)
    users[id] = nil
    profiles[id] = nil
    rows[id] = nil
  }
}
