import AgentClient
import AgentProtocol

/// Signing in with a token that another program got: an identity token (SI-3), or the refresh token of a session (SI-14).
struct TokenSignIn {
  let command: SignInCommand
  let output: Output

  /// Bytes, as the agent has it; identity tokens have about 1 KiB.
  private static let tokenLimit = 16 * 1024

  func exchange() throws -> ExitStatus {
    let token = try Streams.readSecret("identity token", limit: Self.tokenLimit)
    let params = SignInIDToken.Params(
      account: command.account.account, project: command.project, provider: command.method?.rawValue ?? "",
      idToken: token, nonce: command.nonce, replace: command.replace ? true : nil, name: command.name,
      acceptLink: command.yes ? true : nil)
    return try report(try command.common.connect().call(SignInIDToken.self, params))
  }

  func importSession() throws -> ExitStatus {
    let token = try Streams.readSecret("refresh token", limit: Self.tokenLimit)
    output.warning("stop using this session elsewhere, or both will be signed out")
    let params = SignInImportSession.Params(
      account: command.account.account, project: command.project, refreshToken: token,
      replace: command.replace ? true : nil)
    return try report(try command.common.connect().call(SignInImportSession.self, params))
  }

  private func report(_ account: AccountStatus) throws -> ExitStatus {
    try output.answer(SignInAnswer(value: SignInResult(.signedIn, account: account)))
    return .done
  }
}
