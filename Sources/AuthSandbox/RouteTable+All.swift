/// All routes of the sandbox, except the control API.
extension RouteTable {
  static let all = RouteTable(routes: authRoutes + pageRoutes + apiRoutes)

  private static let authRoutes: [Route] = [
    Route("POST", "/auth/v1/signup", .signUp) { try await $0.signUp($1) },
    Route("POST", "/auth/v1/token", .token) { try await $0.token($1) },
    Route("GET", "/auth/v1/user", .user) { try await $0.readUser($1) },
    Route("PUT", "/auth/v1/user", .user) { try await $0.updateUser($1) },
    Route("POST", "/auth/v1/logout", .logout) { try await $0.logout($1) },
    Route("GET", "/auth/v1/authorize", .authorize) { try $0.authorize($1) },
    Route("GET", "/auth/v1/callback", .callback) { try await $0.callback($1.query) },
    Route("POST", "/auth/v1/callback", .callback) { try await $0.callback($1.form) },
    Route("GET", "/auth/v1/user/identities/authorize", .identities) { try await $0.authorizeLink($1) },
    Route("DELETE", "/auth/v1/user/identities/*", .identities) { try await $0.unlink($1) },
    Route("GET", "/auth/v1/verify", .verify) { try await $0.verifyInBrowser($1) },
    Route("POST", "/auth/v1/verify", .verify) { try await $0.verify($1) },
    Route("POST", "/auth/v1/recover", .verify) { try $0.recover($1) },
    Route("POST", "/auth/v1/otp", .otp) { try $0.sendCode($1) },
    Route("POST", "/auth/v1/magiclink", .otp) { try $0.sendCode($1) },
    Route("POST", "/auth/v1/resend", .resend) { try $0.resend($1) },
    Route("GET", "/auth/v1/reauthenticate", .reauthenticate) { try await $0.reauthenticate($1) },
    Route("POST", "/auth/v1/sso", .sso) { try $0.startSSO($1) },
    Route("POST", "/auth/v1/sso/saml/acs", .saml) { try await $0.acceptAssertion($1) },
    Route("POST", "/auth/v1/factors", .enroll) { try await $0.enrollFactor($1) },
    Route("POST", "/auth/v1/factors/*/challenge", .challenge) { try await $0.challengeFactor($1) },
    Route("POST", "/auth/v1/factors/*/verify", .verifyFactor) { try await $0.verifyFactor($1) },
    Route("DELETE", "/auth/v1/factors/*", .removeFactor) { try await $0.removeFactor($1) },
    Route("POST", "/auth/v1/passkeys/authentication/options", .other) { _, _ in throw Backend.noPasskeys },
    Route("DELETE", "/auth/v1/admin/users/*", .admin) { try await $0.adminDeleteUser($1) },
    Route("GET", "/auth/v1/settings", .settings) { backend, _ in backend.projectSettings() },
    Route("GET", "/auth/v1/health", .health) { backend, _ in backend.health() },
    Route("GET", "/auth/v1/.well-known/jwks.json", .jwks) { backend, _ in backend.keySet() },
  ]

  private static let pageRoutes: [Route] = [
    Route("GET", "/", .other) { $0.frontPage($1) },
    Route("GET", "/sign-in-page", .other) { backend, _ in backend.signInPage() },
    Route("GET", "/idp/*/sso", .provider) { try $0.identityProviderPage($1) },
    Route("POST", "/idp/*/sso", .provider) { try $0.answerIdentityProvider($1) },
    Route("GET", "/provider/*/authorize", .provider) { try $0.consentPage($1) },
    Route("GET", "/provider/*/consent", .provider) { try $0.answerConsent($1, fields: $1.query) },
    Route("POST", "/provider/*/consent", .provider) { try $0.answerConsent($1, fields: $1.form) },
  ]

  private static let apiRoutes: [Route] = [
    Route("GET", "/api/v1/profile", .profile) { try $0.readProfile($1) },
    Route("PUT", "/api/v1/profile", .profile) { try $0.updateProfile($1) },
    Route("*", "/api/v1/echo", .echo) { $0.echo($1) },
    Route("*", "/api/v1/guarded", .guarded) { try $0.guarded($1) },
    Route("GET", "/rest/v1/whoami", .whoami) { try $0.whoAmI($1) },
    Route("GET", "/rest/v1/profiles", .profiles) { try $0.readRows($1) },
    Route("PATCH", "/rest/v1/profiles", .profiles) { try $0.changeRows($1) },
    Route("POST", "/rest/v1/profiles", .profiles) { try $0.addRows($1) },
    Route("GET", "/rest/v1/todos", .todos) { try $0.readRows($1) },
    Route("POST", "/rest/v1/todos", .todos) { try $0.addRows($1) },
    Route("PATCH", "/rest/v1/todos", .todos) { try $0.changeRows($1) },
    Route("DELETE", "/rest/v1/todos", .todos) { try $0.deleteRows($1) },
  ]
}
