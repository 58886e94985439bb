/// An identity as a provider reports it.
struct ExternalIdentity: Sendable {
  var provider: String
  var subject: String
  var email: String
  var isEmailVerified: Bool
  /// `identity_data` without the members that all providers have.
  var profile: [String: JSON]

  /// True if the address counts as verified; Apple's addresses always do.
  var hasVerifiedEmail: Bool { !email.isEmpty && (isEmailVerified || provider == "apple") }

  /// True for an identity of single sign-on.
  var isSSO: Bool { provider.hasPrefix("sso:") }

  func unverified(_ code: String) -> APIError {
    APIError(
      422, code, "Unverified email with \(provider). A confirmation email has been sent to your \(provider) email")
  }

  var data: [String: JSON] {
    var data = profile
    data["sub"] = .string(subject)
    data["provider_id"] = .string(subject)
    data["phone_verified"] = false
    data["email_verified"] = .bool(isEmailVerified)
    if !email.isEmpty { data["email"] = .string(email) }
    return data
  }
}

/// The linking rules, which assign a provider's identity to a user.
extension SandboxState {
  /// Finds, links or creates the user, and returns the user's ID.
  mutating func signIn(_ person: ExternalIdentity) throws(APIError) -> String {
    let id: String
    if let known = users.withIdentity(provider: person.provider, subject: person.subject) {
      id = known.id
      refreshIdentity(of: id, person)
    } else {
      id = try linkOrCreate(person)
    }
    if let user = users[id], user.isBanned(at: now) { throw APIError(403, "user_banned", "User is banned") }
    return id
  }

  private mutating func linkOrCreate(_ person: ExternalIdentity) throws(APIError) -> String {
    // An identity of single sign-on is never linked.
    let similar = person.hasVerifiedEmail && !person.isSSO ? users.similar(toEmail: person.email) : []
    if similar.count > 1 {
      let domain = "Multiple accounts with the same email address in the same linking domain detected: default"
      throw APIError(500, "unexpected_failure", domain)
    }
    if let user = similar.first {
      if !user.isConfirmed { removeUnconfirmedCredentials(user.id) }
      attach(person, to: user.id)
      return user.id
    }
    return try create(person)
  }

  private mutating func create(_ person: ExternalIdentity) throws(APIError) -> String {
    if settings.signupDisabled { throw SignUpOrder.disabled }
    if !person.hasVerifiedEmail, !settings.autoconfirm { throw person.unverified("provider_email_needs_verification") }
    let isFree = person.isSSO || users.withEmail(person.email) == nil
    let created = now.truncatedToMicroseconds
    var user = UserRecord(
      email: isFree ? person.email.lowercased() : "", emailConfirmedAt: now, createdAt: created, updatedAt: created)
    user.isSSO = person.isSSO
    users[user.id] = user
    attach(person, to: user.id)
    return user.id
  }

  /// Removes a password and identities that were never confirmed: they need not belong to the owner
  /// of the address, who signs in now.
  private mutating func removeUnconfirmedCredentials(_ id: String) {
    changeUser(id) {
      $0.password = nil
      $0.identities = []
      $0.metadata = [:]
      $0.emailConfirmedAt = $1
    }
  }

  /// Adds the identity and copies its profile to the user.
  mutating func attach(_ person: ExternalIdentity, to id: String) {
    let moment = now.truncatedToMicroseconds
    users.update(id) {
      $0.identities.append(
        IdentityRecord(
          subject: person.subject, provider: person.provider, data: person.data, lastSignInAt: moment,
          createdAt: moment, updatedAt: moment))
      $0.metadata.merge(person.data, uniquingKeysWith: { $1 })
      $0.updatedAt = moment
    }
  }

  private mutating func refreshIdentity(of id: String, _ person: ExternalIdentity) {
    let moment = now.truncatedToMicroseconds
    users.update(id) { user in
      for index in user.identities.indices
      where user.identities[index].provider == person.provider && user.identities[index].subject == person.subject {
        user.identities[index].data.merge(person.data, uniquingKeysWith: { $1 })
        user.identities[index].lastSignInAt = moment
        user.identities[index].updatedAt = moment
      }
      user.metadata.merge(person.data, uniquingKeysWith: { $1 })
    }
  }

  /// Links an identity manually. The identity must not belong to a user yet. An anonymous user becomes
  /// a permanent one.
  mutating func link(_ person: ExternalIdentity, to id: String) throws(APIError) {
    if let owner = users.withIdentity(provider: person.provider, subject: person.subject) {
      let whose = owner.id == id ? "" : " to another user"
      throw APIError(422, "identity_already_exists", "Identity is already linked" + whose)
    }
    let user = try liveUser(id)
    if user.email.isEmpty {
      if let other = users.withEmail(person.email), other.id != id { throw UserUpdate.emailExists }
      if !person.hasVerifiedEmail, !settings.autoconfirm { throw person.unverified("email_not_confirmed") }
    }
    attach(person, to: id)
    changeUser(id) {
      $0.isAnonymous = false
      if $0.email.isEmpty { $0.email = person.email.lowercased() }
      if $0.emailConfirmedAt == nil { $0.emailConfirmedAt = $1 }
    }
  }
}
