import AgentConfiguration
package import AgentProtocol
import Crypto
import FoundationEssentials
package import SessionEngine
package import SupabaseAuth
import SystemSupport

/// Sends requests with the token added, for tools that never hold the token (TK-9). Redirects are
/// not followed because the token would be sent along. The tool receives the 3xx and may request
/// its `Location`, under the same rules.
package struct APIService: Sendable {
  private typealias Target = (account: String, project: Project)

  private let accounts: Accounts
  private let refused: RefusedTokens

  /// - Parameter refused: shared with the proxy.
  package init(accounts: Accounts, refused: RefusedTokens = RefusedTokens()) {
    (self.accounts, self.refused) = (accounts, refused)
  }

  /// Sends a request and returns the response, whatever its status. A refusal that is about the
  /// token is retried once with a newer token, if one exists; so is any other 401, once for each
  /// token (EG-5).
  ///
  /// - Parameter using: called with each token before the token is sent.
  /// - Throws: `.invalidParams` and `.denied` for a request that may not be sent, before anything
  ///   is sent; `.tooLarge` for a request or response body over 8 MiB; the errors of
  ///   `session.token`; `.offline` and similar errors if no response arrived.
  package func request(
    _ params: APIRequestMethod.Params, using: @Sendable (SessionToken.Result) -> Void = { _ in }
  ) async throws(AgentError) -> APIRequestMethod.Result {
    Self.result(try await answer(to: APICall(params), account: params.account, using: using))
  }

  /// Sends a request of the agent itself. The response has at most `limit` bytes. `isUse` is false
  /// for a request that no caller made; such a request does not delay the idle lock.
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
    guard mayRefresh(after: answer, call, token), let newer = try await newerToken(than: token, call) else {
      return answer
    }
    using(newer)
    let second = try await send(call, newer.accessToken, target)
    if rejection(in: second, call) != .none { refused.note(fingerprint(newer), of: newer.account) }
    return second
  }

  private func mayRefresh(after answer: APIResponse, _ call: APICall, _ token: SessionToken.Result) -> Bool {
    switch rejection(in: answer, call) {
    case .none: false
    case .token: true
    case .unauthorized: !refused.contains(fingerprint(token), of: token.account)
    }
  }

  private func rejection(in answer: APIResponse, _ call: APICall) -> TokenRejection {
    TokenRejection(
      status: answer.status, path: call.path,
      challenge: answer.headers.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value),
      body: Array(answer.body.prefix(TokenRejection.maxBody)))
  }

  private func fingerprint(_ token: SessionToken.Result) -> String {
    TokenEntry.fingerprint(of: token.accessToken)
  }

  /// Returns nil if there is no newer token: the token is fresh, and the server still refuses it.
  private func newerToken(
    than token: SessionToken.Result, _ call: APICall
  ) async throws(AgentError) -> SessionToken.Result? {
    let newer = try await accounts.token(
      SessionToken.Params(account: token.account, rejected: fingerprint(token), reason: "api"), isUse: call.isUse)
    return newer.unchanged == true || newer.accessToken == token.accessToken ? nil : newer
  }

  private func send(_ call: APICall, _ token: String, _ target: Target) async throws(AgentError) -> APIResponse {
    // While the token was awaited, the account may have got another session, or the project another
    // URL. The token is sent only to the origin for which it was requested (SE-2).
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
      // A lock cancels requests in flight.
      if error.code == .cancelled { try await accounts.requireOpen() }
      throw error.code == .tooLarge ? APICall.tooLarge("answer") : AgentError.from(error, account: target.account)
    }
  }

  /// Throws for a request that may not be sent, or that would take the account's token to an origin
  /// without permission.
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

/// A caller's request, validated as far as possible without the target project.
package struct APICall: Sendable {
  private let method: String
  /// A path, or a URL on one of the origins.
  let path: String
  private let headers: [(name: String, value: String)]
  private let body: [UInt8]
  /// The maximum size of the response body, in bytes.
  package var answerLimit = Wire.bodyLimit

  /// False for a background request, which does not delay the idle lock.
  package var isUse = true

  /// The length of the largest body in base64 (RFC 4648, section 4).
  private static let longestBody = (Wire.bodyLimit + 2) / 3 * 4

  package init(_ params: APIRequestMethod.Params) throws(AgentError) {
    guard Self.isMethod(params.method) else {
      throw AgentError(.invalidParams, "The method must be an uppercase word, and not CONNECT or TRACE.")
    }
    let encoded = params.body ?? ""
    guard encoded.utf8.count <= Self.longestBody else { throw Self.tooLarge("body") }
    guard let body = Data(base64Encoded: encoded) else { throw AgentError(.invalidParams, "The body is not base64.") }
    guard body.count <= Wire.bodyLimit else { throw Self.tooLarge("body") }
    method = params.method
    path = params.path
    headers = try APIHeaders.checked(params.headers ?? [])
    self.body = [UInt8](body)
  }

  /// Returns whether the request goes to the project's own origin, which issued the session.
  ///
  /// - Throws: `.invalidParams` or `.denied` for a request that may not be sent at all.
  func goesToProject(_ project: Project) throws(AgentError) -> Bool {
    try APIRequestURL(path, project: project).isProject
  }

  /// Returns the request to send to `project`.
  func request(to project: Project, token: String) throws(AgentError) -> APIRequest {
    let address = try APIRequestURL(path, project: project)
    var headers = headers
    if address.isProject { headers.append(("apikey", project.settings.anonKey)) }
    headers.append(("Authorization", "Bearer \(token)"))
    return APIRequest(method: method, url: address.url, headers: headers, body: body, limit: answerLimit)
  }

  /// The error for a body that a frame cannot carry.
  static func tooLarge(_ what: String) -> AgentError {
    AgentError(.tooLarge, "The \(what) is larger than \(Wire.bodyLimit >> 20) MiB.")
  }

  /// True for methods (RFC 9110, section 9.1) of capital letters only. CONNECT requests a tunnel;
  /// TRACE would return the token.
  private static func isMethod(_ text: String) -> Bool {
    (1...APIHeaders.maxMethodLength).contains(text.utf8.count) && !["CONNECT", "TRACE"].contains(text)
      && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}
