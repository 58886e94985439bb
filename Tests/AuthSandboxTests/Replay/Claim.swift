import Foundation

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

/// The recorded exchanges that the sandbox answers as the real server did.
enum Claims {
  static let gatewayRow =
    "gateway stand-in, no apikey (body from memory of the hosted gateway, NOT real code)"

  static let all: [String: Claim] = {
    let groups: [(String, [String: Claim])] = [
      ("facts", facts), ("signup", signUp), ("password", password), ("user", user), ("logout", logout),
      ("admin", admin), ("other", other), ("v1", opaque), ("v2", counter), ("upgrade", upgrade), ("pkce", pkce),
      ("google", google), ("authorize", authorize), ("apple", apple), ("id_token", idToken),
      ("unconfirmed", unconfirmed), ("limits", limits), ("sessions", sessions), ("asymmetric", asymmetric),
      ("expired-flow", expiredFlow), ("outages", outages), ("email", emailCodes), ("email", emailLinks),
      ("email", emailErrors), ("phone", phone), ("anonymous", anonymous), ("sso", sso), ("providers", providers),
      ("captcha", captcha), ("passwords", passwords), ("factors", factors), ("factors", factorErrors),
      ("lost answer v1", lostAnswersV1),
      ("lost answer v2", lostAnswersV2), ("rules", rules), ("hook", hook),
    ]
    var all: [String: Claim] = [:]
    for (section, claims) in groups { for (name, claim) in claims { all["\(section)/\(name)"] = claim } }
    return all
  }()

  static let ids = all.keys.sorted()

  /// The exchanges that are not claimed, with the reason.
  static let declined: [String: String] = [
    "other/admin generate_link recovery (gives a real token_hash without mail)": generateLink,
    "unconfirmed/admin generate_link signup": generateLink,
    "google/google: fake IdP consent page": provider,
    "apple/apple: fake IdP consent page": provider,
    "providers/custom OIDC, host not found (GET /authorize)":
      "the server's own look-up of a host; the sandbox asks no other host",
    "outages/database down: GET /user":
      "a 500 of another kind, without a code header: to be had as a hand-written answer only, which proves nothing here",
    "outages/database down: health (does not look at the database)": "the sandbox has no database to be down",
  ]
  private static let generateLink =
    "an administrator's call, no client's; the sandbox shows its mails in the control API"
  private static let provider = "not Supabase Auth but the recording's own issuer; our pages are tested in ConsentTests"
}

/// An exchange with a real Supabase Auth v2.196.0, from Recorded/exchanges.json and
/// Recorded/more-exchanges.json. Long tokens are shortened in the files; `"{…user…}"` stands for a
/// user object and `"{…session…}"` for a complete session.
struct Exchange: Decodable, Sendable {
  var id: String
  var method: String
  var path: String
  var requestHeaders: [String: String]
  var requestBody: String?
  var status: Int
  var headers: [String: String]
  var body: JSON
  /// True if the recording shows only some headers and members of the response, and of an error's
  /// request only its path.
  var isPartial: Bool?
  /// Claims of the response's access token, and its life as the difference of `iat` and `exp`.
  var claims: JSON?

  var hasVersionHeader: Bool { requestHeaders["X-Supabase-Api-Version"] != nil }
}

enum Recording {
  static let all = read("exchanges") + read("more-exchanges")

  private static func read(_ name: String) -> [Exchange] {
    guard let file = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Recorded"),
      let data = try? Data(contentsOf: file), let all = try? JSONDecoder().decode([Exchange].self, from: data)
    else { fatalError("Recorded/\(name).json is missing or not readable") }
    return all
  }

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
