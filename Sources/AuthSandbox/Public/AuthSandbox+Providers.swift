import Synchronization

extension AuthSandbox {
  /// Makes an identity token as Google or Apple would.
  public func mintIDToken(_ request: IDTokenRequest) async throws -> String {
    let name = request.provider.rawValue
    let (now, known) = backend.state.withLock { state in
      (state.now, request.email.flatMap { state.providers.account($0, at: name) })
    }
    var claims: [String: JSON] = [
      "iss": .string(request.issuer ?? ProviderFacts.issuers[name]?.first ?? ""),
      "aud": .string(request.audience ?? ProviderFacts.audiences[name]?.last ?? ""),
      "sub": .string(request.subject ?? known?.subject ?? ProviderDirectory.subject(for: name)),
      "iat": .int(now.unixSeconds), "exp": .int(now.unixSeconds + request.expiresIn),
    ]
    claims["email"] = request.email.map(JSON.string)
    claims["email_verified"] = request.email.map { _ in .bool(request.emailVerified) }
    claims["name"] = request.name.map(JSON.string)
    claims["nonce"] = request.nonce.map(JSON.string)
    return try backend.keys.signIdentity(.object(claims), broken: request.badSignature)
  }

  /// Adds an account at a provider, to be chosen on its consent page; the result is its subject.
  @discardableResult
  public func addProviderAccount(
    _ provider: SandboxProvider, email: String, firstName: String = "", lastName: String = "",
    emailVerified: Bool = true
  ) -> String {
    let account = ProviderAccount(
      provider: provider.rawValue, subject: ProviderDirectory.subject(for: provider.rawValue),
      email: email.lowercased(), isEmailVerified: emailVerified, givenName: firstName, familyName: lastName)
    backend.state.withLock { $0.providers.put(account) }
    return account.subject
  }

  /// Apple forgets that the account has ever consented: the next time is a first time again.
  public func forgetAppleConsent(_ email: String) {
    backend.state.withLock { state in
      guard var account = state.providers.account(email, at: "apple") else { return }
      account.toldEmail = nil
      state.providers.put(account)
    }
  }
}
