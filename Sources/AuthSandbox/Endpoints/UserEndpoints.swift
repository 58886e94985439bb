extension Backend {
  /// `GET /user`.
  func readUser(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    return Answer(json: try commit { state throws(APIError) in state.writer.user(try state.liveUser(caller.userID)) })
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
    guard try claims(ofAccessToken: token)["role"]?.string == "service_role" else {
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
  /// Merges `data` into the user's metadata; null deletes a key.
  mutating func mergeMetadata(of id: String, _ data: [String: JSON]) {
    changeUser(id) {
      for (name, value) in data { $0.metadata[name] = value == .null ? nil : value }
      $0.updatedAt = $1.truncatedToMicroseconds
    }
  }

  mutating func deleteUser(_ id: String) {
    sessions.removeAll(ofUser: id)
    codes.removeAll(ofUser: id)
    users[id] = nil
    profiles[id] = nil
    for name in tables.keys { tables[name]?.rows.removeAll { $0.userID == id } }
  }
}
