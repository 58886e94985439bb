public import FoundationEssentials

/// What an answer to `POST /token?grant_type=refresh_token` means for the session. The one place that decides it.
///
/// Invariant: fatal are the codes of `FatalReason` with status 400, and `invalid_grant` of servers before v2.164 with one
/// of four known descriptions, nothing else. Every other answer keeps the session: a gateway's page, a redirect, a code
/// that a later server invents. The status is looked at before the body.
/// - Parameter now: used for a `Retry-After` that is a date, if the answer has no `Date`.
public func classifyRefresh(
  status: Int, headers: [(name: String, value: String)], body: [UInt8], now: Date = Date()
) -> RefreshOutcome {
  let answer = Answer(status: status, headers: headers, body: body)
  if answer.isSuccess { return classifySuccess(answer) }
  let refusal = Refusal(answer, now: now)
  let error = refusal.error
  switch status {
  case 540: return .paused(error)
  case 408, 409, 429, 500...599: return .transient(error, retryAfter: error.retryAfter)
  case 400...499: return classifyClientError(refusal, error)
  default: return .misconfigured(error)
  }
}

private func classifyClientError(_ refusal: Refusal, _ error: AuthError) -> RefreshOutcome {
  if refusal.status == 400, let reason = refusal.fatalReason { return .fatal(reason, error) }
  if [400, 403].contains(refusal.status), refusal.isBan { return .banned(error.with(.userBanned)) }
  if refusal.isHook { return .transient(error, retryAfter: error.retryAfter) }
  return .misconfigured(error)
}

/// A success that cannot be read leaves open whether the server rotated: the same token is tried again.
private func classifySuccess(_ answer: Answer) -> RefreshOutcome {
  do {
    return .refreshed(try answer.session())
  } catch {
    return .transient(error, retryAfter: nil)
  }
}

extension Refusal {
  fileprivate var fatalReason: FatalReason? {
    if isOAuth { return serverCode == "invalid_grant" ? grantReason : nil }
    return serverCode.flatMap(FatalReason.init(rawValue:))
  }

  /// Before v2.164 the description alone told the cases apart (`Invalid Refresh Token: Already Used`).
  private var grantReason: FatalReason? {
    guard let serverMessage else { return nil }
    let reasons: [(String, FatalReason)] = [
      ("Already Used", .tokenAlreadyUsed), ("Not Found", .tokenNotFound), ("Session Expired", .sessionExpired),
      ("No Valid Session Found", .sessionNotFound),
    ]
    return reasons.first { serverMessage.contains($0.0) }?.1
  }

  fileprivate var isBan: Bool {
    serverCode == "user_banned"
      || (isOAuth && serverCode == "invalid_grant" && serverMessage?.contains("User Banned") == true)
  }

  /// A hook of the project failed (`hook_timeout` and others), at whatever 4xx.
  fileprivate var isHook: Bool { serverCode?.hasPrefix("hook_") == true }
}

extension AuthError {
  /// The same error under the code that the old shape hides.
  fileprivate func with(_ code: Code) -> AuthError {
    AuthError(
      code, RefusalWords.message(for: code, reasons: []), status: status, serverCode: serverCode,
      serverMessage: serverMessage, retryAfter: retryAfter)
  }
}
