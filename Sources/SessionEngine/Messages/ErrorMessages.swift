package import AgentProtocol
import SessionVault
package import SupabaseAuth
package import SystemSupport

extension AgentError {
  /// The user's error for a refused or failed request to the auth server. The only place that maps
  /// the two. Excludes foreign text: the server's code, if any, goes into the journal.
  package static func from(_ error: AuthError, account: String? = nil) -> AgentError {
    var told = AgentError(
      kind(of: error.code), message(for: error.code), hint: hint(for: error), account: account,
      retryAfter: error.retryAfter.map { $0.seconds })
    told.data.detail = error.connectionFailure
    return told
  }

  private static let kinds: [AuthError.Code: ErrorKind] = [
    .network: .offline, .timeout: .offline, .tls: .offline,
    .unreadable: .serviceUnavailable, .serverUnavailable: .serviceUnavailable, .conflict: .serviceUnavailable,
    .projectPaused: .serviceUnavailable, .unexpected: .serviceUnavailable, .shutDown: .notReady,
    .tooLarge: .tooLarge, .cancelled: .cancelled, .rateLimited: .rateLimited,
    .insecure: .misconfigured, .invalidEndpoint: .misconfigured, .gatewayRefused: .misconfigured,
    .notFound: .misconfigured, .invalidRequest: .invalidParams, .validationFailed: .invalidParams,
    .invalidEmail: .invalidParams,
    .invalidCredentials: .invalidCredentials, .emailNotConfirmed: .emailNotConfirmed, .userExists: .userExists,
    .weakPassword: .weakPassword, .samePassword: .weakPassword, .userBanned: .denied,
    .signupDisabled: .methodDisabled, .providerDisabled: .methodDisabled, .captchaRequired: .methodDisabled,
    .idTokenRefused: .callbackInvalid, .flowStateNotFound: .callbackInvalid, .flowStateExpired: .callbackInvalid,
    .badCodeVerifier: .callbackInvalid,
    .badJWT: .signInNeeded, .sessionNotFound: .signInNeeded, .sessionExpired: .signInNeeded,
    .userNotFound: .signInNeeded, .refreshTokenNotFound: .signInNeeded, .refreshTokenAlreadyUsed: .signInNeeded,
    .identityAlreadyExists: .identityTaken, .emailConflict: .linkingConflict, .identityNotFound: .invalidParams,
    .lastIdentity: .lastIdentity, .manualLinkingDisabled: .linkingDisabled,
  ]

  private static func kind(of code: AuthError.Code) -> ErrorKind { kinds[code] ?? .serviceUnavailable }

  private static func message(for code: AuthError.Code) -> String? {
    switch code {
    case .invalidEmail: "This is not a valid email address."
    case .userBanned: "This account is suspended."
    case .captchaRequired: "The project requires a CAPTCHA, which only its own pages can show."
    case .samePassword: "The new password must differ from the old one."
    default: nil
    }
  }

  private static func hint(for error: AuthError) -> String? {
    switch error.code {
    // The text is made from the server's reason codes, and is not the server's.
    case .weakPassword: error.message
    case .tls: "the server's certificate could not be verified; see ca_file in the configuration"
    case .gatewayRefused, .notFound, .insecure, .invalidEndpoint:
      "check url and anon_key of the project in the configuration"
    case .userBanned: "contact the project's administrator"
    case .projectPaused: "the project is paused; its owner can resume it in the Supabase dashboard"
    default: nil
    }
  }
}

extension AgentError {
  /// The user's error for a vault failure: the fixed message, and the vault's remedy as the hint.
  package static func from(vault error: any Error) -> AgentError {
    guard let error = error as? VaultError else { return AgentError(.vaultUnavailable) }
    switch error.code {
    case .locked: return AgentError(.vaultLocked)
    // The request does not fit the vault's state; the vault's message explains why.
    case .invalidKey, .keyKnown, .noSuchKey, .keyLimit: return AgentError(.invalidParams, sentence(error.message))
    case .changedMeanwhile: return AgentError(.tooMany, sentence(error.message))
    default: return AgentError(kind(of: error.code), hint: error.message)
    }
  }

  private static func kind(of code: VaultError.Code) -> ErrorKind {
    switch code {
    case .wrongKey, .keyMissing, .keysNeeded: .wrongKey
    case .damaged: .vaultDamaged
    case .diskFull: .storageFull
    case .formatTooNew: .formatTooNew
    default: .vaultUnavailable
    }
  }

  private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() + "." }
}

extension AgentClock {
  /// The wall clock's time, for display and for times stored across a reboot.
  package var wall: Timestamp { Timestamp(unixSeconds: wallSeconds) }

  /// The wall clock's time at a moment of this boot.
  package func wallTime(of moment: BootTime) -> Timestamp {
    Timestamp(unixSeconds: wall.unixSeconds + now.duration(to: moment).components.seconds)
  }
}
