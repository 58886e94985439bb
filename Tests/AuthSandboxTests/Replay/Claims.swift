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
