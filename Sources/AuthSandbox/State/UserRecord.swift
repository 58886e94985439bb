/// A row of `auth.users`, with its identities.
struct UserRecord: Sendable {
  var id = Text.uuid()
  /// "" for a user without an address.
  var email: String
  var password: PasswordHash?
  var emailConfirmedAt: Moment?
  var confirmationSentAt: Moment?
  var recoverySentAt: Moment?
  var newEmail: String?
  var lastSignInAt: Moment?
  var createdAt: Moment
  var updatedAt: Moment
  var bannedUntil: Moment?
  var isAnonymous = false
  var metadata: [String: JSON] = [:]
  var identities: [IdentityRecord] = []

  var isConfirmed: Bool { emailConfirmedAt != nil }

  func isBanned(at now: Moment) -> Bool { bannedUntil.map { now < $0 } ?? false }

  /// `provider` is the first that the user came with, `providers` are all, in order.
  var appMetadata: JSON {
    let providers = identities.map(\.provider).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard let first = providers.first else { return [:] }
    return ["provider": .string(first), "providers": .array(providers.map(JSON.string))]
  }
}

/// A row of `auth.identities`.
struct IdentityRecord: Sendable {
  /// The row's own id, the one that `DELETE /user/identities/{id}` takes.
  var identityID = Text.uuid()
  /// The provider's subject; for `email` the user's id.
  var subject: String
  var provider: String
  var data: [String: JSON]
  var lastSignInAt: Moment
  var createdAt: Moment
  var updatedAt: Moment

  var email: String { data["email"]?.string ?? "" }
}

/// A salted SHA-256: enough for a stand-in that lives in memory, and fast enough for hundreds of tests.
struct PasswordHash: Sendable {
  private let salt = Text.random(16)
  private let digest: String

  init(_ password: String) { digest = Text.sha256Hex(salt + password) }

  func matches(_ password: String) -> Bool { Text.sha256Hex(salt + password) == digest }
}
