/// Everything that the stand-in knows, in one value: a request changes it in one step, under one lock.
struct SandboxState: Sendable {
  var settings: SandboxSettings
  var clock = SandboxClock()
  /// `http://127.0.0.1:PORT`, known once the port is bound.
  var origin = ""
  var users = UserTable()
  var sessions = SessionTable()
  var flows = FlowTable()
  var providers = ProviderDirectory()
  var mail = MailBox()
  var ledger = RefreshLedger()
  var accessTokens = AccessTokenLedger()
  var limiter = RateLimiter()
  var profiles: [String: [String: JSON]] = [:]
  /// The rows of `/rest/v1/profiles`, by user.
  var rows: [String: [String: JSON]] = [:]
  /// How many more requests the guarded path refuses.
  var apiRefusals = 0

  var now: Moment { clock.now }
  var writer: UserJSON { UserJSON(digits: settings.timestampDigits) }

  init(settings: SandboxSettings) {
    self.settings = settings
    clock.setFrozen(settings.frozenClock)
  }

  /// SITE_URL: by default the sandbox's own front page.
  var siteURL: String { settings.siteURL ?? origin }

  /// A user or the reason why a session cannot be had for it.
  func liveUser(_ id: String) throws(APIError) -> UserRecord {
    guard let user = users[id] else {
      throw APIError(403, "user_not_found", "User from sub claim in JWT does not exist")
    }
    return user
  }
}

/// Access tokens handed out, by SHA-256, so that all of them can be declared expired at once.
struct AccessTokenLedger: Sendable {
  private var valid: Set<String> = []
  private var expired: Set<String> = []

  mutating func note(_ token: String) { valid.insert(Text.sha256Hex(token)) }

  mutating func expireAll() {
    expired.formUnion(valid)
    valid = []
  }

  func isExpired(_ token: String) -> Bool { expired.contains(Text.sha256Hex(token)) }
}
