/// A failure as Supabase Auth tells it, independent of the shape in which it is written.
struct APIError: Error {
  /// The shape on the wire.
  enum Form: Sendable {
    /// `{"code":…,"message":…}` or `{"code":400,"error_code":…,"msg":…}`, chosen by the request's version header.
    case versioned
    /// `{"error":…,"error_description":…}` whatever the version.
    case oauth
  }

  var status: Int
  var code: String
  var message: String
  var form: Form = .versioned
  var extra: [String: JSON] = [:]
  var headers: [(name: String, value: String)] = []

  init(
    _ status: Int, _ code: String, _ message: String, extra: [String: JSON] = [:],
    headers: [(name: String, value: String)] = []
  ) {
    (self.status, self.code, self.message, self.extra, self.headers) = (status, code, message, extra, headers)
  }

  /// The OAuth shape is always a 400.
  static func oauth(_ error: String, _ description: String) -> APIError {
    var result = APIError(400, error, description)
    result.form = .oauth
    return result
  }

  static func validation(_ message: String) -> APIError { APIError(400, "validation_failed", message) }

  /// Renders the answer to a request that did or did not ask for the shapes of 2024-01-01.
  func answer(newShape: Bool) -> Answer {
    var answer = Answer(status: status, json: .object(newShape ? newMembers : oldMembers))
    answer.headers += headers
    // The real server leaves the header out for weak_password in the new shape, and for the OAuth shape.
    let isPlain = if case .versioned = form { !(newShape && code == "weak_password") } else { false }
    if isPlain { answer.headers.append(("x-sb-error-code", code)) }
    if newShape { answer.headers.append(("x-supabase-api-version", APIVersion.newShape)) }
    return answer
  }

  private var newMembers: [String: JSON] {
    if case .oauth = form { return ["error": .string(code), "error_description": .string(message)] }
    return extra.merging(["code": .string(code), "message": .string(message)], uniquingKeysWith: { $1 })
  }

  private var oldMembers: [String: JSON] {
    if case .oauth = form { return newMembers }
    var members = extra
    members["code"] = .int(status)
    members["error_code"] = .string(code)
    members["msg"] = .string(message)
    if status == 500 { members["error_id"] = .string(Text.uuid()) }
    return members
  }
}

/// The header `X-Supabase-Api-Version`.
enum APIVersion {
  /// The first version with string codes.
  static let newShape = "2024-01-01"

  /// Versions are ISO dates, so they compare as text.
  static func asksForNewShape(_ header: String?) -> Bool { (header ?? "") >= newShape }
}
