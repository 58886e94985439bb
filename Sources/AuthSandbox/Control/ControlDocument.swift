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
    | `GET /sandbox/counters` | | requests by endpoint, refreshes by the SHA-256 of their token, the oldest ancestor that was used |
    | `GET /sandbox/requests` | | the last 500 requests, secrets hashed |
    | `GET /sandbox/users` | | users with their sessions |
    | `POST /sandbox/users` | `{"email":…,"password":…,"confirmed":true}` | adds a user |
    | `POST /sandbox/users/{confirm,ban,unban,delete}` | `{"email":…}`, for a ban also `"seconds"` | changes or deletes a user |
    | `POST /sandbox/revoke` | empty, or `{"email":…}` | deletes all sessions, or those of one user |
    | `POST /sandbox/expire-tokens` | | expires every access token issued so far |
    | `POST /sandbox/api-refusals` | `{"count":N}` | `/api/v1/guarded` answers 401 N times |
    | `GET /sandbox/mail` | | the emails that a real server would have sent, with their codes |
    | `POST /sandbox/id-token` | `{"provider":"google","email":…}`, optionally `subject`, `email_verified`, `name`, `nonce`, `audience`, `expires_in`, `bad_signature`, `issuer` | `{"id_token":…}` |
    | `POST /sandbox/accounts` | `{"provider":…,"email":…,"first_name":…,"last_name":…,"email_verified":true}` | adds an account to a consent page |

    ## Faults

    Endpoints: \(SandboxEndpoint.known.map { "`\($0.rawValue)`" }.joined(separator: ", ")). `any` matches every
    request, `api` every path under `/api/v1` and `/rest/v1`. At most one fault applies to a request: the oldest that
    matches.

    `drop-before`, `drop-after` (the connection closes before or after the request takes effect), `delay-before`, `delay-after`
    (`"seconds"`), `hang`, `hang-after` (until `POST /sandbox/release`), `truncate` (half of the body, in valid HTTP), `cut` (half of the
    body, then the connection closes), `502`, `521` (HTML), `504-after`, `429` (`"retry_after"`), `conflict`, `gateway-401`, `hook-timeout`,
    `paused` (540), `database-down` (500), `invalid-grant` (the shape of servers before v2.164; `"message"`), `error`
    (`"status"`, `"code"`, `"message"`, `"after_commit"`), `answer` (`"status"`, `"body"`, `"content_type"`, `"headers"`,
    `"after_commit"`).

    ## Consent pages

    `GET /provider/{google|apple}/authorize?state=…` shows the page; its form posts to `/provider/{google|apple}/consent`
    (or a GET with the same fields): `state`, `account` (a listed address) or `email` (a typed one; an unknown
    one creates an account), `first_name`, `last_name`, `hide_my_email=yes` (Apple), `unverified=yes` (Google), `action=allow|cancel|error`.
    Google responds with 302 to `/auth/v1/callback`, Apple with 200 and a form (`code`, `state`, and `user` at the first
    consent) that posts there. `login_hint` in `/authorize` preselects an account; the settings `autoConsentGoogle` and
    `autoConsentApple` skip the page.

    ## The product's API

    `GET`, `PUT /api/v1/profile`; `GET`, `PATCH`, `POST /rest/v1/profiles?id=eq.UUID` (a table of PostgREST: `id`, `full_name`,
    `email`, `onboarding_complete`; no row until it is created); `/api/v1/echo`; `/api/v1/guarded`; `/api/v1/redirect?to=…&status=302`; `GET /rest/v1/whoami`.

    """
}

extension SandboxEndpoint {
  /// All endpoints on which a fault can be placed.
  static let known: [SandboxEndpoint] = [
    .any, .signUp, .token, .password, .refresh, .pkce, .idToken, .user, .logout, .authorize, .callback, .verify,
    .identities, .admin, .settings, .health, .jwks, .provider, .api, .profile, .profiles, .echo, .guarded, .redirect,
    .whoami,
    .other,
  ]
}

extension SandboxSettings {
  /// The names of all settings, including optional ones, which the encoder omits when nil.
  static let names: [String] = Mirror(reflecting: SandboxSettings()).children.compactMap(\.label)
}
