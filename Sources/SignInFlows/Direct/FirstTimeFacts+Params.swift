import AgentProtocol
import SessionEngine

extension FirstTimeFacts {
  /// What the caller of a native sign-in was told by Apple, and the token says.
  /// - Throws: `invalidParams` for what can be no name or address.
  init(_ params: SignInIDToken.Params, _ token: IdentityToken) throws(AgentError) {
    guard params.name.map({ $0.utf8.count <= ProfileBounds.nameLength }) ?? true,
      params.email.map({ $0.utf8.count <= Self.emailLength && $0.contains("@") }) ?? true
    else { throw AgentError(.invalidParams, "The name or the e-mail address is too long, or is none.") }
    self.init(name: params.name.flatMap(Self.present), email: (params.email ?? token.email).flatMap(Self.present))
  }
}
