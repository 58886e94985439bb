/// The CAPTCHA protection of a project.
extension Backend {
  private static let guardedPaths: Set<String> = ["signup", "otp", "magiclink", "recover", "resend", "sso"]
  /// Grants that need no CAPTCHA; every other grant does, unknown ones too.
  private static let openGrants: Set<String> = ["refresh_token", "pkce", "id_token"]

  /// Checks the CAPTCHA token of a request that needs one.
  /// - Throws: 400 `captcha_failed`, or 500 if the CAPTCHA service does not answer.
  func checkCaptcha(_ request: Incoming) throws(APIError) {
    let settings = settings
    guard settings.captcha != .off, needsCaptcha(request), request.bearer != serviceRoleKey else { return }
    let body = try request.json()
    let token = body.all["gotrue_meta_security"]?["captcha_token"]?.string ?? ""
    if token.isEmpty { throw Self.refusal("no captcha_token found") }
    if settings.captcha == .down {
      throw APIError(500, "unexpected_failure", "captcha verification process failed")
    }
    if token != settings.captchaToken { throw Self.refusal("invalid-input-response") }
  }

  private func needsCaptcha(_ request: Incoming) -> Bool {
    let path = Route.split(request.path)
    guard request.method == "POST", path.count == 3, path[0] == "auth" else { return false }
    if path[2] == "token" { return !Self.openGrants.contains(request.parameter("grant_type") ?? "") }
    return Self.guardedPaths.contains(String(path[2]))
  }

  private static func refusal(_ reason: String) -> APIError {
    APIError(400, "captcha_failed", "captcha protection: request disallowed (\(reason))")
  }
}
