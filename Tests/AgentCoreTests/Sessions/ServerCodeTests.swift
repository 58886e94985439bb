import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import Testing

@testable import SessionEngine

/// Every code of the server has words and a next step.
@Suite struct ServerCodeTests {
  /// The codes of Supabase Auth v2.196.0 with a status and a message, as recorded. Codes that were
  /// read in the server's source have no message.
  static let recorded: [(code: String, status: Int, message: String)] = [
    ("anonymous_provider_disabled", 422, "Anonymous sign-ins are disabled"),
    ("bad_code_verifier", 400, "code challenge does not match previously saved code verifier"),
    ("bad_json", 400, "Could not parse request body as JSON: unexpected end of JSON input"),
    ("bad_jwt", 403, "invalid JWT: unable to parse or verify signature"),
    ("bad_oauth_callback", 400, "OAuth state parameter missing"),
    ("bad_oauth_state", 400, "OAuth state parameter is invalid"),
    ("captcha_failed", 400, "captcha protection: request disallowed (no captcha_token found)"),
    ("conflict", 409, ""),
    ("current_password_invalid", 400, "Current password required when setting new password."),
    ("current_password_required", 400, "Current password required when setting new password."),
    ("email_address_invalid", 400, ""),
    ("email_address_not_authorized", 400, ""),
    ("email_conflict_identity_not_deletable", 422, ""),
    ("email_exists", 422, "A user with this email address has already been registered"),
    ("email_not_confirmed", 400, "Email not confirmed"),
    ("email_provider_disabled", 422, "Email logins are disabled"),
    ("feature_disabled", 404, "OAuth server is disabled"),
    ("flow_state_already_used", 422, ""),
    ("flow_state_expired", 422, "invalid flow state, flow state has expired"),
    ("flow_state_not_found", 404, "invalid flow state, no valid flow state found"),
    ("hook_timeout", 422, ""),
    ("identity_already_exists", 422, ""),
    ("identity_not_found", 422, ""),
    ("insufficient_aal", 401, "AAL2 session is required to update email or password when MFA is enabled."),
    ("invalid nonce", 400, "Nonces mismatch"),
    ("invalid request", 400, "Passed nonce and nonce in id_token should either both exist or not."),
    ("invalid_client", 400, "Client authentication required for OAuth session"),
    ("invalid_credentials", 400, "Invalid client credentials: client_id is required"),
    ("invalid_grant", 400, "Authorization code was not issued for this client"),
    ("invalid_request", 400, "grant_type is required"),
    ("manual_linking_disabled", 404, ""),
    (
      "mfa_challenge_expired", 422,
      "MFA challenge has expired, verify against another challenge or create a new challenge."
    ),
    ("mfa_factor_name_conflict", 422, "A factor with the friendly name 'Phone app' for this user already exists"),
    ("mfa_factor_not_found", 404, "Factor not found"),
    ("mfa_ip_address_mismatch", 422, "Challenge and verify IP addresses mismatch."),
    ("mfa_phone_enroll_not_enabled", 422, "MFA enroll is disabled for Phone"),
    ("mfa_totp_enroll_not_enabled", 422, "MFA enroll is disabled for TOTP"),
    ("mfa_totp_verify_not_enabled", 422, "MFA verification is disabled for TOTP"),
    ("mfa_verification_failed", 422, "Invalid TOTP code entered"),
    ("mfa_verification_rejected", 403, "Too many wrong codes."),
    (
      "mfa_verified_factor_exists", 422,
      "A verified phone factor already exists, unenroll the existing factor to continue"
    ),
    ("mfa_webauthn_enroll_not_enabled", 422, "MFA enroll is disabled for WebAuthn"),
    ("no_authorization", 403, "Anonymous user not allowed to perform these actions"),
    ("not_admin", 403, "User not allowed"),
    ("oauth_authorization_not_found", 404, "authorization not found"),
    ("oauth_client_not_found", 400, "invalid client_id"),
    ("oauth_consent_not_found", 404, "No active grant found for this client"),
    ("oauth_dynamic_client_registration_disabled", 403, "Dynamic client registration is not enabled"),
    ("otp_disabled", 422, "Signups not allowed for otp"),
    ("otp_expired", 403, "Token has expired or is invalid"),
    ("over_email_send_rate_limit", 429, "For security purposes, you can only request this after 59 seconds."),
    ("over_request_rate_limit", 429, "Request rate limit reached"),
    ("over_sms_send_rate_limit", 429, "For security purposes, you can only request this after 59 seconds."),
    ("passkey_disabled", 404, "Passkeys are disabled"),
    ("phone_exists", 422, "A user with this phone number has already been registered"),
    ("phone_not_confirmed", 400, "Phone not confirmed"),
    ("phone_provider_disabled", 400, "Unsupported phone provider"),
    ("provider_disabled", 400, "Provider (issuer 'https://www.facebook.com') is not enabled"),
    ("provider_email_needs_verification", 403, ""),
    ("reauthentication_needed", 400, "Password update requires reauthentication"),
    ("reauthentication_not_valid", 422, "Nonce has expired or is invalid"),
    ("refresh_token_already_used", 400, "Invalid Refresh Token: Already Used"),
    ("refresh_token_not_found", 400, "Invalid Refresh Token: Refresh Token Not Found"),
    ("request_timeout", 504, ""),
    ("same_password", 422, "New password should be different from the old password."),
    ("saml_provider_disabled", 404, "SAML 2.0 is disabled"),
    ("saml_relay_state_expired", 422, ""),
    ("saml_relay_state_not_found", 404, ""),
    ("session_expired", 400, "Invalid Refresh Token: Session Expired"),
    ("session_not_found", 403, "Session from session_id claim in JWT does not exist"),
    ("signup_disabled", 422, "Signups not allowed for this instance"),
    ("single_identity_not_deletable", 422, ""),
    ("sms_send_failed", 422, "Error sending confirmation OTP to provider"),
    ("sso_provider_disabled", 404, "SSO Provider is currently disabled"),
    ("sso_provider_not_found", 404, "No SSO provider assigned for this domain"),
    ("too_many_enrolled_mfa_factors", 422, "Maximum number of verified factors reached, unenroll to continue"),
    ("unexpected_failure", 500, "Error sending magic link email"),
    ("unknown", 403, "You are on the block list."),
    ("unsupported_grant_type", 400, "Client is not allowed to use grant type: password"),
    ("user_already_exists", 422, "User already registered"),
    ("user_banned", 403, "User is banned"),
    ("user_not_found", 403, "User from sub claim in JWT does not exist"),
    ("user_sso_managed", 422, "Updating email, phone, password of a SSO account only possible via SSO"),
    ("validation_failed", 400, "Only the token_hash and type should be provided"),
    ("weak_password", 422, "Password should be at least 6 characters."),
  ]

  /// Returns the user's error for an answer to a refresh.
  private static func told(_ code: String, _ status: Int, _ message: String, isOAuth: Bool = false) -> AgentError? {
    let body =
      isOAuth
      ? #"{"error":"\#(code)","error_description":"\#(message)"}"# : #"{"code":"\#(code)","message":"\#(message)"}"#
    return classifyRefresh(status: status, headers: [], body: Array(body.utf8)).summary.error.map {
      AgentError.from($0)
    }
  }

  @Test("SL-4: every recorded code has words and a next step", arguments: recorded)
  func hasWords(code: String, status: Int, message: String) throws {
    for isOAuth in [false, true] {
      let error = try #require(Self.told(code, status, message, isOAuth: isOAuth))
      #expect(!error.message.contains("(code "), "unknown: \(code)")
      let isGeneral = error.message == error.kind.facts.message
      let hasNextStep =
        error.data.hint?.isEmpty == false || error.message.contains("Please") || error.data.retryAfter != nil
      #expect(hasNextStep, "\(code): \(error.message)")
      // The words of a general failure fit no refusal but those of a server that failed itself.
      if error.kind == .serviceUnavailable, status < 500, code != "conflict" { #expect(!isGeneral, "\(code)") }
    }
  }

  @Test("SL-4: the server's own text is in no error, except the words of a hook", arguments: recorded)
  func hasNoForeignText(code: String, status: Int, message: String) throws {
    guard !message.isEmpty, code != "unknown" else { return }
    let error = try #require(Self.told(code, status, "zq " + message))
    #expect(!"\(error.message) \(error.data.hint ?? "")".contains("zq"))
  }

  @Test("SL-4: an unknown code is shown, and only characters that a code can have")
  func showsAnUnknownCode() throws {
    let error = try #require(Self.told("of_tomorrow", 422, "m"))
    #expect(error.message == "The server refused the request (code of_tomorrow).")
    #expect(error.data.hint != nil)
    let foreign = try #require(Self.told("<b>\\u001b[2J", 422, "m"))
    #expect(!foreign.message.contains("code"), "\(foreign.message)")
  }

  @Test("SL-1: a hook's words are quoted, escaped and cut")
  func quotesAHook() throws {
    let error = try #require(Self.told("unknown", 403, "You are on \\u001b[2J the block list."))
    #expect(error.kind == .denied)
    #expect(
      error.message == "A hook of the project refused this: \"You are on \\u{1b}[2J the block list.\"")
    let long = try #require(Self.told("unknown", 403, String(repeating: "x", count: 190)))
    #expect(long.message.count < 170 && long.message.contains("xx…"))
  }

  @Test("the second factor that a request needs is exit status 8")
  func needsTheSecondFactor() throws {
    for status in [401, 403, 422] {
      let error = try #require(Self.told("insufficient_aal", status, "AAL2 required"))
      #expect(error.kind == .mfaNeeded)
      #expect(error.data.hint == "ritualctl mfa verify")
    }
  }
}
