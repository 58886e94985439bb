import Synchronization

/// A second factor, as the sandbox reports it.
public struct SandboxFactor: Sendable, Codable, Equatable {
  /// The factor's UUID.
  public let id: String
  /// The user's email address.
  public let email: String
  /// "totp", "phone" or "webauthn".
  public let type: String
  /// The name; empty for none.
  public let name: String
  /// The phone number, digits without `+`; empty unless it is a phone factor.
  public let phone: String
  /// True if the factor counts.
  public let isVerified: Bool
  /// The secret in base32; only for a TOTP factor.
  public let secret: String?
  /// The code of an authenticator app at this moment of the sandbox's clock; only for a TOTP factor. The
  /// codes of a phone factor are among the messages.
  public let code: String?

  init(_ factor: FactorRecord, of user: UserRecord, at now: Moment) {
    (id, email, type, name, phone) = (factor.id, user.email, factor.type, factor.name, factor.phone)
    isVerified = factor.isVerified
    if case .totp(let totp) = factor.kind {
      (secret, code) = (totp.secret, totp.code(at: now))
    } else {
      (secret, code) = (nil, nil)
    }
  }
}

/// Second factors.
extension AuthSandbox {
  /// The factors of all users, in the order of creation for each user.
  public var factors: [SandboxFactor] {
    backend.state.withLock { state in
      state.users.all.flatMap { user in user.factors.map { SandboxFactor($0, of: user, at: state.now) } }
    }
  }

  /// Adds a verified factor to a user, without ending any session: a TOTP factor, or a phone factor
  /// if there is a phone number (digits without `+`), or a passkey, which the sandbox does not verify.
  /// - Throws: `SandboxError` with code `.unknownUser`.
  @discardableResult
  public func addFactor(
    to email: String, name: String = "", phone: String? = nil, isPasskey: Bool = false
  ) throws -> SandboxFactor {
    let added = backend.state.withLock { state -> SandboxFactor? in
      guard let user = state.users.withEmail(email) else { return nil }
      let kind = phone.map(FactorRecord.Kind.phone) ?? (isPasskey ? .webauthn : .totp(TOTP()))
      var factor = FactorRecord(kind, name: name, at: state.now.truncatedToMicroseconds)
      factor.isVerified = true
      state.users.update(user.id) { $0.factors.append(factor) }
      return SandboxFactor(factor, of: user, at: state.now)
    }
    guard let added else { throw Self.unknownUser(email) }
    return added
  }

  /// The code of a TOTP factor at this moment of the sandbox's clock; nil for an unknown factor and
  /// for a phone factor.
  public func totpCode(of factor: String) -> String? { factors.first { $0.id == factor }?.code }
}
