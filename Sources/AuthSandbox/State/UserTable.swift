/// A row of `auth.users`, with its identities.
struct UserRecord: Sendable {
  var id = Text.uuid()
  /// Empty for a user without an address.
  var email: String
  /// Digits without `+`; empty for a user without a number.
  var phone = ""
  /// Nil for a user without one. Passwords of a sandbox are invented, not secrets.
  var password: String?
  var emailConfirmedAt: Moment?
  var phoneConfirmedAt: Moment?
  var confirmationSentAt: Moment?
  var recoverySentAt: Moment?
  var reauthenticationSentAt: Moment?
  var newEmail: String?
  var emailChangeSentAt: Moment?
  /// True once one of the two codes of an address change was entered.
  var isEmailChangeHalfConfirmed = false
  var newPhone: String?
  var phoneChangeSentAt: Moment?
  var lastSignInAt: Moment?
  var createdAt: Moment
  var updatedAt: Moment
  var bannedUntil: Moment?
  var isAnonymous = false
  /// True for a user of single sign-on, whose address is no address for other sign-in methods.
  var isSSO = false
  var metadata: [String: JSON] = [:]
  var identities: [IdentityRecord] = []
  var factors: [FactorRecord] = []

  var isConfirmed: Bool { emailConfirmedAt != nil }

  func isBanned(at now: Moment) -> Bool { bannedUntil.map { now < $0 } ?? false }

  /// `provider` is the user's first provider; `providers` are all, in order.
  var appMetadata: JSON {
    let providers = identities.map(\.provider).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard let first = providers.first else { return [:] }
    return ["provider": .string(first), "providers": .array(providers.map(JSON.string))]
  }
}

/// A row of `auth.identities`.
struct IdentityRecord: Sendable {
  /// The row's own ID, which `DELETE /user/identities/{id}` takes.
  var identityID = Text.uuid()
  /// The provider's subject; for `email`, the user's ID.
  var subject: String
  var provider: String
  var data: [String: JSON]
  var lastSignInAt: Moment
  var createdAt: Moment
  var updatedAt: Moment

  var email: String { data["email"]?.string ?? "" }
}

/// The users by ID, in the order of creation.
struct UserTable: Sendable {
  private(set) var order: [String] = []
  private var records: [String: UserRecord] = [:]

  var all: [UserRecord] { order.compactMap { records[$0] } }

  subscript(id: String) -> UserRecord? {
    get { records[id] }
    set {
      if newValue != nil, records[id] == nil { order.append(id) }
      if newValue == nil { order.removeAll { $0 == id } }
      records[id] = newValue
    }
  }

  /// The user with that address. Addresses are stored in lowercase, as on the real server.
  /// A user of single sign-on is not found.
  func withEmail(_ email: String) -> UserRecord? {
    email.isEmpty ? nil : all.first { $0.email == email.lowercased() && !$0.isSSO }
  }

  /// The user with that phone number, in digits without `+`.
  func withPhone(_ phone: String) -> UserRecord? { phone.isEmpty ? nil : all.first { $0.phone == phone } }

  func withIdentity(provider: String, subject: String) -> UserRecord? {
    all.first { user in user.identities.contains { $0.provider == provider && $0.subject == subject } }
  }

  /// Users with that address, in their own field or in one of their identities.
  func similar(toEmail email: String) -> [UserRecord] {
    all.filter { user in
      !user.isSSO && (user.email == email || user.identities.contains { $0.email == email })
    }
  }

  mutating func update(_ id: String, _ change: (inout UserRecord) -> Void) {
    if var record = records[id] {
      change(&record)
      records[id] = record
    }
  }
}

/// Encodes a user as `/signup`, `/user` and every session do.
struct UserJSON: Sendable {
  /// Fraction digits of timestamps; nil means the server's own format.
  var digits: Int?

  /// Encodes a user. `fresh` selects the response to a sign-up, which has no `confirmed_at` yet and
  /// shows nanoseconds.
  func user(_ user: UserRecord, fresh: Bool = false) -> JSON {
    var members: [String: JSON] = [
      "id": .string(user.id), "aud": "authenticated", "role": "authenticated", "email": .string(user.email),
      "phone": .string(user.phone), "app_metadata": user.appMetadata, "user_metadata": .object(user.metadata),
      "identities": .array(user.identities.map { identity($0, of: user.id) }), "is_anonymous": .bool(user.isAnonymous),
      "created_at": time(user.createdAt), "updated_at": time(user.updatedAt),
    ]
    members["email_confirmed_at"] = user.emailConfirmedAt.map { time(fresh ? $0 : $0.truncatedToMicroseconds) }
    members["phone_confirmed_at"] = user.phoneConfirmedAt.map { time($0.truncatedToMicroseconds) }
    let confirmations = [user.emailConfirmedAt, user.phoneConfirmedAt].compactMap { $0 }
    if !fresh { members["confirmed_at"] = confirmations.min().map { time($0.truncatedToMicroseconds) } }
    members["confirmation_sent_at"] = user.confirmationSentAt.map(time)
    members["recovery_sent_at"] = user.recoverySentAt.map(time)
    members["reauthentication_sent_at"] = user.reauthenticationSentAt.map(time)
    members["email_change_sent_at"] = user.emailChangeSentAt.map(time)
    members["phone_change_sent_at"] = user.phoneChangeSentAt.map(time)
    members["last_sign_in_at"] = user.lastSignInAt.map(time)
    members["banned_until"] = user.bannedUntil.map(time)
    members["new_email"] = user.newEmail.map(JSON.string)
    members["new_phone"] = user.newPhone.map(JSON.string)
    if !user.factors.isEmpty { members["factors"] = .array(user.factors.map(factor)) }
    return .object(members)
  }

  /// The response to a sign-up with a known, confirmed address: a user that looks real but does not
  /// exist.
  func obfuscated(email: String = "", phone: String = "", now: Moment) -> JSON {
    let provider: JSON = phone.isEmpty ? "email" : "phone"
    return [
      "id": .string(Text.uuid()), "aud": "authenticated", "role": "", "email": .string(email), "phone": .string(phone),
      "confirmation_sent_at": time(now), "app_metadata": ["provider": provider, "providers": [provider]],
      "user_metadata": [:], "identities": [], "created_at": time(now), "updated_at": time(now),
      "is_anonymous": false,
    ]
  }

  private func identity(_ identity: IdentityRecord, of userID: String) -> JSON {
    var members: [String: JSON] = [
      "identity_id": .string(identity.identityID), "id": .string(identity.subject),
      "user_id": .string(userID), "identity_data": .object(identity.data), "provider": .string(identity.provider),
      "last_sign_in_at": time(identity.lastSignInAt), "created_at": time(identity.createdAt),
      "updated_at": time(identity.updatedAt),
    ]
    members["email"] = identity.data["email"]
    return .object(members)
  }

  private func factor(_ factor: FactorRecord) -> JSON {
    var members: [String: JSON] = [
      "id": .string(factor.id), "created_at": time(factor.createdAt), "updated_at": time(factor.updatedAt),
      "status": factor.isVerified ? "verified" : "unverified", "factor_type": .string(factor.type),
      "phone": .string(factor.phone),
      "last_challenged_at": factor.lastChallengedAt.map { time($0.truncatedToMicroseconds) } ?? .null,
    ]
    if !factor.name.isEmpty { members["friendly_name"] = .string(factor.name) }
    return .object(members)
  }

  private func time(_ moment: Moment) -> JSON { .string(moment.rfc3339(digits: digits)) }
}
