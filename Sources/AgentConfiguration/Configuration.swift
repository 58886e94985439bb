/// The configuration as the agent uses it. A file that is not there is an empty one.
package struct Configuration: Sendable, Equatable {
  package var projects: [String: ProjectConfiguration] = [:]
  package var signIn = SignInConfiguration()
  package var vault = VaultConfiguration()
  package var audit = AuditConfiguration()
  /// `[[policy.rules]]`, in the file's order.
  package var policy: [PolicyRule] = []

  package init() {}
}

/// `[audit]`
package struct AuditConfiguration: Sendable, Equatable {
  /// Days after which a file of the audit log is removed.
  package var keepDays = 90

  package init() {}
}

extension AuditConfiguration {
  /// Takes over what the file says; the schema has checked it.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .whole(let days)? = values["keep_days"] { keepDays = days }
  }
}

/// `[vault]`
package struct VaultConfiguration: Sendable, Equatable {
  /// Seconds without use after which the vault is locked (VA-4); 0 is never.
  package var idleLock = 0
  /// Whether the lock of the desktop session locks the vault.
  package var locksWithSession = false
  /// Whether the service manager keeps a passphrase vault unlocked over a restart of the agent.
  package var staysUnlockedOverRestart = false

  package init() {}

  /// Idle time before locking; nil means never.
  package var idleTime: Duration? { idleLock > 0 ? .seconds(idleLock) : nil }
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
package struct SignInConfiguration: Sendable, Equatable {
  /// How the browser comes back, where the caller does not say: `loopback`, `scheme` or `manual`.
  package var redirect: String
  /// Seconds until a waiting sign-in is told that nothing came (SI-11).
  package var timeout: Int
  /// Password attempts an hour for an account (SI-13).
  package var passwordAttemptsPerHour: Int
  /// `[linking] policy = "confirm"`: a person is asked before a sign-in is merged into an account (LK-2).
  package var confirmsLinks = false

  package init(redirect: String = "loopback", timeout: Int = 60, passwordAttemptsPerHour: Int = 10) {
    (self.redirect, self.timeout, self.passwordAttemptsPerHour) = (redirect, timeout, passwordAttemptsPerHour)
  }
}

extension SignInConfiguration {
  /// Takes over what the file says; the schema has checked it.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .text(let redirect)? = values["redirect"] { self.redirect = redirect }
    if case .whole(let timeout)? = values["timeout"] { self.timeout = timeout }
    if case .whole(let attempts)? = values["password_attempts_per_hour"] { passwordAttemptsPerHour = attempts }
  }
}
