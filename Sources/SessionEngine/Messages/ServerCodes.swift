import AgentProtocol
import SupabaseAuth

/// The words for those codes of the auth server that have no name in `AuthError.Code`, because
/// nothing branches on them.
struct ServerCode: Sendable {
  let kind: ErrorKind
  let message: String?
  let hint: String

  private init(_ kind: ErrorKind, _ message: String? = nil, _ hint: String) {
    (self.kind, self.message, self.hint) = (kind, message, hint)
  }

  /// The words for an error's code; nil if the code has a name of its own, or there is none.
  static func of(_ error: AuthError) -> ServerCode? {
    guard let code = error.serverCode, error.code == .server(code) else { return nil }
    if let known = table[code] { return known }
    if code.hasPrefix("hook_") { return hookFailed }
    return ServerCode(
      .serviceUnavailable, "The server refused the request (code \(ForeignText.shown(code, limit: 64))).",
      "tell the project's owner the code; a newer ritual-agent may know it")
  }

  private static let owner = "ask the project's owner; the setting is in the Supabase dashboard, under Authentication"
  private static let newCode = "enter a new code: ritualctl mfa verify"
  private static let factors = "to see the second factors: ritualctl mfa list"
  private static let signInAgain = "start the sign-in again: ritualctl sign-in"
  private static let notOurs =
    "ritual-agent does not use this part of the server; check url of the project in the configuration"
  private static let changeElsewhere = "change the password on the project's own page"

  private static let hookFailed = ServerCode(
    .serviceUnavailable, "A hook of the project failed.", "its owner finds the cause in the project's logs")

  private static func factorsDisabled(_ what: String) -> ServerCode {
    ServerCode(.methodDisabled, "The project does not allow \(what).", owner)
  }

  private static let table: [String: ServerCode] = [
    // Second factors.
    "mfa_verification_failed": ServerCode(
      .codeInvalid, "The code of the second factor is wrong.",
      "enter the code that the app shows now, or that the newest message contains; for an app, the clock of its device "
        + "must be right"),
    "mfa_challenge_expired": ServerCode(.codeInvalid, "The code came too late.", newCode),
    "mfa_ip_address_mismatch": ServerCode(
      .serviceUnavailable, "The network changed while the code was on its way, or the code arrived twice.", newCode),
    "mfa_factor_not_found": ServerCode(
      .invalidParams, "This second factor or its challenge no longer exists.", factors),
    "mfa_factor_name_conflict": ServerCode(
      .invalidParams, "The user has a second factor with this name.",
      "complete that one with ritualctl mfa verify --factor ID, remove it with ritualctl mfa remove ID, or choose another "
        + "name with --name NAME"),
    "mfa_verified_factor_exists": ServerCode(
      .invalidParams, "The user has a second factor of this type, and only one is allowed.", factors),
    "too_many_enrolled_mfa_factors": ServerCode(
      .invalidParams, "The user has the maximum number of second factors.", "remove one: ritualctl mfa remove ID"),
    "mfa_phone_enroll_not_enabled": factorsDisabled("new second factors by text message"),
    "mfa_phone_verify_not_enabled": factorsDisabled("second factors by text message"),
    "mfa_totp_enroll_not_enabled": factorsDisabled("new authenticator apps"),
    "mfa_totp_verify_not_enabled": factorsDisabled("authenticator apps"),
    "mfa_webauthn_enroll_not_enabled": factorsDisabled("new security keys as second factors"),
    "mfa_webauthn_verify_not_enabled": factorsDisabled("security keys as second factors"),
    "mfa_verification_rejected": ServerCode(
      .denied, "The project rejected the second factor and ended all sessions of the user.",
      "contact the project's owner; then sign in again: ritualctl sign-in"),
    "passkey_disabled": ServerCode(.methodDisabled, "Passkeys are disabled for the project.", owner),

    // Passwords.
    "reauthentication_needed": ServerCode(
      .denied, "The session is too old to change the password.", changeElsewhere),
    "reauthentication_not_valid": ServerCode(
      .codeInvalid, "The code that confirms the change is wrong or has expired.", changeElsewhere),
    "current_password_required": ServerCode(
      .invalidCredentials, "The current password is needed to change it.", changeElsewhere),
    "current_password_invalid": ServerCode(
      .invalidCredentials, "The current password is wrong.", changeElsewhere),

    // Sign-ins in a browser.
    "bad_oauth_callback": ServerCode(.callbackInvalid, nil, signInAgain),
    "bad_oauth_state": ServerCode(.callbackInvalid, "The sign-in was interrupted or took too long.", signInAgain),
    "flow_state_already_used": ServerCode(.callbackInvalid, "This sign-in was already completed.", signInAgain),
    "saml_relay_state_expired": ServerCode(
      .callbackInvalid, "The organization's sign-in page took too long.", signInAgain),
    "saml_relay_state_not_found": ServerCode(.callbackInvalid, "This sign-in was already completed.", signInAgain),

    // Requests that the agent should not have sent.
    "bad_json": ServerCode(
      .serviceUnavailable, "The server could not read the agent's request.",
      "check that url names a Supabase project, and update ritual-agent"),
    "invalid_request": ServerCode(
      .serviceUnavailable, "The server could not read the agent's request.",
      "check that url names a Supabase project, and update ritual-agent"),
    "invalid_grant": ServerCode(
      .serviceUnavailable, "The server did not accept the session's token.", "to see the attempts: ritualctl why"),
    "no_authorization": ServerCode(
      .denied, "The project does not allow this to an anonymous user.",
      "add a sign-in method first: ritualctl link --help"),
    "not_admin": ServerCode(
      .denied, "Only an administrator of the project may do this.", "check anon_key in the configuration"),
    "feature_disabled": ServerCode(.methodDisabled, "The project has disabled this feature.", owner),

    // The project as a provider for other apps.
    "invalid_client": ServerCode(.misconfigured, "The session belongs to another app.", signInAgain),
    "unsupported_grant_type": ServerCode(.misconfigured, "The server does not know this sign-in method.", notOurs),
    "oauth_authorization_not_found": ServerCode(.misconfigured, "The server does not know this request.", notOurs),
    "oauth_client_not_found": ServerCode(.misconfigured, "The server does not know this app.", notOurs),
    "oauth_consent_not_found": ServerCode(.misconfigured, "The server does not know this app's grant.", notOurs),
    "oauth_dynamic_client_registration_disabled": ServerCode(
      .methodDisabled, "The project does not register apps.", owner),
  ]
}
