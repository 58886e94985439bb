/// The part of a request for an email that concerns its link.
struct LinkTarget: Sendable {
  /// `redirect_to` as the client sent it: a query parameter or a header. A member of the body is
  /// ignored.
  var redirectTo: String?
  var challenge: Challenge?

  init(_ request: Incoming, _ body: Members) throws(APIError) {
    redirectTo = request.parameter("redirect_to") ?? request.header("redirect_to")
    challenge = try Challenge.parse(try body.text("code_challenge"), method: try body.text("code_challenge_method"))
  }

  init() {}
}

/// Sending of codes.
extension SandboxState {
  /// Sends an email to the user's address, and notes its time, before which the next one may not follow.
  mutating func sendEmail(
    _ kind: MailKind, in slot: CodeSlot, to user: UserRecord, noting time: WritableKeyPath<UserRecord, Moment?>,
    _ target: LinkTarget = LinkTarget()
  ) throws(APIError) {
    try checkEmailTimer(user[keyPath: time])
    try sendEmail(kind, in: slot, to: user.id, address: user.email, target)
    beginLinkFlow(of: user.id, kind, target)
    changeUser(user.id) { $0[keyPath: time] = $1 }
  }

  /// Sends a text message to the user's number in the same way, and returns its ID.
  mutating func sendText(
    in slot: CodeSlot, to user: UserRecord, noting time: WritableKeyPath<UserRecord, Moment?>
  ) throws(APIError) -> String {
    try checkTextTimer(user[keyPath: time])
    let message = try sendText(in: slot, to: user.id, phone: user.phone)
    changeUser(user.id) { $0[keyPath: time] = $1 }
    return message
  }

  /// Sends an email with a code to the user's address, or to `address`.
  mutating func sendEmail(
    _ kind: MailKind, in slot: CodeSlot, to id: String, address: String, _ target: LinkTarget
  ) throws(APIError) {
    try checkMailServer(kind)
    let code = Text.random(6, from: "0123456789")
    let pending = PendingCode(
      userID: id, slot: slot, address: address, hash: PendingCode.digest(address, code),
      isPKCE: target.challenge != nil,
      sentAt: now)
    codes.put(pending)
    let link = FormCoding.encode([
      ("token", pending.linkToken), ("type", kind.rawValue), ("redirect_to", resolveRedirect(target.redirectTo)),
    ])
    let hasLink = kind != .reauthentication
    outbox.add(
      SentMessage(
        to: address, mail: kind, code: code, link: hasLink ? "\(origin)/auth/v1/verify?\(link)" : nil, at: now))
  }

  private func checkMailServer(_ kind: MailKind) throws(APIError) {
    if let limit = settings.emailsPerHour, outbox.emails(after: now.adding(seconds: -3600)) >= limit {
      throw APIError(429, "over_email_send_rate_limit", "email rate limit exceeded")
    }
    if settings.mailServerDown { throw APIError(500, "unexpected_failure", kind.failure) }
  }

  /// Creates the flow in which the link of an email ends, if the request carries a challenge.
  mutating func beginLinkFlow(of id: String, _ kind: MailKind, _ target: LinkTarget) {
    guard let challenge = target.challenge else { return }
    var flow = Flow(
      provider: "email", method: kind.linkMethod, redirectTo: resolveRedirect(target.redirectTo), challenge: challenge,
      createdAt: now)
    flow.userID = id
    flow.isStateUsed = true
    flows[flow.state] = flow
  }

  /// Sends a text message with a code, and returns the message's ID.
  mutating func sendText(in slot: CodeSlot, to id: String, phone: String) throws(APIError) -> String {
    let test = settings.testPhones[phone]
    if test == nil, let reason = settings.smsFailure {
      throw APIError(
        422, "sms_send_failed",
        "Error sending \(slot == .phoneChange ? "phone change" : "confirmation") OTP to provider: \(reason)")
    }
    let code = test ?? Text.random(6, from: "0123456789")
    codes.put(
      PendingCode(
        userID: id, slot: slot, address: phone, hash: PendingCode.digest(phone, code), isPKCE: false, sentAt: now))
    outbox.add(SentMessage(to: phone, mail: nil, code: code, link: nil, at: now))
    return test == nil ? "SM" + Text.random(32, from: "0123456789abcdef") : "test-otp"
  }

  /// Refuses an email that follows the last one too soon.
  func checkEmailTimer(_ last: Moment?) throws(APIError) {
    try checkTimer(last, interval: settings.emailInterval, "over_email_send_rate_limit")
  }

  /// Refuses a text message that follows the last one too soon.
  func checkTextTimer(_ last: Moment?) throws(APIError) {
    try checkTimer(last, interval: settings.smsInterval, "over_sms_send_rate_limit")
  }

  private func checkTimer(_ last: Moment?, interval: Double, _ code: String) throws(APIError) {
    guard let end = last?.adding(seconds: interval), now < end else { return }
    let rest = (end.nanoseconds - now.nanoseconds) / 1_000_000_000
    throw APIError(429, code, "For security purposes, you can only request this after \(rest) seconds.")
  }

  func resolveRedirect(_ wanted: String?) -> String {
    RedirectRules(siteURL: siteURL, allowList: settings.redirectAllowList).resolve(wanted)
  }
}

/// Addresses of users.
extension SandboxState {
  /// Sets the address as confirmed.
  mutating func confirmEmail(of id: String) {
    changeUser(id) {
      $0.emailConfirmedAt = $0.emailConfirmedAt ?? $1
      $0.metadata["email_verified"] = true
    }
  }

  /// Sets the phone number as confirmed.
  mutating func confirmPhone(of id: String) {
    changeUser(id) {
      $0.phoneConfirmedAt = $0.phoneConfirmedAt ?? $1
      $0.metadata["phone_verified"] = true
    }
  }

  /// Replaces the address by the pending one. An anonymous user becomes a permanent one.
  mutating func applyEmailChange(of id: String) {
    guard let user = users[id], let email = user.newEmail else { return }
    changeUser(id) {
      $0.email = email
      $0.emailConfirmedAt = $1
      $0.newEmail = nil
      $0.isEmailChangeHalfConfirmed = false
      $0.isAnonymous = false
      $0.setIdentity("email", member: "email", to: email, at: $1)
    }
    codes[id, .emailChangeNew] = nil
    codes[id, .emailChangeCurrent] = nil
  }

  /// Replaces the phone number by the pending one. An anonymous user becomes a permanent one.
  mutating func applyPhoneChange(of id: String) {
    guard let user = users[id], let phone = user.newPhone else { return }
    changeUser(id) {
      $0.phone = phone
      $0.phoneConfirmedAt = $1
      $0.newPhone = nil
      $0.isAnonymous = false
      $0.setIdentity("phone", member: "phone", to: phone, at: $1)
    }
    codes[id, .phoneChange] = nil
  }
}

extension UserRecord {
  /// Writes an address into the identity of its kind, which is created if it does not exist.
  fileprivate mutating func setIdentity(_ kind: String, member: String, to address: String, at now: Moment) {
    let moment = now.truncatedToMicroseconds
    updatedAt = moment
    metadata["\(kind)_verified"] = true
    if let index = identities.firstIndex(where: { $0.provider == kind }) {
      identities[index].data[member] = .string(address)
      identities[index].updatedAt = moment
      return
    }
    var data: [String: JSON] = ["sub": .string(id), "email_verified": false, "phone_verified": false]
    data[member] = .string(address)
    data["\(kind)_verified"] = true
    identities.append(
      IdentityRecord(
        subject: id, provider: kind, data: data, lastSignInAt: moment, createdAt: moment, updatedAt: moment))
  }
}

/// Phone numbers as Supabase Auth stores them: digits without `+` and spaces.
enum PhoneNumber {
  /// - Throws: 400 `validation_failed` for a number that is not in E.164's form.
  static func parse(_ text: String) throws(APIError) -> String {
    let digits = text.filter { $0 != "+" && !$0.isWhitespace }
    let isSound =
      (2...15).contains(digits.count) && digits.allSatisfy { ("0"..."9").contains($0) } && digits.first != "0"
    if !isSound { throw .validation("Invalid phone number format (E.164 required)") }
    return digits
  }
}
