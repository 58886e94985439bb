/// The settings of a sandbox. Every member can be changed at run time; `PATCH /sandbox/settings`
/// uses the same names.
public struct SandboxSettings: Codable, Sendable, Equatable {
  /// Lifetime of an access token in seconds; 3600 as on hosted projects.
  public var tokenLifetime = 3600
  /// Seconds for which a refresh token may be reused after its rotation; 10 as on hosted projects.
  public var reuseInterval = 10.0
  /// The rotation algorithm of new sessions. With `v2`, opaque sessions are upgraded at their next
  /// refresh.
  public var refreshAlgorithm = RefreshAlgorithm.v1
  /// The algorithm that signs access tokens. With `hs256` the key set is empty, as on the real
  /// server.
  public var jwtAlgorithm = JWTAlgorithmName.es256
  /// True if a sign-up needs no confirmation by email.
  public var autoconfirm = true
  /// Refuses new users of every kind with 422 `signup_disabled`.
  public var signupDisabled = false
  /// True if sign-in by email and password is enabled.
  public var emailEnabled = true
  /// True if Google is enabled.
  public var googleEnabled = true
  /// True if Apple is enabled.
  public var appleEnabled = true
  /// The other enabled providers by their names, such as `github` or `custom:acme`.
  public var providers: [String] = []
  /// The providers of the form `custom:NAME` that exist but are disabled.
  public var disabledCustomProviders: [String] = []
  /// True if providers of the form `custom:NAME` are enabled.
  public var customProvidersEnabled = true
  /// True if `/otp` accepts an email address.
  public var magicLinkEnabled = true
  /// Lifetime of a code or a link sent by email, in seconds; a day as on hosted projects.
  public var emailCodeLifetime = 86400.0
  /// Minimum number of seconds between two emails of one kind to a user.
  public var emailInterval = 60.0
  /// Number of emails that the project sends in an hour before 429; nil means no limit. A hosted
  /// project without its own mail server has 30 or less.
  public var emailsPerHour: Int?
  /// True if the mail server accepts no email.
  public var mailServerDown = false
  /// True if codes by text message are enabled.
  public var phoneEnabled = false
  /// True if a phone number needs no confirmation.
  public var phoneAutoconfirm = false
  /// Lifetime of a code sent by text message, in seconds.
  public var smsCodeLifetime = 60.0
  /// Minimum number of seconds between two text messages to a user.
  public var smsInterval = 60.0
  /// The project's test numbers, digits without `+`, with their codes. Their codes never expire and
  /// are not used up.
  public var testPhones: [String: String] = [:]
  /// The reason for which the SMS service refuses every text message; nil if it accepts them.
  public var smsFailure: String?
  /// The email domains with single sign-on; SAML is enabled if there is one.
  public var ssoDomains: [String] = []
  /// The domains of `ssoDomains` whose identity provider is disabled.
  public var disabledSSODomains: [String] = []
  /// Time in seconds in which the identity provider's page must be done.
  public var ssoRelayLifetime = 120.0
  /// Lifetime in seconds that an identity provider gives to a session that is not begun with PKCE.
  public var ssoSessionLifetime = 28800.0
  /// Whether the project demands a CAPTCHA, and whether the CAPTCHA service answers.
  public var captcha = CaptchaMode.off
  /// The only token that the CAPTCHA service accepts.
  public var captchaToken = "sandbox-captcha"
  /// True if `POST /signup` without an address creates an anonymous user.
  public var anonymousEnabled = false
  /// True if identities can be linked and unlinked manually; false as on a new project (404
  /// `manual_linking_disabled`).
  public var manualLinking = false
  /// Minimum number of characters; shorter passwords fail with 422 `weak_password`.
  public var minimumPasswordLength = 6
  /// Sets of characters of which a password needs one each.
  public var passwordCharacterSets: [String] = []
  /// True if a new password in a session older than a day needs a code by email or text message.
  public var passwordNeedsReauthentication = false
  /// True if a new password needs the present one.
  public var passwordNeedsCurrent = false
  /// Maximum lifetime of a session in seconds; nil means no limit.
  public var sessionTimebox: Double?
  /// Maximum time without a refresh in seconds, after which a session ends; nil means no limit.
  public var inactivityTimeout: Double?
  /// Time in seconds within which a user with a second factor must verify it in a new session; nil
  /// means no limit. It shortens `expires_in`.
  public var lowAssuranceLimit: Double?
  /// True if only the newest session of a user can be refreshed. The older ones work again when it
  /// has ended.
  public var singleSession = false
  /// True if TOTP factors can be added.
  public var mfaTOTPEnroll = true
  /// True if TOTP factors can be verified.
  public var mfaTOTPVerify = true
  /// True if phone factors can be added; false as on a new project.
  public var mfaPhoneEnroll = false
  /// True if phone factors can be verified.
  public var mfaPhoneVerify = false
  /// Maximum number of a user's factors.
  public var maximumFactors = 10
  /// Lifetime of a challenge in seconds.
  public var challengeLifetime = 300.0
  /// The client's IP address as the server sees it. A challenge works only from the address that
  /// asked for it. The header `X-Forwarded-For` has precedence.
  public var clientAddress = "127.0.0.1"
  /// The words with which a hook rejects every sign-in with a password; nil means no hook.
  public var passwordHookRejection: String?
  /// The words with which a hook rejects every verification of a factor; nil means no hook. A
  /// rejection deletes all sessions of the user.
  public var mfaHookRejection: String?
  /// The failure of the project's hook for access tokens.
  public var accessTokenHook = AccessTokenHook.off
  /// The words of the hook that refuses.
  public var hookMessage = "You are on the block list."
  /// Seconds between `iat` and `exp` by a hook; `expires_in` is unchanged. Nil means no such hook.
  public var hookTokenLifetime: Int?
  /// The claims that a hook adds to access tokens.
  public var hookClaims: [String: String] = [:]
  /// Globs of accepted `redirect_to` URLs: `*` stops at `.` and `/`, `**` does not.
  public var redirectAllowList = ["dailyritual://auth-callback**"]
  /// SITE_URL; nil means the sandbox's own front page.
  public var siteURL: String?
  /// Seconds added to the `Date` header.
  public var dateHeaderShift = 0
  /// Seconds added to `expires_at`; the token's `exp` is unchanged.
  public var expiresAtShift = 0
  /// Number of fraction digits (0 to 9) in timestamps; nil means up to nine, without trailing
  /// zeros.
  public var timestampDigits: Int?
  /// Number of requests to `/token` that an address may send at once before 429, and likewise of
  /// challenges and verifications of factors; nil means no limit. The real server has 30.
  public var rateLimitBurst: Int?
  /// True if the gateway requires a key (header or query parameter `apikey`).
  public var requiresAPIKey = true
  /// True if only `advanceClock(by:)` moves the clock.
  public var frozenClock = false
  /// The account (an email address) with which Google's consent page answers at once; nil shows the
  /// page.
  public var autoConsentGoogle: String?
  /// The account (an email address) with which Apple's consent page answers at once; nil shows the
  /// page.
  public var autoConsentApple: String?
  /// The accounts (email addresses) with which the consent pages of other providers answer at once,
  /// by the provider's name.
  public var autoConsent: [String: String] = [:]
  /// The HTML of the project's own sign-in page at `/sign-in-page`; nil for none.
  public var signInPage: String?

  /// Creates settings with the default of each member.
  public init() {}
}

/// The rotation algorithm of refresh tokens.
public enum RefreshAlgorithm: String, Codable, Sendable, CaseIterable {
  /// Opaque rows of 12 characters. The parent of the active token may be reused; reuse of an older
  /// token after the interval revokes the family.
  case v1
  /// A signed counter of about 51 characters. Reuse of a token older than the last one, after the
  /// interval, deletes the session.
  case v2
}

/// The algorithm that signs access tokens.
public enum JWTAlgorithmName: String, Codable, Sendable, CaseIterable {
  /// A key of the published set.
  case es256 = "ES256"
  /// The project's secret; no key is published.
  case hs256 = "HS256"
}

/// The failure of a hook that runs whenever an access token is made. The refresh token is not used
/// up by it.
public enum AccessTokenHook: String, Codable, Sendable, CaseIterable {
  /// No failure.
  case off
  /// 403 with code `unknown` and the text of `hookMessage`.
  case refuses
  /// 500, because claims are missing.
  case invalidClaims
  /// 500 with a code of PostgreSQL.
  case raises
  /// 500, because the hook did not answer in time; the sandbox answers at once.
  case slow
  /// 500, because there is no such function.
  case missing
}

/// Whether a project demands a CAPTCHA.
public enum CaptchaMode: String, Codable, Sendable, CaseIterable {
  /// No CAPTCHA.
  case off
  /// Sign-in requests need a token of the CAPTCHA service.
  case on
  /// Sign-in requests need a token, and the CAPTCHA service does not answer.
  case down
}

/// A provider that the sandbox imitates, by the name that Supabase Auth uses.
public struct SandboxProvider: RawRepresentable, Hashable, Sendable, Codable {
  /// The name, such as `github`.
  public let rawValue: String

  /// Creates a provider from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Google, which answers with a redirect.
  public static let google = SandboxProvider(rawValue: "google")
  /// Apple, which answers with a form that submits itself.
  public static let apple = SandboxProvider(rawValue: "apple")
}

/// An error of the sandbox itself. Errors are equal if their codes are.
public struct SandboxError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Sendable {
    /// The port is in use or cannot be bound.
    case cannotListen
    /// No user has that email address.
    case unknownUser
  }

  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy.
  public let message: String
  /// The underlying error, if any.
  public let cause: (any Error)?

  /// The message.
  public var description: String { message }

  /// True if the codes are equal.
  public static func == (left: SandboxError, right: SandboxError) -> Bool { left.code == right.code }
}

/// The content of an identity token. The defaults make a token that is accepted.
public struct IDTokenRequest: Sendable, Codable {
  /// The issuing provider.
  public var provider: SandboxProvider
  /// The email address; nil for none.
  public var email: String?
  /// The provider's subject; nil means that of the provider's account with that address, or a
  /// random one.
  public var subject: String?
  /// The `email_verified` claim.
  public var emailVerified = true
  /// The `name` claim; nil for none.
  public var name: String?
  /// The `nonce` claim as it appears in the token: for Supabase, the hexadecimal SHA-256 of the raw
  /// nonce.
  public var nonce: String?
  /// The `aud` claim; nil means a client ID that the project accepts.
  public var audience: String?
  /// Seconds until `exp`, by the sandbox's clock; negative for an expired token.
  public var expiresIn = 3600
  /// True to sign with an unknown key.
  public var badSignature = false
  /// The `iss` claim; nil means the provider's own issuer.
  public var issuer: String?

  /// Creates a request for a token that is accepted.
  public init(provider: SandboxProvider, email: String?) {
    (self.provider, self.email) = (provider, email)
  }
}
