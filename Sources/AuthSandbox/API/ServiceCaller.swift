import Synchronization

/// Who calls a service behind the gateway. Each service has its own words for a bad token.
enum ServiceCaller: Sendable {
  case user(UserRecord)
  /// No token, or the public key in its place: the database role `anon`.
  case anonymous
  case expired
  case invalid

  var userID: String? { if case .user(let user) = self { user.id } else { nil } }
}

extension Backend {
  /// Verifies a token of `Authorization: Bearer`.
  func serviceCaller(token: String?) -> ServiceCaller {
    guard let token else { return .anonymous }
    do {
      let claims = try claims(ofAccessToken: token)
      if let id = claims["sub"]?.string, let user = state.withLock({ $0.users[id] }) { return .user(user) }
      return claims["role"] == "anon" ? .anonymous : .invalid
    } catch {
      return error.message.hasSuffix("token is expired") ? .expired : .invalid
    }
  }
}
