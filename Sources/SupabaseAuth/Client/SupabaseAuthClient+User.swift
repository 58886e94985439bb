import NIOHTTP1
import WebAddresses

/// The user and their identities.
extension SupabaseAuthClient {
  public func user(_ token: BearerToken) async throws(AuthError) -> User {
    try await success(of: Call(method: .GET, path: "/user", token: token)).value(User.self)
  }

  public func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User {
    let body = RequestBody.UserUpdate(changes: changes)
    return try await success(of: Call(method: .PUT, path: "/user", token: token, body: body)).value(User.self)
  }

  public func linkURL(
    provider: Provider, redirectTo: String, challenge: String, _ token: BearerToken
  ) async throws(AuthError) -> String {
    let query = [
      ("provider", provider.rawValue), ("redirect_to", redirectTo), ("code_challenge", challenge),
      ("code_challenge_method", "s256"), ("skip_http_redirect", "true"),
    ]
    let call = Call(method: .GET, path: "/user/identities/authorize", query: query, token: token)
    let answer = try await success(of: call)
    let url = try answer.value(LinkAnswer.self).url
    // It is handed to a browser: only what we would speak to ourselves.
    guard (try? WebAddress(url)) != nil else { throw answer.unreadable("its address is none") }
    return url
  }

  public func unlink(identity: String, _ token: BearerToken) async throws(AuthError) {
    // A dot or a slash would name another path.
    let isID =
      !identity.isEmpty && identity.utf8.count <= 64
      && identity.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard isID else { throw AuthError(.invalidRequest, "not an identity's id") }
    _ = try await success(of: Call(method: .DELETE, path: "/user/identities/\(identity)", token: token))
  }

  private struct LinkAnswer: Decodable {
    let url: String
  }
}
