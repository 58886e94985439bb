import AuthSandbox
import Testing

/// A response to a refresh, and its visible consequences.
struct AnswerRow: Sendable, CustomTestStringConvertible {
  enum Meaning: Sendable {
    /// The session has ended, for this reason.
    case ended(String)
    /// The session is kept and overdue; the next attempt is within these seconds.
    case kept(next: ClosedRange<Int>)
  }

  let name: String
  let fault: Fault
  let meaning: Meaning
  /// The message and the exit status of `ritualctl refresh`.
  let words: String
  let exit: Int32
  /// The HTTP status of the last attempt, as `why` reports it.
  let status: Int?

  var testDescription: String { name }

  static let all = fatal + oldFatal + slow + transient
}

extension AnswerRow {
  private static func fatal(_ code: String, _ reason: String) -> AnswerRow {
    AnswerRow(
      name: "400 \(code)", fault: .error(status: 400, code: code), meaning: .ended(reason),
      words: "Session expired. Please sign in again.", exit: 4, status: 400)
  }

  private static let fatal = [
    fatal("refresh_token_not_found", "ended elsewhere"),
    fatal("refresh_token_already_used", "revoked: refresh token reused"),
    fatal("session_not_found", "session deleted"),
    fatal("session_expired", "session expired"),
    fatal("validation_failed", "refresh token unknown to this server"),
  ]

  /// Servers before v2.164.
  private static let oldFatal = [
    ("Already Used", "revoked: refresh token reused"), ("Not Found", "ended elsewhere"),
    ("Session Expired", "session time limit reached"), ("No Valid Session Found", "session deleted"),
  ].map { grant, reason in
    AnswerRow(
      name: "invalid_grant, \(grant)", fault: .invalidGrant(grant), meaning: .ended(reason),
      words: "Session expired. Please sign in again.", exit: 4, status: 400)
  }

  private static let key = "check url and anon_key"

  /// Pauses in seconds: after three attempts, and after a response that a short wait does not change.
  private static let early = 0...120
  private static let late = 1200...3000

  /// Failures that a short wait does not resolve, and pauses that the server asked for.
  private static let slow = [
    row("400 user_banned", .error(status: 400, code: "user_banned"), late, "This account is suspended", 6, 400),
    row("403 user_banned", .error(status: 403, code: "user_banned"), late, "This account is suspended", 6, 403),
    row("the gateway's 401", .gatewayUnauthorized, late, key, 1, 401),
    row("a 403 without a code", .answer(status: 403, body: "{}"), late, key, 1, 403),
    row("404", .answer(status: 404, contentType: "text/html", body: "<html>"), late, key, 1, 404),
    row("418 of a captive portal", .answer(status: 418, body: "{}"), late, unavailable, 7, 418),
    row("302 of a captive portal", .answer(status: 302, headers: ["location": "http://x/"]), late, key, 1, 302),
    row("540", .projectPaused, late, "the project is paused", 7, 540),
    row("429", .rateLimited(), 30...36, "Too many requests", 7, 429),
    row("429 with Retry-After", .rateLimited(retryAfter: 77), 77...93, "Too many requests", 7, 429),
    row(
      "503 with Retry-After", .answer(status: 503, body: "{}", headers: ["retry-after": "120"]), 120...144,
      unavailable, 7, 503),
  ]

  private static let unavailable = "Service temporarily unavailable. Please try again later."
  private static let offline = "Connection failed. Please check your internet and try again."

  /// Three attempts, then one within two minutes.
  private static let transient = [
    row("409 conflict", .conflict, early, unavailable, 7, 409),
    row("422 of a hook", .hookTimeout, early, "A hook of the project failed.", 7, 422),
    row("500", .databaseDown, early, unavailable, 7, 500),
    row("502 with HTML", .badGatewayHTML, early, unavailable, 7, 502),
    row("503", .answer(status: 503), early, unavailable, 7, 503),
    row("504 after the commit", .timeoutAfterCommit, early, unavailable, 7, 504),
    row("520", .answer(status: 520), early, unavailable, 7, 520),
    row("521 with HTML", .webServerDownHTML, early, unavailable, 7, 521),
    row("530", .answer(status: 530), early, unavailable, 7, 530),
    row("dropped before the commit", .dropBeforeCommit, early, offline, 7, nil),
    row("dropped after the commit", .dropAfterCommit, early, offline, 7, nil),
    row("a body cut by the network", .cutBody, early, unavailable, 7, nil),
    row("a 200 that cannot be read", .truncatedBody, early, unavailable, 7, 200),
  ]

  private static func row(
    _ name: String, _ fault: Fault, _ next: ClosedRange<Int>, _ words: String, _ exit: Int32, _ status: Int?
  ) -> AnswerRow {
    AnswerRow(name: name, fault: fault, meaning: .kept(next: next), words: words, exit: exit, status: status)
  }
}
