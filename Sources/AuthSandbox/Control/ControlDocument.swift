/// The Markdown document that `GET /sandbox` returns.
enum ControlDocument {
  static let text = """
    # Control API of ritual-sandbox

    All bodies and answers are JSON. The API is open to whoever reaches the loopback port: the sandbox keeps nothing real.

    | request | body | effect |
    |---|---|---|
    | `GET /sandbox/settings` | | all settings |
    | `PATCH /sandbox/settings` | the members to change, null resets an optional one | answers all settings |
    | `GET /sandbox/clock` | | `{"unix_time":…}` |
    | `POST /sandbox/clock` | `{"advance":seconds}` | moves the clock, backwards if negative |
    | `POST /sandbox/faults` | `{"endpoint":…,"fault":…,"count":1}` | places a fault; `"count":"forever"` for all to come |
    | `DELETE /sandbox/faults` | | takes back what has not struck yet |
    | `POST /sandbox/release` | | lets hanging requests go |
    | `GET /sandbox/counters` | | requests by endpoint, refreshes by the SHA-256 of their token, the oldest ancestor presented |
    | `GET /sandbox/requests` | | the last 500 requests, secrets hashed |
    | `GET /sandbox/users` | | users with their sessions |
    | `POST /sandbox/users` | `{"email":…,"password":…,"confirmed":true}` | adds a user |
    | `POST /sandbox/users/{confirm,ban,unban,delete}` | `{"email":…}`, for a ban also `"seconds"` | |
    | `POST /sandbox/revoke` | nothing, or `{"email":…}` | deletes sessions |
    | `POST /sandbox/expire-tokens` | | every access token so far counts as expired |
    | `POST /sandbox/api-refusals` | `{"count":N}` | `/api/v1/guarded` answers 401 N times |
    | `GET /sandbox/mail` | | mails that were not sent, with their codes |
    | `POST /sandbox/id-token` | `{"provider":"google","email":…}`, optional `subject`, `email_verified`, `name`, `nonce`, `audience`, `expires_in`, `bad_signature`, `issuer` | `{"id_token":…}` |
    | `POST /sandbox/accounts` | `{"provider":…,"email":…,"first_name":…,"last_name":…,"email_verified":true}` | adds an account to a consent page |

    ## Faults

    Endpoints: \(SandboxEndpoint.known.map { "`\($0.rawValue)`" }.joined(separator: ", ")). `any` strikes every request,
    `api` all under `/api/v1` and `/rest/v1`. Each request meets at most one fault, the first placed that fits.

    `drop-before`, `drop-after` (the connection ends, before or after the request took effect), `delay-before`, `delay-after`
    (`"seconds"`), `hang`, `hang-after` (until `POST /sandbox/release`), `truncate` (half a body in sound HTTP), `cut` (half a
    body, then the end), `502`, `521` (HTML), `504-after`, `429` (`"retry_after"`), `conflict`, `gateway-401`, `hook-timeout`,
    `paused` (540), `database-down` (500), `invalid-grant` (the shape of servers before v2.164; `"message"`), `error`
    (`"status"`, `"code"`, `"message"`, `"after_commit"`), `answer` (`"status"`, `"body"`, `"content_type"`, `"headers"`,
    `"after_commit"`).

    ## Consent pages

    `GET /provider/{google|apple}/authorize?state=…` shows the page; its form posts to `/provider/{google|apple}/consent`
    (a GET with the same fields does as well): `state`, `account` (a listed address) or `email` (a typed one, made up where it
    is new), `first_name`, `last_name`, `hide_my_email=yes` (Apple), `unverified=yes` (Google), `action=allow|cancel|error`.
    Google answers 302 to `/auth/v1/callback`, Apple 200 with a form (`code`, `state`, and `user` at the first consent) to be
    posted there. `login_hint` in `/authorize` preselects an account; the settings `autoConsentGoogle` and
    `autoConsentApple` answer without a page.

    ## The product's API

    `GET`, `PUT /api/v1/profile`; `GET`, `PATCH`, `POST /rest/v1/profiles?id=eq.UUID` (a table of PostgREST: `id`, `full_name`,
    `email`, `onboarding_complete`; no row until one is made); `/api/v1/echo`; `/api/v1/guarded`; `/api/v1/redirect?to=…&status=302`; `GET /rest/v1/whoami`.

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
