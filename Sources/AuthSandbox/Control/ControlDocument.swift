/// The Markdown document that `GET /sandbox` returns.
enum ControlDocument {
  static let text = """
    # Control API of ritual-sandbox

    Requests and responses are JSON. Any local program can use this API, because the sandbox stores no
    real data.

    | request | body | effect |
    |---|---|---|
    | `GET /sandbox/settings` | | all settings |
    | `PATCH /sandbox/settings` | the settings to change; null resets an optional one | returns all settings |
    | `GET /sandbox/clock` | | `{"unix_time":…}` |
    | `POST /sandbox/clock` | `{"advance":seconds}` | advances the clock; a negative number sets it back |
    | `POST /sandbox/faults` | `{"endpoint":…,"fault":…,"count":1}` | injects a fault; `"count":"forever"` for every later request |
    | `DELETE /sandbox/faults` | | removes the faults that have not occurred yet |
    | `POST /sandbox/release` | | completes the hanging requests |
    | `GET /sandbox/counters` | | requests by endpoint and by path (1,000 paths at most), refreshes by the SHA-256 of their token, the oldest ancestor that was used |
    | `GET /sandbox/requests` | | the last 500 requests, secrets hashed |
    | `GET /sandbox/users` | | users with their sessions |
    | `POST /sandbox/users` | `{"email":…,"password":…,"confirmed":true}` | adds a user |
    | `POST /sandbox/users/{confirm,ban,unban,delete}` | `{"email":…}`, for a ban also `"seconds"` | changes or deletes a user |
    | `POST /sandbox/revoke` | empty, or `{"email":…}` | deletes all sessions, or those of one user |
    | `POST /sandbox/expire-tokens` | | expires every access token issued so far |
    | `GET /sandbox/mail` | | the emails and text messages that a real server would have sent, the newest last: `to`, `subject`, `type`, `code`, `link`, `at` |
    | `GET /sandbox/factors` | | the second factors of all users: `id`, `email`, `type`, `name`, `phone`, `isVerified`, for TOTP `secret` and `code` |
    | `POST /sandbox/factors` | `{"email":…}`, optionally `name`, and `phone` (digits without `+`) for a phone factor, or `passkey` (boolean) for a passkey, which the sandbox does not verify | adds a verified factor; no session ends |
    | `GET /sandbox/totp?factor=ID` | | the TOTP factor with the `code` of this moment |
    | `POST /sandbox/id-token` | `{"provider":"google","email":…}`, optionally `subject`, `email_verified`, `name`, `nonce`, `audience`, `expires_in`, `bad_signature`, `issuer` | `{"id_token":…}` |
    | `POST /sandbox/accounts` | `{"provider":…,"email":…,"first_name":…,"last_name":…,"email_verified":true}` | adds an account to a consent page |

    ## Faults

    Endpoints: \(SandboxEndpoint.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")). `any` matches every
    request, `api` every path under `/api/v1` and `/rest/v1`. At most one fault applies to a request: the oldest that
    matches.

    `drop-before`, `drop-after` (the connection closes before or after the request takes effect), `delay-before`, `delay-after`
    (`"seconds"`), `hang`, `hang-after` (until `POST /sandbox/release`), `truncate` (half of the body, in valid HTTP), `cut` (half of the
    body, then the connection closes), `502`, `521` (HTML), `504-after`, `429` (`"retry_after"`), `conflict`, `gateway-401`, `hook-timeout`,
    `paused` (540), `database-down` (500), `invalid-grant` (the shape of servers before v2.164; `"message"`), `error`
    (`"status"`, `"code"`, `"message"`, `"after_commit"`), `answer` (`"status"`, `"body"`, `"content_type"`, `"headers"`,
    `"after_commit"`).

    ## Providers and consent pages

    Google and Apple are enabled by `googleEnabled` and `appleEnabled`, every other provider by its name in `providers`, such as
    `["github","custom:acme"]`.

    `GET /provider/NAME/authorize?state=…` shows the page; its form posts to `/provider/NAME/consent`
    (or a GET with the same fields): `state`, `account` (the email address of a listed account) or `email`
    (any email address; an unknown one creates an account), `first_name`, `last_name`, `hide_my_email=yes` (Apple), `unverified=yes`
    (the others), `action=allow|cancel|error`. Apple responds with 200 and a form (`code`, `state`, and `user` at the first
    consent) that posts to `/auth/v1/callback`, the others with 302 to it. `login_hint` in `/authorize` preselects an account; the
    settings `autoConsentGoogle`, `autoConsentApple` and `autoConsent` (`{"github":"anna@example.org"}`) skip the page.

    ## Codes by email and text message

    `POST /otp`, `/verify`, `/resend`, `/recover` and address changes put their messages into `GET /sandbox/mail`. An email has a
    code of six digits and a link; a text message has a code. Settings: `autoconfirm`, `magicLinkEnabled`, `emailCodeLifetime`,
    `emailInterval` (60 s between two emails), `emailsPerHour`, `mailServerDown`; `phoneEnabled`, `phoneAutoconfirm`,
    `smsCodeLifetime`, `smsInterval`, `smsFailure`, `testPhones` (`{"4915112345601":"123456"}`).

    ## Second factors

    `POST /factors`, `/factors/ID/challenge`, `/factors/ID/verify` and `DELETE /factors/ID` (endpoints `factors.enroll`,
    `factors.challenge`, `factors.verify`, `factors.remove`; `factors` for all). A TOTP factor's code is in
    `GET /sandbox/totp`, a phone factor's in `GET /sandbox/mail` (or in `testPhones`). A verification issues new tokens and
    deletes every session of the user at aal1. Settings: `mfaTOTPEnroll`, `mfaTOTPVerify`, `mfaPhoneEnroll`, `mfaPhoneVerify`,
    `maximumFactors`, `challengeLifetime` (300 s), `clientAddress` (the IP address to which a challenge is bound; the header
    `X-Forwarded-For` has precedence), `mfaHookRejection` (a hook's words; each attempt deletes all sessions of the user).

    ## Session rules and hooks

    `sessionTimebox`, `inactivityTimeout`, `lowAssuranceLimit` (seconds; the last one shortens `expires_in` until a factor is
    verified), `singleSession` (the older sessions work again when the newest has ended). `accessTokenHook` is `off`,
    `refuses` (403 `unknown` with the words of `hookMessage`), `invalidClaims`, `raises`, `slow` or `missing` (500).
    `hookTokenLifetime` sets `exp` and leaves `expires_in` unchanged; `hookClaims` (`{"plan":"pro"}`) adds claims.
    `passwordHookRejection` is the words with which a hook rejects every sign-in with a password.

    ## Single sign-on

    The setting `ssoDomains` lists the domains; `disabledSSODomains` those whose identity provider is disabled. The page
    `/idp/DOMAIN/sso` posts `RelayState`, `email`, `name` and `action=allow|cancel` to itself and answers with a form for
    `/auth/v1/sso/saml/acs`. The page must be done within `ssoRelayLifetime` (120 s). Errors end at the Site URL.

    ## CAPTCHA

    The setting `captcha` is `off`, `on` or `down` (the CAPTCHA service does not answer). The accepted token is `captchaToken`.

    ## The project's own sign-in page

    `/sign-in-page` serves the HTML of the setting `signInPage`, or of the file named by `--sign-in-page`. The
    texts `https://PROJECT.supabase.co` and `"KEY"` in it are replaced by the sandbox's URL and key.

    ## Profile and test APIs

    `GET`, `PUT /api/v1/profile`; `GET`, `PATCH`, `POST /rest/v1/profiles?id=eq.UUID` (a table of PostgREST: `id`, `full_name`,
    `email`, `onboarding_complete`; no row until it is created); `/api/v1/echo`; `/api/v1/guarded`; `GET /rest/v1/whoami`.

    ## Services behind the gateway

    Each checks `apikey` and the token, with its own errors.

    | path | look-alike of |
    |---|---|
    | `/rest/v1/todos` | PostgREST: the caller's rows, with `id`, `user_id`, `title`, `is_done`, `inserted_at`; filters `eq.` and `is.`, `limit`, `offset` |

    """
}

extension SandboxSettings {
  /// The names of all settings, including optional ones, which the encoder omits when nil.
  static let names: [String] = Mirror(reflecting: SandboxSettings()).children.compactMap(\.label)
}
