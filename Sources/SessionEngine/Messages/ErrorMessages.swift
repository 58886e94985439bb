package import AgentProtocol
import SessionVault
package import SupabaseAuth
package import SystemSupport

extension AgentError {
  /// The user's error for a refused or failed request to the auth server. The only place that maps
  /// the two. Its foreign text is escaped: a code that this version does not know, and the words of a
  /// project's hook, which are quoted. Every other code of the server goes only into the journal.
  package static func from(_ error: AuthError, account: String? = nil) -> AgentError {
    let code = ServerCode.of(error)
    var answer = AgentError(
      code?.kind ?? kind(of: error.code), code?.message ?? message(for: error),
      hint: code?.hint ?? hint(for: error, account),
      account: account, retryAfter: error.retryAfter.map { $0.seconds })
    answer.data.detail = error.connectionFailure
    return answer
  }

  private static let kinds: [AuthError.Code: ErrorKind] = [
    .network: .offline, .timeout: .offline, .tls: .offline, .proxyRefused: .offline,
    .unreadable: .serviceUnavailable, .serverUnavailable: .serviceUnavailable, .conflict: .serviceUnavailable,
    .projectPaused: .serviceUnavailable, .unexpected: .serviceUnavailable, .shutDown: .notReady,
    .tooLarge: .tooLarge, .cancelled: .cancelled, .rateLimited: .rateLimited,
    .insecure: .misconfigured, .invalidEndpoint: .misconfigured, .gatewayRefused: .misconfigured,
    .gateRefused: .misconfigured,
    .legacyKeyDisabled: .misconfigured,
    .notFound: .misconfigured, .invalidRequest: .invalidParams, .validationFailed: .invalidParams,
    .invalidEmail: .invalidParams,
    .invalidCredentials: .invalidCredentials, .emailNotConfirmed: .emailNotConfirmed, .userExists: .userExists,
    .weakPassword: .weakPassword, .samePassword: .weakPassword, .userBanned: .denied,
    .signupDisabled: .methodDisabled, .providerDisabled: .methodDisabled, .captchaRequired: .captchaRequired,
    .otpDisabled: .methodDisabled, .anonymousDisabled: .methodDisabled, .ssoDisabled: .methodDisabled,
    .ssoNotFound: .methodDisabled, .ssoManaged: .methodDisabled, .emailNotAuthorized: .methodDisabled,
    .codeRefused: .codeInvalid, .messageNotSent: .methodDisabled, .providerEmailUnverified: .emailNotConfirmed,
    .idTokenRefused: .callbackInvalid, .flowStateNotFound: .callbackInvalid, .flowStateExpired: .callbackInvalid,
    .badCodeVerifier: .callbackInvalid,
    .badJWT: .serviceUnavailable, .sessionNotFound: .signInNeeded, .sessionExpired: .signInNeeded,
    .userNotFound: .signInNeeded, .newerSignIn: .signInNeeded, .hookRefused: .denied,
    .insufficientAssurance: .mfaNeeded, .refreshTokenNotFound: .signInNeeded, .refreshTokenAlreadyUsed: .signInNeeded,
    .identityAlreadyExists: .identityTaken, .emailConflict: .linkingConflict, .identityNotFound: .invalidParams,
    .lastIdentity: .lastIdentity, .manualLinkingDisabled: .linkingDisabled,
  ]

  private static func kind(of code: AuthError.Code) -> ErrorKind { kinds[code] ?? .serviceUnavailable }

  private static func message(for error: AuthError) -> String? {
    switch error.code {
    case .proxyRefused: sentence(error.message)
    case .gateRefused: "A gate in front of the server refused the request."
    case .gatewayRefused: "The server rejected the request. The project's URL or key may be wrong."
    case .legacyKeyDisabled: "The project has disabled its legacy API keys, and its key in the configuration is one."
    case .notFound: "Supabase Auth was not found at the project's URL."
    case .invalidEmail: "This is not a valid email address."
    case .badJWT: "The server does not accept the access token of the session now. The session stays."
    case .userBanned: "This account is suspended."
    case .samePassword: "The new password must differ from the old one."
    case .signupDisabled: "Sign-ups are disabled for the project."
    case .otpDisabled: "No account with this address, or it uses single sign-on."
    case .messageNotSent: "The project could not send a text message."
    case .anonymousDisabled: "Anonymous users are disabled for the project."
    case .ssoDisabled: "Single sign-on is disabled for the project."
    case .ssoNotFound: "No single sign-on is registered for this domain."
    case .ssoManaged: "An organization manages this user, who signs in only by single sign-on."
    case .emailNotAuthorized: "The project does not send email to this address."
    case .rateLimited: sendLimit(error)
    case .newerSignIn:
      "The project allows one session for each user, and a newer sign-in elsewhere is active. If that one is signed "
        + "out, this one works again."
    case .hookRefused: hookRefusal(error.serverMessage)
    default: nil
    }
  }

  /// Maximum characters of a project's own text: one line.
  private static let maxQuote = 120

  private static func hookRefusal(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return "A hook of the project refused this." }
    return "A hook of the project refused this: \"\(ForeignText.shown(text, limit: maxQuote))\""
  }

  /// The words for the two limits of codes: one code for each address, and all messages of the project. The server has
  /// one code for both; only the first names the seconds.
  private static func sendLimit(_ error: AuthError) -> String? {
    let things = ["over_email_send_rate_limit": "emails", "over_sms_send_rate_limit": "text messages"]
    guard let things = error.serverCode.flatMap({ things[$0] }) else { return nil }
    guard let pause = error.retryAfter?.seconds else {
      return "The project has sent its hourly number of \(things). Please try again later."
    }
    return "The project sends one code per address a minute. Another one can be sent in \(Int(pause.rounded(.up))) "
      + "seconds."
  }

  private static func hint(for error: AuthError, _ account: String?) -> String? {
    let suffix = account.map { AccountName.isValid($0) ? " --account \($0)" : "" } ?? ""
    return switch error.code {
    // The text is made from the server's reason codes, and is not the server's.
    case .weakPassword: error.message
    case .tls: "the server's certificate could not be verified; see ca_file in the configuration"
    case .proxyRefused: "see proxy_password_file in the configuration"
    case .gateRefused: "put the headers that it demands into headers_file of the project's configuration"
    case .gatewayRefused, .notFound, .insecure, .invalidEndpoint:
      "check url and anon_key of the project in the configuration"
    case .legacyKeyDisabled: Project.replaceKey(of: "NAME")
    case .userBanned, .hookRefused: "contact the project's administrator"
    case .otpDisabled: "to create an account: add --sign-up"
    case .invalidCredentials:
      "reset the password on the project's own page, or sign in without it: ritualctl sign-in code\(suffix)"
    case .invalidEmail, .validationFailed: "check what you entered"
    case .emailNotConfirmed:
      "open the link in the email, or enter a code from an email: ritualctl sign-in code\(suffix)"
    case .codeRefused: "check it; only the code of the newest message is valid"
    case .signupDisabled: "sign in with an existing user, or ask the project's owner for one"
    case .anonymousDisabled, .providerDisabled, .ssoDisabled:
      "use another sign-in method: ritualctl sign-in --help; the project's owner can enable this one"
    case .ssoManaged: "sign in with ritualctl sign-in sso --domain DOMAIN"
    case .samePassword: "choose another password"
    case .identityAlreadyExists: "sign in with it under another account: ritualctl sign-in PROVIDER --account NAME"
    case .emailConflict: "change the email address of one of the users first"
    case .identityNotFound: "to see the identities: ritualctl identities"
    case .lastIdentity: "link another one first: ritualctl link PROVIDER"
    case .manualLinkingDisabled:
      "its owner can enable it in the Supabase dashboard, under Authentication: Allow manual linking"
    case .messageNotSent: "check the number; the project's text message service may not reach it"
    case .ssoNotFound: "check the domain of the organization's email addresses"
    case .emailNotAuthorized:
      "its owner can set up a mail server; Supabase's own sends only to members of the project's organization"
    case .badJWT:
      "try again later; an instance of the server may not have the project's new signing key yet"
    case .providerEmailUnverified: "the provider has not verified your email address; check your email"
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
