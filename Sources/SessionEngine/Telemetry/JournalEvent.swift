package import Logging

/// The names of what the journal can be asked for (`RITUAL_EVENT=`, docs/systemd.md): stable, whatever the words become.
package enum JournalEvent: String, CaseIterable {
  case auditDamaged = "audit_damaged"
  case ready = "agent_ready"
  case stalled = "agent_stalled"
  case reloaded = "configuration_reloaded"
  case configurationRefused = "configuration_refused"
  case connectionRefused = "connection_refused"
  case refresh = "token_refresh"
  case refreshFailed = "token_refresh_failed"
  case sessionEnded = "session_ended"
  case signIn = "sign_in"
  case signInRefused = "sign_in_refused"
  case vaultDamaged = "vault_damaged"
  case vaultLocked = "vault_locked"
  case vaultRestored = "vault_restored"
  case vaultUnavailable = "vault_unavailable"
  case vaultUnlocked = "vault_unlocked"

  /// Metadata of a log line that has this name.
  package func with(_ metadata: Logger.Metadata = [:]) -> Logger.Metadata {
    metadata.merging(["event": "\(rawValue)"]) { $1 }
  }
}
