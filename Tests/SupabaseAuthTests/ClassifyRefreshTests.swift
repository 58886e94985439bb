import FoundationEssentials
import SupabaseAuth
import TestKit
import Testing

@Suite struct ClassifyRefreshTests {
  /// Returns an outcome as text, for tables of expectations.
  static func text(_ outcome: RefreshOutcome) -> String {
    switch outcome {
    case .refreshed: "refreshed"
    case .fatal(let reason, let error): "fatal \(reason) \(error.code)"
    case .transient(let error, let wait): "transient \(error.code)" + (wait.map { " \($0.components.seconds)" } ?? "")
    case .misconfigured(let error): "misconfigured \(error.code)"
    case .banned(let error): "banned \(error.code)"
    case .refused(let error): "refused \(error.code)"
    case .paused(let error): "paused \(error.code)"
    }
  }

  private static func classify(_ status: Int, _ body: String, _ headers: [(String, String)] = []) -> String {
    text(
      classifyRefresh(
        status: status, headers: headers.map { (name: $0.0, value: $0.1) }, body: Array(body.utf8),
        now: Date(timeIntervalSince1970: 784_111_777)))
  }

  // MARK: - Fatal

  static let fatalCodes: [(String, String)] = [
    ("refresh_token_not_found", "fatal tokenNotFound refreshTokenNotFound"),
    ("refresh_token_already_used", "fatal tokenAlreadyUsed refreshTokenAlreadyUsed"),
    ("session_not_found", "fatal sessionNotFound sessionNotFound"),
    ("session_expired", "fatal sessionExpired sessionExpired"),
    ("validation_failed", "fatal tokenInvalid validationFailed"),
    ("user_not_found", "fatal userNotFound userNotFound"),
  ]

  @Test(arguments: fatalCodes) func fatal(code: String, expected: String) {
    #expect(Self.classify(400, #"{"code":"\#(code)","message":"m"}"#) == expected)
    #expect(Self.classify(400, #"{"code":400,"error_code":"\#(code)","msg":"m"}"#) == expected)
    #expect(Self.classify(400, "", [("x-sb-error-code", code)]) == expected)
  }

  @Test(arguments: fatalCodes) func fatalCodesUnderAnotherStatusEndNothing(code: String, _: String) {
    for status in [200, 204, 301, 302, 401, 403, 404, 409, 422, 429, 500, 502, 503, 521, 540] {
      let outcome = Self.classify(status, #"{"code":"\#(code)","message":"m"}"#)
      #expect(!outcome.hasPrefix("fatal"), "\(status): \(outcome)")
    }
  }

  @Test(arguments: [
    ("Invalid Refresh Token: Already Used", "fatal tokenAlreadyUsed server.invalid_grant"),
    ("Invalid Refresh Token: Refresh Token Not Found", "fatal tokenNotFound server.invalid_grant"),
    ("Invalid Refresh Token: Session Expired (Inactivity)", "fatal inactivity server.invalid_grant"),
    ("Invalid Refresh Token: No Valid Session Found", "fatal sessionNotFound server.invalid_grant"),
    ("Invalid Refresh Token: Session Expired (Revoked by Newer Login)", "refused newerSignIn"),
    ("Invalid Refresh Token: User Banned", "banned userBanned"),
    ("something else", "misconfigured server.invalid_grant"),
  ])
  func beforeV2164(description: String, expected: String) {
    let body = #"{"error":"invalid_grant","error_description":"\#(description)"}"#
    #expect(Self.classify(400, body) == expected)
    #expect(!Self.classify(401, body).hasPrefix("fatal"))
  }

  /// The recorded messages of `session_expired`, and one of a later server.
  static let expiries: [(String, String)] = [
    ("Invalid Refresh Token: Session Expired", "fatal timebox sessionExpired"),
    ("Invalid Refresh Token: Session Expired (Inactivity)", "fatal inactivity sessionExpired"),
    (
      "Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)",
      "fatal lowAssurance sessionExpired"
    ),
    ("Invalid Refresh Token: Session Expired (Revoked by Newer Login)", "refused newerSignIn"),
    ("Invalid Refresh Token: Session Expired (Moon Phase)", "fatal sessionExpired sessionExpired"),
  ]

  @Test("SL-1: the messages of session_expired are told apart", arguments: expiries)
  func expired(message: String, expected: String) {
    #expect(Self.classify(400, #"{"code":"session_expired","message":"\#(message)"}"#) == expected)
    #expect(Self.classify(400, #"{"code":400,"error_code":"session_expired","msg":"\#(message)"}"#) == expected)
    #expect(!Self.classify(403, #"{"code":"session_expired","message":"\#(message)"}"#).hasPrefix("fatal"))
  }

  @Test("SL-1: a hook's refusal keeps the session, whatever its status", arguments: [400, 401, 403, 404, 418, 422])
  func hookRefusal(status: Int) {
    let body = #"{"code":\#(status),"error_code":"unknown","msg":"You are on the block list."}"#
    #expect(Self.classify(status, body) == "refused hookRefused")
    #expect(Self.classify(status, #"{"code":"unknown","message":"m"}"#) == "refused hookRefused")
  }

  @Test func newerInStorageIsWorthALook() {
    #expect(FatalReason.allCases.filter(\.mayMeanNewerInStorage) == [.tokenAlreadyUsed, .tokenInvalid])
  }

  // MARK: - Everything else keeps the session

  static let keptRows: [(Int, String, [(String, String)], String)] = [
    (400, #"{"code":"user_banned","message":"m"}"#, [], "banned userBanned"),
    (403, #"{"code":403,"error_code":"user_banned","msg":"m"}"#, [], "banned userBanned"),
    (401, #"{"message":"No API key found in request"}"#, [], "misconfigured gatewayRefused"),
    (403, "<html>", [("content-type", "text/html")], "misconfigured gateRefused"),
    (404, "404 page not found", [("content-type", "text/plain")], "misconfigured notFound"),
    (400, #"{"code":"bad_json","message":"m"}"#, [], "misconfigured server.bad_json"),
    (400, "", [], "misconfigured unexpected"),
    (400, #"{"code":"P0001","message":"refresh_token_not_found"}"#, [], "misconfigured server.P0001"),
    (400, #"{"code":"refresh_token_not_found"}"#, [("content-type", "text/html")], "misconfigured unexpected"),
    (400, #"{"error":"validation_failed","error_description":"Not Found"}"#, [], "misconfigured validationFailed"),
    (418, "", [], "misconfigured unexpected"),
    (409, #"{"code":"conflict","message":"m"}"#, [], "transient conflict"),
    (422, #"{"code":"hook_timeout","message":"m"}"#, [], "transient server.hook_timeout"),
    (422, #"{"code":"other","message":"m"}"#, [], "misconfigured server.other"),
    (429, #"{"code":"over_request_rate_limit","message":"m"}"#, [], "transient rateLimited"),
    (429, "", [("Retry-After", "30")], "transient rateLimited 30"),
    (429, "", [("Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT")], "transient rateLimited 30"),
    (
      429, "", [("Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT"), ("Date", "Sun, 06 Nov 1994 08:50:00 GMT")],
      "transient rateLimited 7"
    ),
    (429, "", [("Retry-After", "Sun, 06 Nov 1993 08:50:07 GMT")], "transient rateLimited 0"),
    (408, "", [], "transient timeout"),
    (500, #"{"code":"unexpected_failure","message":"m"}"#, [], "transient serverUnavailable"),
    (502, "<html>refresh_token_not_found</html>", [("content-type", "text/html")], "transient serverUnavailable"),
    (503, "", [("retry-after", "5")], "transient serverUnavailable 5"),
    (504, #"{"code":"request_timeout","message":"m"}"#, [], "transient serverUnavailable"),
    (521, "<html>", [("content-type", "text/html")], "transient serverUnavailable"),
    (530, "", [], "transient serverUnavailable"),
    (540, "", [], "paused projectPaused"),
    (301, "", [("location", "https://other.test/")], "misconfigured gatewayRefused"),
    (302, #"{"code":"refresh_token_not_found"}"#, [("location", "/x")], "misconfigured gatewayRefused"),
    (307, "", [("location", "https://other.test/")], "misconfigured gatewayRefused"),
    (304, "", [], "misconfigured gatewayRefused"),
    (200, "<html>Welcome to the hotel</html>", [("content-type", "text/html")], "transient unreadable"),
    (200, "", [], "transient unreadable"),
    (204, "", [], "transient unreadable"),
  ]

  @Test(arguments: keptRows) func kept(status: Int, body: String, headers: [(String, String)], expected: String) {
    #expect(Self.classify(status, body, headers) == expected)
  }

  @Test func allServerErrorsAreTransient() {
    for status in 500...599 where status != 540 {
      #expect(Self.classify(status, "") == "transient serverUnavailable")
    }
  }

  // MARK: - Success

  @Test func refreshed() { #expect(Self.classify(200, Fixture.session()) == "refreshed") }

  @Test(arguments: [
    Fixture.session(access: ""), Fixture.session(refresh: ""), Fixture.session(access: #"a\u0000b"#),
    Fixture.session(refresh: #"a\nb"#), Fixture.session(refresh: "a b"), Fixture.session(access: "é"),
    Fixture.session(expiresIn: "0"), Fixture.session(expiresIn: "-1"), Fixture.session(expiresIn: "\"x\""),
    Fixture.session(expiresIn: "null"), Fixture.session(user: nil), Fixture.session(user: #"{"id":""}"#),
    String(Fixture.session().dropLast(2)), "null", "[]", "{}",
    #"{"access_token":"a","expires_in":60,"user":{"id":"u"}}"#,
  ])
  func unreadableSuccess(body: String) { #expect(Self.classify(200, body) == "transient unreadable") }
}

/// No input crashes, and only a listed code with status 400 ends a session.
@Suite struct ClassifyRefreshPropertyTests {
  private static let interesting = [
    "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
    "validation_failed", "user_banned", "invalid_grant", "Already Used", "Not Found", "conflict", "hook_timeout",
    "bad_jwt", "", "\u{0}", "é",
  ]
  private static let keys = [
    "code", "error_code", "error", "error_description", "msg", "message", "access_token", "refresh_token",
    "expires_in", "user", "id", "weak_password", "reasons",
  ]

  private func json(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    switch Int.random(in: 0..<(depth > 3 ? 5 : 8), using: &random) {
    case 0: "null"
    case 1: Bool.random(using: &random) ? "true" : "false"
    case 2: "\(Int.random(in: Int.min...Int.max, using: &random))"
    case 3: "\(Double.random(in: -1e300...1e300, using: &random))"
    case 4: quoted(Self.interesting.randomElement(using: &random) ?? "")
    case 5: "[" + (0..<3).map { _ in json(&random, depth: depth + 1) }.joined(separator: ",") + "]"
    default: object(&random, depth: depth)
    }
  }

  private func object(_ random: inout SeededGenerator, depth: Int) -> String {
    let members = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      quoted(Self.keys.randomElement(using: &random) ?? "") + ":" + json(&random, depth: depth + 1)
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\u{0}", with: "\\u0000") + "\""
  }

  private func check(_ status: Int, _ body: [UInt8], headers: [(name: String, value: String)] = []) -> Bool {
    guard case .fatal(let reason, let error) = classifyRefresh(status: status, headers: headers, body: body) else {
      return false
    }
    let isListed = error.serverCode == reason.serverCode || error.serverCode == "invalid_grant"
    #expect(status == 400 && isListed, "fatal for \(status) \(String(decoding: body, as: UTF8.self))")
    return true
  }

  private func status(_ random: inout SeededGenerator) -> Int {
    // Half of the statuses are 400, so that the fatal branch is reached often.
    Bool.random(using: &random) ? 400 : Int.random(in: 100...999, using: &random)
  }

  @Test func randomBytes() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      let body = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(!check(status(&random), body))
    }
  }

  @Test func randomJSON() {
    var random = SeededGenerator(seed: 2)
    var fatal = 0
    for _ in 0..<5000 where check(status(&random), Array(object(&random, depth: 0).utf8)) { fatal += 1 }
    #expect(fatal > 20, "the fatal branch must be met for the test to mean anything")
  }

  @Test func mutatedSessions() {
    var random = SeededGenerator(seed: 3)
    let session = Array(Fixture.session().utf8)
    for _ in 0..<2000 {
      var body = session
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { body.removeLast(Int.random(in: 0..<body.count, using: &random)) }
      #expect(!check(200, body))
    }
  }

  @Test(arguments: ["[", "{\"user\":"]) func deepNesting(opening: String) {
    #expect(!check(200, Array(String(repeating: opening, count: 100_000).utf8)))
    #expect(!check(400, Array(String(repeating: opening, count: 100_000).utf8)))
  }
}
