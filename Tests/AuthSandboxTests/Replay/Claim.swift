@testable import AuthSandbox

/// How to repeat a recorded exchange: the preparation, and the values that replace the recording's
/// own tokens.
struct Claim: Sendable {
  var settings: @Sendable (inout SandboxSettings) -> Void = { _ in }
  var prepare: @Sendable (Stage) async throws -> Sending

  /// Sends the request as recorded, on a new sandbox.
  static let asIs = Claim { _ in Sending() }

  /// Sends the request as recorded, with settings.
  static func with(_ settings: @escaping @Sendable (inout SandboxSettings) -> Void) -> Claim {
    Claim(settings: settings) { _ in Sending() }
  }

  /// Sends the request after a preparation.
  static func after(_ prepare: @escaping @Sendable (Stage) async throws -> Sending) -> Claim { Claim(prepare: prepare) }
}

/// The differences from the recorded request.
struct Sending: Sendable {
  var token: String?
  /// Members that replace the recorded ones.
  var members: [String: JSON] = [:]
  var path: String?
  var form: [(name: String, value: String)]?
  /// The refresh token that the response must have; nil for any.
  var expectedToken: String?

  static func refresh(_ token: String) -> Sending { Sending(members: ["refresh_token": .string(token)]) }
}

/// The settings of the recorded server: HS256, tokens of one minute, a reuse interval of 4 s, a
/// SITE_URL that no server serves. The clock is frozen, so that a slow machine makes no difference.
func recordedSettings(_ settings: inout SandboxSettings) {
  settings.jwtAlgorithm = .hs256
  settings.tokenLifetime = 60
  settings.reuseInterval = 4
  settings.anonymousEnabled = true
  settings.siteURL = "http://127.0.0.1:3000"
  settings.redirectAllowList = ["dailyritual://**"]
  settings.frozenClock = true
}
