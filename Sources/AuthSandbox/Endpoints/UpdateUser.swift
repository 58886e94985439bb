extension Backend {
  /// `PUT /user` with `email`, `phone`, `password`, `data`.
  func updateUser(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    let update = try UserUpdate(request, try request.json())
    let json = try commit { state throws(APIError) in
      try state.apply(update, by: caller)
      return state.writer.user(try state.liveUser(caller.userID))
    }
    return Answer(json: json)
  }
}

/// The body of `PUT /user`.
struct UserUpdate: Sendable {
  static let emailExists = APIError(
    422, "email_exists", "A user with this email address has already been registered")

  /// In lowercase; empty if the address stays.
  var email: String
  var phone: String
  /// Nil if the password stays. An empty one is too weak.
  var password: String?
  var currentPassword: String
  var nonce: String
  var data: [String: JSON]
  var target: LinkTarget

  init(_ request: Incoming, _ body: Members) throws(APIError) {
    email = try body.text("email").lowercased()
    phone = try body.text("phone")
    let isPresent = body.all["password"] != nil && body.all["password"] != .null
    password = isPresent ? try body.text("password") : nil
    currentPassword = try body.text("current_password")
    nonce = try body.text("nonce")
    data = body.all["data"]?.object ?? [:]
    target = try LinkTarget(request, body)
  }
}

extension SandboxState {
  fileprivate mutating func apply(_ update: UserUpdate, by caller: Caller) throws(APIError) {
    let id = caller.userID
    let user = try liveUser(id)
    let email = update.email == user.email ? "" : update.email
    var phone = update.phone.isEmpty ? "" : try PhoneNumber.parse(update.phone)
    if phone == user.phone { phone = "" }
    if user.hasVerifiedFactor, !isAAL2(caller.sessionID),
      update.password?.isEmpty == false || !email.isEmpty || !phone.isEmpty
    {
      throw APIError(
        401, "insufficient_aal", "AAL2 session is required to update email or password when MFA is enabled.")
    }
    try checkAllowed(update, user)
    if !email.isEmpty {
      try Self.checkAddress(email)
      if let owner = users.withEmail(email), owner.id != id { throw UserUpdate.emailExists }
    }
    if let owner = users.withPhone(phone), owner.id != id {
      throw APIError(422, "phone_exists", "A user with this phone number has already been registered")
    }
    if let password = update.password { try changePassword(of: caller, to: password, update) }
    if !email.isEmpty { try changeEmail(of: id, to: email, update.target) }
    if !phone.isEmpty { try changePhone(of: id, to: phone) }
    mergeMetadata(of: id, update.data)
  }

  /// Refuses changes that a user of single sign-on or an anonymous user may not make.
  private func checkAllowed(_ update: UserUpdate, _ user: UserRecord) throws(APIError) {
    if user.isSSO, update.password != nil || !update.email.isEmpty || !update.phone.isEmpty || !update.nonce.isEmpty {
      throw APIError(
        422, "user_sso_managed", "Updating email, phone, password of a SSO account only possible via SSO")
    }
    let getsAddress =
      settings.autoconfirm && !update.email.isEmpty || settings.phoneAutoconfirm && !update.phone.isEmpty
    if user.isAnonymous, update.password?.isEmpty == false, !getsAddress {
      throw APIError(
        422, "validation_failed", "Updating password of an anonymous user without an email or phone is not allowed")
    }
  }

  /// Changes the address: at once with auto-confirmation, otherwise as the pending `new_email`.
  private mutating func changeEmail(of id: String, to email: String, _ target: LinkTarget) throws(APIError) {
    if !settings.autoconfirm { return try sendEmailChange(of: id, to: email, target) }
    users.update(id) { $0.newEmail = email }
    applyEmailChange(of: id)
  }

  private mutating func changePhone(of id: String, to phone: String) throws(APIError) {
    if !settings.phoneAutoconfirm {
      _ = try sendPhoneChange(of: id, to: phone)
      return
    }
    users.update(id) { $0.newPhone = phone }
    applyPhoneChange(of: id)
  }
}

/// Changes of a password.
extension SandboxState {
  /// Sets the password, ends all other sessions of the user and voids the pending codes.
  private mutating func changePassword(
    of caller: Caller, to password: String, _ update: UserUpdate
  ) throws(APIError) {
    let user = try liveUser(caller.userID)
    try checkStrength(password)
    try checkReauthentication(caller, nonce: update.nonce)
    try checkCurrentPassword(caller, user, update.currentPassword)
    if user.password == password {
      throw APIError(422, "same_password", "New password should be different from the old password.")
    }
    changeUser(caller.userID) {
      $0.password = password
      $0.updatedAt = $1.truncatedToMicroseconds
    }
    codes.removeAll(ofUser: caller.userID)
    sessions.removeAll(ofUser: caller.userID, except: caller.sessionID)
  }

  /// A session older than a day needs a nonce, which is used up even if the change then fails.
  private mutating func checkReauthentication(_ caller: Caller, nonce: String) throws(APIError) {
    guard settings.passwordNeedsReauthentication else { return }
    let start = caller.sessionID.flatMap { sessions[$0]?.createdAt }
    if let start, now <= start.adding(seconds: 86400) { return }
    if nonce.isEmpty {
      throw APIError(400, "reauthentication_needed", "Password update requires reauthentication")
    }
    guard let pending = codes[caller.userID, .reauthentication], pending.accepts(nonce),
      now <= pending.sentAt.adding(seconds: settings.emailCodeLifetime)
    else { throw APIError(422, "reauthentication_not_valid", "Nonce has expired or is invalid") }
    codes.remove(pending)
  }

  /// A session that was begun by a code or a recovery needs no present password.
  private func checkCurrentPassword(_ caller: Caller, _ user: UserRecord, _ current: String) throws(APIError) {
    guard settings.passwordNeedsCurrent, let known = user.password else { return }
    let method = caller.sessionID.flatMap { sessions[$0]?.method } ?? ""
    if ["otp", "recovery", "magiclink"].contains(method) || known == current { return }
    let code = current.isEmpty ? "current_password_required" : "current_password_invalid"
    throw APIError(400, code, "Current password required when setting new password.")
  }

  /// - Throws: 422 `weak_password`, or 400 for a password that is too long to be hashed.
  func checkStrength(_ password: String) throws(APIError) {
    if password.utf8.count > 72 { throw .validation("Password cannot be longer than 72 characters") }
    guard let weakness = weakness(of: password) else { return }
    throw APIError(
      422, "weak_password", weakness.message, extra: ["weak_password": ["reasons": weakness.reasonsJSON]])
  }

  /// The rules of the project that the password breaks; nil if it is strong enough.
  func weakness(of password: String) -> PasswordWeakness? {
    var found = PasswordWeakness()
    if password.unicodeScalars.count < settings.minimumPasswordLength {
      found.add("length", "Password should be at least \(settings.minimumPasswordLength) characters.")
    }
    let sets = settings.passwordCharacterSets
    if !sets.allSatisfy({ set in password.contains { set.contains($0) } }) {
      let list = sets.joined(separator: ", ")
      found.add("characters", "Password should contain at least one character of each: \(list).")
    }
    return found.reasons.isEmpty ? nil : found
  }
}

/// The reasons for which a password is weak.
struct PasswordWeakness: Sendable {
  private(set) var reasons: [String] = []
  private var sentences: [String] = []

  var message: String { sentences.joined(separator: " ") }
  var reasonsJSON: JSON { .array(reasons.map(JSON.string)) }
  /// The member `weak_password` of a successful sign-in.
  var report: JSON { ["message": .string(message), "reasons": reasonsJSON] }

  mutating func add(_ reason: String, _ sentence: String) {
    reasons.append(reason)
    sentences.append(sentence)
  }
}
