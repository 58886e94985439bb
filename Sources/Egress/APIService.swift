package import AgentProtocol
import Crypto
import FoundationEssentials
package import SessionEngine
package import SupabaseAuth
import SystemSupport

/// Sends authorised requests for tools that never hold the token (TK-9). A redirect is not followed, for the token would
/// go with it: the tool gets the 3xx and may ask for its `Location`, under the same rules.
package struct APIService: Sendable {
  private typealias Target = (account: String, project: Project)

  private let accounts: Accounts

  package init(accounts: Accounts) { self.accounts = accounts }

  /// The answer, whatever its status; `using` hears of each token that is sent. A 401 is repeated once with a newer token, if there is one; never twice.
  ///
  /// - Throws: `.invalidParams` and `.denied` for what may not be sent, before anything is; `.tooLarge` for a body over
  ///   8 MiB, of an answer too; what `session.token` throws; `.offline` and its like where no answer came.
  package func request(
    _ params: APIRequestMethod.Params, room: BodyRoom? = nil,
    using: @Sendable (SessionToken.Result) -> Void = { _ in }
  ) async throws(AgentError) -> APIRequestMethod.Result {
    var call = try APICall(params)
    call.room = room
    return Self.result(try await answer(to: call, account: params.account, using: using))
  }

  /// Sends a request of the agent itself. The answer has at most `limit` bytes; `isUse` is false for a request that no caller
  /// asked for, which does not delay the idle lock.
  package func answer(
    to params: APIRequestMethod.Params, limit: Int, isUse: Bool
  ) async throws(AgentError) -> APIResponse {
    var call = try APICall(params)
    call.answerLimit = limit
    call.isUse = isUse
    return try await answer(to: call, account: params.account) { _ in }
  }

  private func answer(
    to call: APICall, account: String?, using: @Sendable (SessionToken.Result) -> Void
  ) async throws(AgentError) -> APIResponse {
    let target = try await accounts.apiTarget(account)
    try await check(call, target.account, target.project)
    let token = try await accounts.token(SessionToken.Params(account: target.account, reason: "api"), isUse: call.isUse)
    using(token)
    let answer = try await send(call, token.accessToken, target)
    guard answer.status == 401, let newer = try await newerToken(than: token.accessToken, target.account, call) else {
      return answer
    }
    using(newer)
    return try await send(call, newer.accessToken, target)
  }

  /// Nil where there is none: the token is fresh, and the server refuses it all the same.
  private func newerToken(
    than token: String, _ account: String, _ call: APICall
  ) async throws(AgentError) -> SessionToken.Result? {
    let rejected = SHA256.hash(data: Data(token.utf8)).hexadecimal
    let newer = try await accounts.token(
      SessionToken.Params(account: account, rejected: rejected, reason: "api"), isUse: call.isUse)
    return newer.unchanged == true || newer.accessToken == token ? nil : newer
  }

  private func send(_ call: APICall, _ token: String, _ target: Target) async throws(AgentError) -> APIResponse {
    // While the token was awaited the account may have got another session or the project another address: the token
    // goes to the origin that it was asked for, or nowhere (SE-2).
    let current = try await accounts.apiTarget(target.account).project
    guard current.origin == target.project.origin else { throw AgentError(.misconfigured, account: target.account) }
    try await check(call, target.account, current)
    let request = try call.request(to: current, token: token)
    do {
      return try await accounts.requests.run { () async -> Result<APIResponse, AuthError> in
        do throws(AuthError) {
          return .success(try await current.server.send(request))
        } catch {
          return .failure(error)
        }
      }.get()
    } catch {
      // Cut off by a lock.
      if error.code == .cancelled { try await accounts.requireOpen() }
      throw error.code == .tooLarge ? APICall.tooLarge("answer") : AgentError.from(error, account: target.account)
    }
  }

  /// What may not be sent, and where the account's token may not go.
  private func check(_ call: APICall, _ account: String, _ project: Project) async throws(AgentError) {
    guard try !call.goesToProject(project) else { return }
    try await accounts.requireAPIOrigin(account, project)
  }

  private static func result(_ response: APIResponse) -> APIRequestMethod.Result {
    APIRequestMethod.Result(
      status: response.status, headers: APIHeaders.passedOn(response.headers),
      body: Data(response.body).base64EncodedString())
  }
}
