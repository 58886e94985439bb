import Synchronization

extension Backend {
  /// `POST /signup`. Without an address it creates an anonymous user, even if it carries a password.
  func signUp(_ request: Incoming) async throws -> Answer {
    let body = try request.json()
    let order = try SignUpOrder(request, body)
    if order.email.isEmpty, order.phone.isEmpty { return try await anonymousSignUp(order) }
    let password = try body.text("password")
    let result = try commit { state throws(APIError) in try state.signUp(order, password: password) }
    switch result {
    case .session(let grant):
      let user = state.withLock { $0.writer.user(grant.user, fresh: true) }
      return try await sessionAnswer(grant, adding: ["user": user])
    case .user(let json): return Answer(json: json)
    }
  }

  private func anonymousSignUp(_ order: SignUpOrder) async throws -> Answer {
    let grant = try commit { state throws(APIError) in
      if !state.settings.anonymousEnabled {
        throw APIError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
      }
      if state.settings.signupDisabled { throw SignUpOrder.disabled }
      let now = state.now.truncatedToMicroseconds
      var user = UserRecord(email: "", createdAt: now, updatedAt: now, metadata: order.metadata)
      user.isAnonymous = true
      state.users[user.id] = user
      return try state.beginSession(userID: user.id, method: "anonymous", userAgent: order.userAgent)
    }
    return try await sessionAnswer(grant)
  }
}

/// The address and the profile of a user to be created.
struct SignUpOrder: Sendable {
  static let disabled = APIError(422, "signup_disabled", "Signups not allowed for this instance")

  /// In lowercase; empty if a phone number is given, or neither.
  var email = ""
  /// Empty if an email address is given, or neither.
  var phone = ""
  var metadata: [String: JSON] = [:]
  var target = LinkTarget()
  var userAgent: String?

  init(_ request: Incoming, _ body: Members) throws(APIError) {
    email = try body.text("email").lowercased()
    phone = try body.text("phone")
    metadata = body.all["data"]?.object ?? [:]
    target = try LinkTarget(request, body)
    userAgent = request.header("user-agent")
    if !email.isEmpty, !phone.isEmpty {
      throw .validation("Only an email address or phone number should be provided on signup.")
    }
  }
}

/// The result of a sign-up.
enum SignUpResult: Sendable {
  case session(Grant)
  /// A user without a session: a confirmation is pending, or the user is a fake one.
  case user(JSON)
}

extension SandboxState {
  mutating func signUp(_ order: SignUpOrder, password: String) throws(APIError) -> SignUpResult {
    if settings.signupDisabled { throw SignUpOrder.disabled }
    try checkSignUpMethod(order)
    if password.isEmpty { throw .validation("Signup requires a valid password") }
    try checkStrength(password)
    return try register(order, password: password)
  }

  private func checkSignUpMethod(_ order: SignUpOrder) throws(APIError) {
    if order.phone.isEmpty, !settings.emailEnabled {
      throw APIError(422, "email_provider_disabled", "Email signups are disabled")
    }
    if !order.phone.isEmpty, !settings.phoneEnabled {
      throw APIError(422, "phone_provider_disabled", "Phone signups are disabled")
    }
  }

  /// Creates the user, or repeats the confirmation of one who has not confirmed the address.
  mutating func register(_ order: SignUpOrder, password: String) throws(APIError) -> SignUpResult {
    if settings.signupDisabled { throw SignUpOrder.disabled }
    return order.phone.isEmpty
      ? try registerEmail(order, password: password) : try registerPhone(order, password: password)
  }

  private mutating func registerEmail(_ order: SignUpOrder, password: String) throws(APIError) -> SignUpResult {
    let email = order.email
    try Self.checkAddress(email)
    if users.withEmail(email)?.isConfirmed == true {
      return try answerKnown(writer.obfuscated(email: email, now: now), isConfirmedAtOnce: settings.autoconfirm)
    }
    let user =
      users.withEmail(email)
      ?? createUser(email: email, password: password, metadata: order.metadata, confirmed: settings.autoconfirm)
    if settings.autoconfirm {
      confirmEmail(of: user.id)
      return .session(try beginSession(userID: user.id, method: "password", userAgent: order.userAgent))
    }
    return .user(try sendConfirmation(to: user, order.target))
  }

  private mutating func registerPhone(_ order: SignUpOrder, password: String) throws(APIError) -> SignUpResult {
    let phone = try PhoneNumber.parse(order.phone)
    let known = users.withPhone(phone)
    if known?.phoneConfirmedAt != nil {
      return try answerKnown(writer.obfuscated(phone: phone, now: now), isConfirmedAtOnce: settings.phoneAutoconfirm)
    }
    let user = known ?? createUser(phone: phone, password: password, metadata: order.metadata)
    if settings.phoneAutoconfirm {
      confirmPhone(of: user.id)
      return .session(try beginSession(userID: user.id, method: "password", userAgent: order.userAgent))
    }
    _ = try sendPhoneCode(to: user)
    return .user(writer.user(users[user.id] ?? user, fresh: true))
  }

  /// With auto-confirmation, reports that the address is taken. Without it, the response must not
  /// reveal that.
  private func answerKnown(_ invented: JSON, isConfirmedAtOnce: Bool) throws(APIError) -> SignUpResult {
    if isConfirmedAtOnce { throw APIError(422, "user_already_exists", "User already registered") }
    return .user(invented)
  }

  /// Sends a confirmation email, at most one per minute for each user.
  mutating func sendConfirmation(to user: UserRecord, _ target: LinkTarget) throws(APIError) -> JSON {
    try sendEmail(.signUp, in: .confirmation, to: user, noting: \.confirmationSentAt, target)
    return writer.user(users[user.id] ?? user, fresh: true)
  }

  /// Adds a user with a password, and an email address or a phone number, which is not confirmed yet.
  mutating func createUser(
    email: String = "", phone: String = "", password: String, metadata: [String: JSON], confirmed: Bool = false
  ) -> UserRecord {
    let moment = now.truncatedToMicroseconds
    var user = UserRecord(
      email: email.lowercased(), phone: phone, password: password, emailConfirmedAt: confirmed ? now : nil,
      createdAt: moment, updatedAt: moment, metadata: metadata)
    let kind = phone.isEmpty ? "email" : "phone"
    user.metadata[kind] = .string(phone.isEmpty ? user.email : phone)
    user.metadata["sub"] = .string(user.id)
    user.metadata["phone_verified"] = false
    user.metadata["email_verified"] = .bool(confirmed)
    user.identities = [
      IdentityRecord(
        subject: user.id, provider: kind, data: user.metadata, lastSignInAt: now, createdAt: moment, updatedAt: moment)
    ]
    users[user.id] = user
    return user
  }

  /// Checks only the form of an email address: a local part, an `@` and a host name.
  static func checkAddress(_ email: String) throws(APIError) {
    let halves = email.split(separator: "@", omittingEmptySubsequences: false)
    let isSound =
      halves.count == 2 && !halves[0].isEmpty && !halves[1].isEmpty && !halves[1].hasPrefix(".")
      && !halves[1].hasSuffix(".") && !email.contains { $0.isWhitespace }
    if !isSound { throw .validation("Unable to validate email address: invalid format") }
  }
}
