import SystemSupport

/// The configuration as the agent uses it. A file that is not there is an empty one.
struct Configuration: Sendable, Equatable {
  var projects: [String: ProjectConfiguration] = [:]
  var signIn = SignInConfiguration()
  var vault = VaultConfiguration()
  var audit = AuditConfiguration()
  /// `[[policy.rules]]`, in the file's order.
  var policy: [PolicyRule] = []
}

/// `[audit]`
struct AuditConfiguration: Sendable, Equatable {
  /// Days after which a file of the audit log is removed.
  var keepDays = 90
}

extension AuditConfiguration {
  /// Takes over what the file says; the schema has checked it.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .whole(let days)? = values["keep_days"] { keepDays = days }
  }
}

/// `[vault]`
struct VaultConfiguration: Sendable, Equatable {
  /// Seconds without use after which the vault is locked (VA-4); 0 is never.
  var idleLock = 0
  /// Whether the lock of the desktop session locks the vault.
  var locksWithSession = false
  /// Whether the service manager keeps a passphrase vault unlocked over a restart of the agent.
  var staysUnlockedOverRestart = false

  /// The same; nil for never.
  var idleTime: Duration? { idleLock > 0 ? .seconds(idleLock) : nil }
}

extension VaultConfiguration {
  /// Takes over what the file says; the schema has checked it.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .whole(let seconds)? = values["idle_lock"] { idleLock = seconds }
    if case .truth(let locks)? = values["lock_with_session"] { locksWithSession = locks }
    if case .truth(let stays)? = values["keep_unlocked_over_restart"] { staysUnlockedOverRestart = stays }
  }
}

/// `[sign_in]`
struct SignInConfiguration: Sendable, Equatable {
  /// How the browser comes back, where the caller does not say: `loopback`, `scheme` or `manual`.
  var redirect = "loopback"
  /// Seconds until a waiting sign-in is told that nothing came (SI-11).
  var timeout = 60
  /// Password attempts an hour for an account (SI-13).
  var passwordAttemptsPerHour = 10
  /// `[linking] policy = "confirm"`: a person is asked before a sign-in is merged into an account (LK-2).
  var confirmsLinks = false
}

extension SignInConfiguration {
  /// Takes over what the file says; the schema has checked it.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .text(let redirect)? = values["redirect"] { self.redirect = redirect }
    if case .whole(let timeout)? = values["timeout"] { self.timeout = timeout }
    if case .whole(let attempts)? = values["password_attempts_per_hour"] { passwordAttemptsPerHour = attempts }
  }
}
