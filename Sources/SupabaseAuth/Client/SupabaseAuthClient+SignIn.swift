import NIOHTTP1

/// Signing in and staying signed in.
extension SupabaseAuthClient {
  public func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome {
    let body = RequestBody.EmailPassword(email: email, password: password.exposed)
    return try await success(of: Call(method: .POST, path: "/signup", body: body)).signUpOutcome()
  }

  public func signIn(email: String, password: Password) async throws(AuthError) -> Session {
    let body = RequestBody.EmailPassword(email: email, password: password.exposed)
    return try await success(of: grant("password", body)).session()
  }

  public func exchange(code: String, verifier: String) async throws(AuthError) -> Session {
    try await success(of: grant("pkce", RequestBody.CodeExchange(code: code, verifier: verifier))).session()
  }

  public func signIn(
    provider: Provider, idToken: String, nonce: String?, accessToken: BearerToken?
  ) async throws(AuthError) -> Session {
    let body = RequestBody.IDToken(
      provider: provider.rawValue, idToken: idToken, nonce: nonce, linkIdentity: accessToken == nil ? nil : true)
    return try await success(of: grant("id_token", body, accessToken)).session()
  }

  public func refresh(_ token: RefreshToken) async -> RefreshOutcome {
    do {
      let answer = try await answer(to: grant("refresh_token", RequestBody.Refresh(token: token.exposed)))
      return classifyRefresh(status: answer.status, headers: answer.headers, body: answer.body)
    } catch {
      return .transient(error, retryAfter: nil)
    }
  }

  public func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError) {
    let call = Call(method: .POST, path: "/logout", query: [("scope", scope.rawValue)], token: token)
    do {
      _ = try await success(of: call)
    } catch {
      // A gateway's refusal (a rotated key) and one of the access token say nothing about the session: whoever waits for
      // its end tries again.
      guard let status = error.status, [401, 403, 404].contains(status),
        ![.gatewayRefused, .notFound, .badJWT].contains(error.code)
      else { throw error }
    }
  }

  private func grant(_ type: String, _ body: any Encodable, _ token: BearerToken? = nil) -> Call {
    Call(method: .POST, path: "/token", query: [("grant_type", type)], token: token, body: body)
  }
}
