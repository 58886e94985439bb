/// The body of a refusal, in any of GoTrue's shapes: new (`code` a text, `message`), old (`code` a number, `error_code`,
/// `msg`), OAuth (`error`, `error_description`), and that of a Postgres exception (`code` a SQLSTATE). What a gateway
/// writes comes out without a code.
struct ErrorBody: Decodable {
  let code: String?
  let message: String?
  /// `weak_password.reasons`.
  let reasons: [String]
  /// True for the shape of RFC 6749, section 5.2.
  let isOAuth: Bool

  private enum CodingKeys: String, CodingKey {
    case code, error, message, msg
    case errorCode = "error_code"
    case errorDescription = "error_description"
    case weakPassword = "weak_password"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let named = container.text(.code) ?? container.text(.errorCode)
    let oauth = container.text(.error)
    code = named ?? oauth
    isOAuth = named == nil && oauth != nil
    message =
      container.text(.msg) ?? container.text(.message) ?? container.text(.errorDescription) ?? container.text(.error)
    reasons = container.lenient(WeakPassword.self, .weakPassword)?.known ?? []
  }
}

/// `weak_password` of a session or a refusal.
struct WeakPassword: Decodable {
  let reasons: [Lenient<String>]
  var known: [String] { reasons.compactMap(\.value) }
}
