package import AgentProtocol
package import SupabaseAuth

/// What happened to sessions and accounts. It holds no e-mail address and no token.
///
/// Reported synchronously to a closure that only changes memory, so that the audit log and the counters miss no fact.
package enum EngineFact: Sendable {
  case signedIn(account: String, project: String, provider: Provider)
  case signedOut(account: String, scope: SignOutScope)
  /// The server ended the session; `reason` is in our own words.
  case sessionEnded(account: String, reason: String)
  /// The user accepted another origin of the API for the account's token.
  case apiAccepted(account: String, origin: String)
  case identity(LinkNotice)
  /// The user answered a decision of the kind `newAccount`, `link` …
  case decided(account: String, kind: String, accepted: Bool)
  case counted(TelemetryEvent)
  /// `outcome` is one of the words of `RefreshOutcome.summary`.
  case refreshEnded(outcome: String, error: ErrorKind?)
}
