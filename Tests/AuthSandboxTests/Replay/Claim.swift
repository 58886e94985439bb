@testable import AuthSandbox

/// How an exchange is brought about again: what has to have happened, and what replaces the recording's own tokens.
struct Claim: Sendable {
  var settings: @Sendable (inout SandboxSettings) -> Void = { _ in }
  var prepare: @Sendable (Stage) async throws -> Sending

  /// Sent as recorded, on a fresh sandbox.
  static let asIs = Claim { _ in Sending() }

  /// Sent as recorded, with settings.
  static func with(_ settings: @escaping @Sendable (inout SandboxSettings) -> Void) -> Claim {
    Claim(settings: settings) { _ in Sending() }
  }

  /// After something.
  static func after(_ prepare: @escaping @Sendable (Stage) async throws -> Sending) -> Claim { Claim(prepare: prepare) }
}

/// What differs from the recorded request.
struct Sending: Sendable {
  var token: String?
  /// Members that replace the recorded ones.
  var members: [String: JSON] = [:]
  var path: String?
  var form: [(name: String, value: String)]?

  static func refresh(_ token: String) -> Sending { Sending(members: ["refresh_token": .string(token)]) }
}

/// What the recording was made with: HS256, tokens of a minute, an interval of 4 s, a SITE_URL that nobody serves. The
/// clock stands still, so that a slow machine changes nothing.
func recordedSettings(_ settings: inout SandboxSettings) {
  settings.jwtAlgorithm = .hs256
  settings.tokenLifetime = 60
  settings.reuseInterval = 4
  settings.anonymousEnabled = true
  settings.siteURL = "http://127.0.0.1:3000"
  settings.redirectAllowList = ["dailyritual://**"]
  settings.frozenClock = true
}
