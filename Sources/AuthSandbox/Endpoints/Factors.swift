import FoundationEssentials

extension Backend {
  /// `POST /factors`.
  func enrollFactor(_ request: Incoming) async throws -> Answer {
    let caller = try await factorCaller(of: request)
    let order = try EnrollmentOrder(try request.json())
    let answer = try commit { state throws(APIError) in
      let factor = try state.enroll(order, by: caller)
      return order.answer(factor, account: state.users[caller.userID]?.email ?? "", host: state.siteHost)
    }
    return Answer(json: answer)
  }

  /// `DELETE /factors/{id}`.
  func removeFactor(_ request: Incoming) async throws -> Answer {
    let caller = try await factorCaller(of: request)
    let path = Route.split(request.path)
    let id = try commit { state throws(APIError) in
      let factor = try state.factor(String(path.last ?? ""), of: caller.userID)
      if factor.isVerified, !state.isAAL2(caller.sessionID) {
        throw APIError(422, "insufficient_aal", "AAL2 required to unenroll verified factor")
      }
      state.remove(factor.id, of: caller.userID)
      return factor.id
    }
    return Answer(json: ["id": .string(id)])
  }

  /// Passkeys are always disabled.
  static let noPasskeys = APIError(404, "passkey_disabled", "Passkeys are disabled")

  /// Authenticates the caller of a request for factors.
  func factorCaller(of request: Incoming) async throws(APIError) -> Caller {
    let caller = try await caller(of: request)
    try commit { state throws(APIError) in
      if try state.liveUser(caller.userID).isAnonymous {
        throw APIError(403, "no_authorization", "Anonymous user not allowed to perform these actions")
      }
    }
    return caller
  }
}

/// The body of `POST /factors`.
struct EnrollmentOrder: Sendable {
  /// The length of the QR code as an SVG, about which clients must know.
  private static let imageLength = 321_600

  var type: String
  var name: String
  var issuer: String
  /// As the client wrote it.
  var phone: String

  init(_ body: Members) throws(APIError) {
    type = try body.text("factor_type")
    name = try body.text("friendly_name")
    issuer = try body.text("issuer")
    phone = try body.text("phone")
  }

  fileprivate func answer(_ factor: FactorRecord, account: String, host: String) -> JSON {
    var members: [String: JSON] = [
      "id": .string(factor.id), "type": .string(type), "friendly_name": .string(name),
    ]
    switch factor.kind {
    case .totp(let totp):
      members["totp"] = [
        "qr_code": .string(Self.image), "secret": .string(totp.secret),
        "uri": .string(Self.uri(totp, issuer: issuer.isEmpty ? host : issuer, account: account)),
      ]
    case .phone: members["phone"] = .string(phone)
    case .webauthn: break
    }
    return .object(members)
  }

  private static func uri(_ totp: TOTP, issuer: String, account: String) -> String {
    let name = Self.escaped(issuer)
    return "otpauth://totp/\(name):\(account)?algorithm=SHA1&digits=6&issuer=\(name)&period=\(TOTP.period)"
      + "&secret=\(totp.secret)"
  }

  private static func escaped(_ text: String) -> String { FormCoding.escape(text).replacing("+", with: "%20") }

  /// An image of the real one's length, with no QR code in it: no client should read it.
  private static let image: String = {
    let head = "<?xml version=\"1.0\"?>\n<svg width=\"219\" height=\"219\" xmlns=\"http://www.w3.org/2000/svg\">\n"
    let (module, tail) = (
      "<rect x=\"0\" y=\"0\" width=\"3\" height=\"3\" style=\"fill:white;stroke:none\" />\n", "</svg>\n"
    )
    let count = (imageLength - head.utf8.count - tail.utf8.count) / module.utf8.count
    let body = head + String(repeating: module, count: count)
    return body + String(repeating: "\n", count: imageLength - body.utf8.count - tail.utf8.count) + tail
  }()
}

extension SandboxState {
  fileprivate var siteHost: String {
    String(siteURL.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? "")
  }

  fileprivate mutating func enroll(_ order: EnrollmentOrder, by caller: Caller) throws(APIError) -> FactorRecord {
    let id = caller.userID
    let kind = try kind(of: order, user: id)
    let now = self.now
    users.update(id) { user in user.factors.removeAll { $0.isExpired(at: now) } }
    let user = try liveUser(id)
    if user.factors.contains(where: { $0.name == order.name }) {
      let words = "A factor with the friendly name \"\(order.name)\" for this user already exists"
      throw APIError(422, "mfa_factor_name_conflict", words)
    }
    if user.factors.count >= settings.maximumFactors {
      let words = "Maximum number of verified factors reached, unenroll to continue"
      throw APIError(422, "too_many_enrolled_mfa_factors", words)
    }
    if user.hasVerifiedFactor, !isAAL2(caller.sessionID) {
      throw APIError(403, "insufficient_aal", "AAL2 required to enroll a new factor")
    }
    let factor = FactorRecord(kind, name: order.name, at: now.truncatedToMicroseconds)
    users.update(id) { $0.factors.append(factor) }
    return factor
  }

  private mutating func kind(of order: EnrollmentOrder, user: String) throws(APIError) -> FactorRecord.Kind {
    switch order.type {
    case "totp":
      if !settings.mfaTOTPEnroll { throw Self.factorsOff("enroll", "TOTP", verb: "enroll") }
      return .totp(TOTP())
    case "phone":
      if !settings.mfaPhoneEnroll { throw Self.factorsOff("enroll", "Phone", verb: "enroll") }
      return .phone(try freePhone(order.phone, of: user))
    case "webauthn": throw Self.factorsOff("enroll", "WebAuthn", verb: "enroll")
    default: throw .validation("factor_type needs to be totp, phone, or webauthn")
    }
  }

  /// The number for a new factor. An unverified factor with that number is replaced.
  private mutating func freePhone(_ text: String, of user: String) throws(APIError) -> String {
    if text.isEmpty { throw .validation("Phone number required to enroll Phone factor") }
    let phone = try PhoneNumber.parse(text)
    if try liveUser(user).factors.contains(where: { $0.phone == phone && $0.isVerified }) {
      throw APIError(
        422, "mfa_verified_factor_exists",
        "A verified phone factor already exists, unenroll the existing factor to continue")
    }
    users.update(user) { user in user.factors.removeAll { $0.phone == phone } }
    return phone
  }

  /// The error for a kind of factor that the project does not offer.
  static func factorsOff(_ action: String, _ title: String, verb: String) -> APIError {
    APIError(422, "mfa_\(title.lowercased())_\(action)_not_enabled", "MFA \(verb) is disabled for \(title)")
  }

  /// Removes a factor. Sessions that were verified with it fall to aal1; their access tokens stay.
  mutating func remove(_ factor: String, of user: String) {
    users.update(user) { user in user.factors.removeAll { $0.id == factor } }
    for var session in sessions.sessions(ofUser: user) where session.factorID == factor {
      session.factorID = nil
      session.factorMethods = []
      sessions.put(session)
    }
  }
}
