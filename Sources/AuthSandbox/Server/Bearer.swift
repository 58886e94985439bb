import Synchronization

/// The person and the session behind a bearer token.
struct Caller: Sendable {
  var userID: String
  var sessionID: String?
}

extension Backend {
  /// Claims of a token that is signed by this project and not expired.
  func claims(ofAccessToken token: String) async throws(APIError) -> JSON {
    let claims = try keys.accessClaims(token)
    let isExpired = state.withLock { state in
      state.accessTokens.isExpired(token) || claims["exp"]?.number.map { Double(state.now.unixSeconds) >= $0 } ?? false
    }
    if isExpired { throw SigningKeys.bad("token has invalid claims: token is expired") }
    return claims
  }

  /// Who calls, by the rules of every Bearer endpoint of Supabase Auth.
  func caller(of request: Incoming) async throws(APIError) -> Caller {
    guard let token = request.bearer else {
      throw APIError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    }
    let claims = try await claims(ofAccessToken: token)
    guard let subject = claims["sub"]?.string, !subject.isEmpty else {
      throw APIError(403, "bad_jwt", "invalid claim: missing sub claim")
    }
    let session = claims["session_id"]?.string
    return try commit { state throws(APIError) in
      let user = try state.liveUser(subject)
      if let session, state.sessions[session] == nil {
        throw APIError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
      }
      if user.isBanned(at: state.now) { throw APIError(403, "user_banned", "User is banned") }
      return Caller(userID: user.id, sessionID: session)
    }
  }
}
