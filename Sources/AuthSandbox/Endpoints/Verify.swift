import Synchronization

extension Backend {
  /// `POST /verify` with the `token_hash` of a link, or with an address and the typed `token`.
  func verify(_ request: Incoming) async throws -> Answer {
    var order = try VerifyOrder(try request.json())
    order.noteArrivals(request, self)
    let typed = order
    let result = try commit { state throws(APIError) in
      let used = try state.useCode(typed)
      if used == .halfOfAddressChange { return (used, nil as Grant?) }
      return (used, try state.beginSession(userID: used.userID, method: "otp", userAgent: request.header("user-agent")))
    }
    guard let grant = result.1 else {
      return Answer(json: ["code": "200", "msg": .string(Self.halfConfirmed)])
    }
    return try await sessionAnswer(grant)
  }

  /// `GET /verify`: the link in an email. An implicit session, or its failure, is returned in the
  /// fragment; a code for the exchange in the query.
  func verifyInBrowser(_ request: Incoming) async throws -> Answer {
    var order = VerifyOrder(link: request)
    order.noteArrivals(request, self)
    if order.tokenHash.isEmpty { throw APIError.validation("Verify requires a token or a token hash") }
    let link = order
    let isPKCE = link.tokenHash.hasPrefix("pkce_")
    let redirect = state.withLock { $0.resolveRedirect(request.parameter("redirect_to")) }
    do {
      let used = try commit { state throws(APIError) in try state.useCode(link) }
      if used == .halfOfAddressChange { return Self.halfConfirmed(redirect, isPKCE: isPKCE) }
      if isPKCE {
        let code = try commit { state throws(APIError) in try state.issueLinkCode(used) }
        return .redirect(303, to: redirect.addingQuery([("code", code)]))
      }
      let grant = try commit { state throws(APIError) in
        try state.beginSession(userID: used.userID, method: "otp", userAgent: request.header("user-agent"))
      }
      let fragment = try await implicitFragment(grant) + "&type=" + FormCoding.escape(link.type)
      return .redirect(303, to: redirect + "#" + fragment)
    } catch let error as APIError {
      let failure = RedirectFailure(error)
      if isPKCE { return .redirect(303, to: failure.location(redirect)) }
      return .redirect(303, to: redirect + "#" + FormCoding.encode(failure.pairs) + "&sb=")
    }
  }

  private static let halfConfirmed =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email"

  private static func halfConfirmed(_ redirect: String, isPKCE: Bool) -> Answer {
    let pairs = [(name: "message", value: halfConfirmed)]
    let address = isPKCE ? redirect.addingQuery(pairs) : redirect
    return .redirect(303, to: address + "#" + FormCoding.encode(pairs) + "&sb=")
  }
}

/// A code or a link to be verified.
struct VerifyOrder: Sendable {
  var type: String
  var email = ""
  var phone = ""
  /// The typed code; empty for a link.
  var code = ""
  /// The link's token; empty for a typed code.
  var tokenHash: String
  /// The number of requests received when this one arrived.
  private(set) var arrival = 0
  /// The number of requests received until the code is looked up.
  private(set) var arrivals = 0

  /// Reads the body of `POST /verify`.
  init(_ body: Members) throws(APIError) {
    type = try body.text("type")
    email = try body.text("email").lowercased()
    phone = try body.text("phone")
    code = try body.text("token")
    tokenHash = try body.text("token_hash")
    if type.isEmpty { throw .validation("Verify requires a verification type") }
    if code.isEmpty == tokenHash.isEmpty {
      throw .validation("Verify requires either a token or a token hash")
    }
    if !tokenHash.isEmpty {
      if !email.isEmpty || !phone.isEmpty {
        throw .validation("Only the token_hash and type should be provided")
      }
    } else if email.isEmpty == phone.isEmpty {
      throw .validation("Only an email address or phone number should be provided on verify")
    }
  }

  /// Reads the query of a link.
  init(link request: Incoming) {
    type = request.parameter("type") ?? ""
    tokenHash = request.parameter("token") ?? ""
  }

  fileprivate mutating func noteArrivals(_ request: Incoming, _ backend: Backend) {
    arrival = request.arrival
    arrivals = backend.journal.withLock { $0.count(.any) }
  }

  /// The slots that hold codes of the type; nil for a type that no email has.
  fileprivate var emailSlots: [CodeSlot]? {
    switch type {
    case "email": [.confirmation, .recovery]
    case "signup", "invite": [.confirmation]
    case "recovery", "magiclink": [.recovery]
    case "email_change": [.emailChangeNew, .emailChangeCurrent]
    default: nil
    }
  }

  fileprivate var refusal: APIError {
    APIError(
      403, "otp_expired",
      tokenHash.isEmpty ? "Token has expired or is invalid" : "Email link is invalid or has expired")
  }
}

/// A code that was accepted.
struct UsedCode: Sendable, Equatable {
  var userID: String
  /// The email that carried the code; nil for a text message.
  var mail: MailKind?

  /// The first of the two codes of an address change, which does not begin a session.
  static let halfOfAddressChange = UsedCode(userID: "", mail: nil)
}

extension SandboxState {
  /// Accepts a code once, and confirms the address whose ownership it proves.
  fileprivate mutating func useCode(_ order: VerifyOrder) throws(APIError) -> UsedCode {
    if !order.phone.isEmpty { return try usePhoneCode(order) }
    let found = try findCode(order)
    if try liveUser(found.userID).isBanned(at: now) { throw APIError(403, "user_banned", "User is banned") }
    if now > found.sentAt.adding(seconds: settings.emailCodeLifetime) { throw order.refusal }
    codes.use(found, arrivals: order.arrivals)
    switch found.slot {
    case .emailChangeNew, .emailChangeCurrent:
      return try acceptEmailChange(of: found.userID)
    case .recovery:
      confirmEmail(of: found.userID)
      return UsedCode(userID: found.userID, mail: order.type == "recovery" ? .recovery : .magicLink)
    default:
      confirmEmail(of: found.userID)
      return UsedCode(userID: found.userID, mail: .signUp)
    }
  }

  private func findCode(_ order: VerifyOrder) throws(APIError) -> PendingCode {
    let isTyped = order.tokenHash.isEmpty
    guard let slots = order.emailSlots else {
      throw isTyped ? order.refusal : .validation("Invalid email verification type")
    }
    let isMeant: (PendingCode) -> Bool = {
      isTyped ? $0.address == order.email && $0.accepts(order.code) : $0.linkToken == order.tokenHash
    }
    guard let found = codes.first(in: slots, arrival: order.arrival, where: isMeant) else { throw order.refusal }
    return found
  }

  /// Two codes confirm an address change; one is enough for a user without an address.
  private mutating func acceptEmailChange(of id: String) throws(APIError) -> UsedCode {
    let user = try liveUser(id)
    if !user.email.isEmpty, !user.isEmailChangeHalfConfirmed, !settings.autoconfirm {
      users.update(id) { $0.isEmailChangeHalfConfirmed = true }
      return .halfOfAddressChange
    }
    if let new = user.newEmail, let owner = users.withEmail(new), owner.id != id { throw UserUpdate.emailExists }
    applyEmailChange(of: id)
    return UsedCode(userID: id, mail: .emailChange)
  }

  private mutating func usePhoneCode(_ order: VerifyOrder) throws(APIError) -> UsedCode {
    let phone = try PhoneNumber.parse(order.phone)
    let isChange = order.type == "phone_change"
    let user = isChange ? users.all.first { $0.newPhone == phone } : users.withPhone(phone)
    guard let user, isChange || order.type == "sms" else { throw order.refusal }
    if user.isBanned(at: now) { throw APIError(403, "user_banned", "User is banned") }
    let slot = isChange ? CodeSlot.phoneChange : .confirmation
    // A test number's code is neither used up nor too old.
    if settings.testPhones[phone] != order.code {
      let isRight: (PendingCode) -> Bool = { $0.userID == user.id && $0.address == phone && $0.accepts(order.code) }
      guard let pending = codes.first(in: [slot], arrival: order.arrival, where: isRight),
        now <= pending.sentAt.adding(seconds: settings.smsCodeLifetime)
      else { throw order.refusal }
      codes.use(pending, arrivals: order.arrivals)
    }
    if isChange { applyPhoneChange(of: user.id) } else { confirmPhone(of: user.id) }
    return UsedCode(userID: user.id, mail: nil)
  }

  /// The code for the exchange of a link's flow. For a magic link, the flow's lifetime begins now.
  fileprivate mutating func issueLinkCode(_ used: UsedCode) throws(APIError) -> String {
    let kind = used.mail ?? .magicLink
    guard var flow = flows.newest(ofUser: used.userID, method: kind.linkMethod) else {
      throw APIError(404, "flow_state_not_found", "No valid flow state found for user.")
    }
    let code = Text.uuid()
    flow.authCode = code
    if kind == .magicLink { flow.createdAt = now }
    flows[flow.state] = flow
    return code
  }
}
