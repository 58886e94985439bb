/// What a refresh came to, and the headers by which the server tells.
struct RefreshOutcome: Sendable {
  var session: SessionRecord
  /// The token to hand out.
  var token: String
  /// A new token, not one that was handed out before.
  var isNew: Bool
  /// `sb-auth-refresh-token-*` as recorded.
  var headers: [(name: String, value: String)]
}

/// Why a refresh was refused, and what has to be written nevertheless.
struct RefreshRefusal: Error {
  enum Consequence: Sendable {
    case none
    /// Write the session back (its family was revoked).
    case put(SessionRecord)
    /// Delete the session.
    case delete(String)
  }

  var error: APIError
  var consequence = Consequence.none

  static func validation(_ message: String) -> RefreshRefusal {
    RefreshRefusal(error: .validation(message))
  }

  static let notFound = RefreshRefusal(
    error: APIError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"))

  static func alreadyUsed(
    _ consequence: Consequence, headers: [(name: String, value: String)] = []
  ) -> RefreshRefusal {
    RefreshRefusal(
      error: APIError(
        400, "refresh_token_already_used", "Invalid Refresh Token: Already Used", headers: headers),
      consequence: consequence)
  }
}
