import FoundationEssentials

/// A row of `auth.mfa_factors`, with its challenges.
struct FactorRecord: Sendable {
  /// Where the codes come from.
  enum Kind: Sendable {
    case totp(TOTP)
    /// Digits without `+`.
    case phone(String)
    /// A passkey. The sandbox lists it, and refuses to verify it, as a project does by default.
    case webauthn
  }

  /// The life of an unverified factor in seconds, as on the real server; the next enrolment removes
  /// the older ones.
  static let unverifiedLifetime: Double = 300
  /// More than any test keeps open; limited, because a sandbox may run for days.
  private static let challengeCapacity = 100

  var id = Text.uuid()
  var kind: Kind
  /// Empty for none.
  var name: String
  var isVerified = false
  var lastChallengedAt: Moment?
  var createdAt: Moment
  var updatedAt: Moment
  private(set) var challenges: [FactorChallenge] = []

  init(_ kind: Kind, name: String, at now: Moment) {
    (self.kind, self.name, createdAt, updatedAt) = (kind, name, now, now)
  }

  var type: String { names.type }

  /// The name of the method in `amr`.
  var method: String { names.method }

  /// The name of the kind in error messages.
  var title: String { names.title }

  private var names: (type: String, method: String, title: String) {
    switch kind {
    case .totp: ("totp", "totp", "TOTP")
    case .phone: ("phone", "mfa/phone", "Phone")
    case .webauthn: ("webauthn", "mfa/webauthn", "WebAuthn")
    }
  }

  /// Empty unless it is a phone factor.
  var phone: String { if case .phone(let number) = kind { number } else { "" } }

  func isExpired(at now: Moment) -> Bool {
    !isVerified && now > createdAt.adding(seconds: Self.unverifiedLifetime)
  }

  func accepts(_ code: String, _ challenge: FactorChallenge, at now: Moment) -> Bool {
    switch kind {
    case .totp(let totp): totp.accepts(code, at: now)
    case .phone: challenge.code == code
    case .webauthn: false
    }
  }

  mutating func add(_ challenge: FactorChallenge) {
    lastChallengedAt = challenge.createdAt
    challenges.append(challenge)
    if challenges.count > Self.challengeCapacity { challenges.removeFirst() }
  }

  mutating func remove(challenge id: String) { challenges.removeAll { $0.id == id } }

  /// Marks a challenge as used. `count` is the number of requests received so far.
  mutating func use(challenge id: String, requests count: Int) {
    guard let index = challenges.firstIndex(where: { $0.id == id }) else { return }
    challenges[index].usedAtArrival = challenges[index].usedAtArrival ?? count
  }
}

/// A row of `auth.mfa_challenges`. It works once, and only from the address that asked for it.
struct FactorChallenge: Sendable {
  var id = Text.uuid()
  var address: String
  /// The code of a text message; nil for an authenticator app.
  var code: String?
  var createdAt: Moment
  /// The number of requests received when the challenge was used; nil if it is unused.
  var usedAtArrival: Int?

  /// True if the challenge was used before the request arrived: the real server does not guard a
  /// challenge against parallel use.
  func isUsed(for request: Incoming) -> Bool { usedAtArrival.map { request.arrival > $0 } ?? false }
}

extension UserRecord {
  var hasVerifiedFactor: Bool { factors.contains(where: \.isVerified) }

  mutating func update(factor id: String, _ change: (inout FactorRecord) -> Void) {
    if let index = factors.firstIndex(where: { $0.id == id }) { change(&factors[index]) }
  }
}

extension SandboxState {
  /// Returns a factor of the user by the ID in a path.
  /// - Throws: 404.
  func factor(_ id: String, of user: String) throws(APIError) -> FactorRecord {
    if UUID(uuidString: id) == nil { throw APIError(404, "validation_failed", "factor_id must be an UUID") }
    guard let factor = users[user]?.factors.first(where: { $0.id == id.lowercased() }) else {
      throw APIError(404, "mfa_factor_not_found", "Factor not found")
    }
    return factor
  }

  /// True if a caller's session passed a second factor. The session counts, not the token.
  func isAAL2(_ sessionID: String?) -> Bool { sessionID.flatMap { sessions[$0] }?.isAAL2 ?? false }
}
