extension Backend {
  /// `POST /otp` and `/magiclink`: sends a code by email or text message. The response reveals
  /// whether a phone number is known, as on the real server.
  func sendCode(_ request: Incoming) throws -> Answer {
    let body = try request.json()
    let order = try SignUpOrder(request, body)
    let channel = try body.text("channel")
    let createsUser = body.all["create_user"]?.bool ?? true
    let message = try commit { state throws(APIError) in
      if order.email.isEmpty, order.phone.isEmpty { throw .validation("One of email or phone must be set") }
      if !createsUser, try !state.isKnown(order) {
        throw APIError(422, "otp_disabled", "Signups not allowed for otp")
      }
      if order.phone.isEmpty {
        try state.sendMagicLink(order)
        return nil as String?
      }
      return try state.sendPhoneCode(order, channel: channel)
    }
    return Self.messageAnswer(message)
  }

  /// `POST /recover`: the response is the same for every address.
  func recover(_ request: Incoming) throws -> Answer {
    let body = try request.json()
    let email = try body.text("email").lowercased()
    let target = try LinkTarget(request, body)
    try commit { state throws(APIError) in
      if email.isEmpty { throw .validation("Password recovery requires an email") }
      if !state.settings.emailEnabled { throw Self.emailDisabled(400) }
      try SandboxState.checkAddress(email)
      guard let user = state.users.withEmail(email) else { return }
      try state.sendEmail(.recovery, in: .recovery, to: user, noting: \.recoverySentAt, target)
    }
    return Answer(json: [:])
  }

  /// `POST /resend`: the response is the same for every address.
  func resend(_ request: Incoming) throws -> Answer {
    let body = try request.json()
    let order = try ResendOrder(body)
    let target = try LinkTarget(request, body)
    return Self.messageAnswer(try commit { state throws(APIError) in try state.resend(order, target) })
  }

  /// `GET /reauthenticate`: sends the code that a new password needs.
  func reauthenticate(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    let message = try commit { state throws(APIError) in
      try state.sendReauthentication(to: try state.liveUser(caller.userID))
    }
    return Self.messageAnswer(message)
  }

  static func emailDisabled(_ status: Int) -> APIError {
    APIError(status, "email_provider_disabled", "Email logins are disabled")
  }

  private static func messageAnswer(_ id: String?) -> Answer {
    Answer(json: id.map { ["message_id": .string($0)] } ?? [:])
  }
}

/// The body of `POST /resend`.
struct ResendOrder: Sendable {
  var type: String
  var email: String
  var phone: String

  init(_ body: Members) throws(APIError) {
    type = try body.text("type")
    email = try body.text("email").lowercased()
    phone = try body.text("phone")
    guard ["signup", "email_change", "sms", "phone_change"].contains(type) else {
      throw .validation("Missing one of these types: signup, email_change, sms, phone_change")
    }
    if type == "signup", email.isEmpty { throw .validation("Type provided requires an email address") }
    if type == "sms", phone.isEmpty { throw .validation("Type provided requires a phone number") }
    if email.isEmpty == phone.isEmpty {
      throw .validation(
        email.isEmpty
          ? "Missing one of email or phone" : "Only an email address or phone number should be provided.")
    }
  }
}

extension SandboxState {
  /// True if a user has the address, confirmed or not.
  fileprivate func isKnown(_ order: SignUpOrder) throws(APIError) -> Bool {
    if order.phone.isEmpty {
      try Self.checkAddress(order.email)
      return users.withEmail(order.email) != nil
    }
    return users.withPhone(try PhoneNumber.parse(order.phone)) != nil
  }

  /// A new user gets the email of a sign-up, a known one the magic link.
  fileprivate mutating func sendMagicLink(_ order: SignUpOrder) throws(APIError) {
    if !settings.emailEnabled { throw Backend.emailDisabled(422) }
    if !settings.magicLinkEnabled {
      throw APIError(422, "email_provider_disabled", "Login with magic link is disabled")
    }
    try Self.checkAddress(order.email)
    if users.withEmail(order.email)?.isConfirmed != true {
      if !settings.autoconfirm {
        _ = try register(order, password: Text.random(32))
        return
      }
      // With auto-confirmation, the new user needs no confirmation, but still a code to sign in.
      if settings.signupDisabled { throw SignUpOrder.disabled }
      let user =
        users.withEmail(order.email)
        ?? createUser(
          email: order.email, password: Text.random(32), metadata: order.metadata, confirmed: true)
      confirmEmail(of: user.id)
    }
    guard let user = users.withEmail(order.email) else { return }
    try sendEmail(.magicLink, in: .recovery, to: user, noting: \.recoverySentAt, order.target)
  }

  /// Sends a text message for `/otp`. Returns the message's ID for a known number, nil for a new one.
  fileprivate mutating func sendPhoneCode(_ order: SignUpOrder, channel: String) throws(APIError) -> String? {
    if !settings.phoneEnabled { throw APIError(400, "phone_provider_disabled", "Unsupported phone provider") }
    let phone = try PhoneNumber.parse(order.phone)
    if !channel.isEmpty, channel != "sms" {
      throw .validation(Backend.invalidChannel)
    }
    if users.withPhone(phone)?.phoneConfirmedAt == nil {
      if !settings.phoneAutoconfirm {
        _ = try register(order, password: Text.random(32))
        return nil
      }
      if settings.signupDisabled { throw SignUpOrder.disabled }
      let user =
        users.withPhone(phone) ?? createUser(phone: phone, password: Text.random(32), metadata: order.metadata)
      confirmPhone(of: user.id)
    }
    guard let user = users.withPhone(phone) else { return nil }
    return try sendPhoneCode(to: user)
  }

  /// Sends the code of a sign-in to the user's number, and returns the message's ID.
  mutating func sendPhoneCode(to user: UserRecord) throws(APIError) -> String {
    try sendText(in: .confirmation, to: user, noting: \.confirmationSentAt)
  }

  /// Sends the codes of an address change: one to the new address, and one to the present address if
  /// there is one.
  mutating func sendEmailChange(of id: String, to email: String, _ target: LinkTarget) throws(APIError) {
    let user = try liveUser(id)
    try checkEmailTimer(user.emailChangeSentAt)
    try sendEmail(.emailChange, in: .emailChangeNew, to: id, address: email, target)
    if !user.email.isEmpty {
      try sendEmail(.emailChange, in: .emailChangeCurrent, to: id, address: user.email, target)
    }
    beginLinkFlow(of: id, .emailChange, target)
    changeUser(id) {
      $0.newEmail = email
      $0.emailChangeSentAt = $1
      $0.isEmailChangeHalfConfirmed = false
    }
  }

  /// Sends the code of a number change to the new number.
  mutating func sendPhoneChange(of id: String, to phone: String) throws(APIError) -> String {
    try checkTextTimer(try liveUser(id).phoneChangeSentAt)
    let message = try sendText(in: .phoneChange, to: id, phone: phone)
    changeUser(id) {
      $0.newPhone = phone
      $0.phoneChangeSentAt = $1
    }
    return message
  }

  fileprivate mutating func resend(_ order: ResendOrder, _ target: LinkTarget) throws(APIError) -> String? {
    if !order.email.isEmpty {
      if !settings.emailEnabled { throw Backend.emailDisabled(400) }
      try Self.checkAddress(order.email)
      try resendEmail(order, target)
      return nil
    }
    if !settings.phoneEnabled { throw APIError(400, "phone_provider_disabled", "Phone logins are disabled") }
    let phone = try PhoneNumber.parse(order.phone)
    guard let user = users.withPhone(phone) else { return nil }
    if order.type == "sms", user.phoneConfirmedAt == nil { return try sendPhoneCode(to: user) }
    if order.type == "phone_change", let new = user.newPhone { return try sendPhoneChange(of: user.id, to: new) }
    return nil
  }

  private mutating func resendEmail(_ order: ResendOrder, _ target: LinkTarget) throws(APIError) {
    guard let user = users.withEmail(order.email) else { return }
    if order.type == "signup", !user.isConfirmed { _ = try sendConfirmation(to: user, target) }
    if order.type == "email_change", let new = user.newEmail { try sendEmailChange(of: user.id, to: new, target) }
  }

  fileprivate mutating func sendReauthentication(to user: UserRecord) throws(APIError) -> String? {
    if user.email.isEmpty, user.phone.isEmpty {
      throw .validation("Reauthentication requires the user to have an email or a phone number")
    }
    if user.email.isEmpty {
      if user.phoneConfirmedAt == nil { throw APIError(422, "phone_not_confirmed", "Please verify your phone first.") }
      return try sendText(in: .reauthentication, to: user, noting: \.reauthenticationSentAt)
    }
    if !user.isConfirmed { throw APIError(422, "email_not_confirmed", "Please verify your email first.") }
    try sendEmail(.reauthentication, in: .reauthentication, to: user, noting: \.reauthenticationSentAt)
    return nil
  }
}
