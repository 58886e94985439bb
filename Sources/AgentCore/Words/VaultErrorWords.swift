import AgentProtocol
import SessionVault

extension AgentError {
  /// What the user is told where the vault failed: the fixed words, and the vault's own remedy as the next step.
  static func from(vault error: any Error) -> AgentError {
    guard let error = error as? VaultError else { return AgentError(.vaultUnavailable) }
    return AgentError(kind(of: error.code), hint: error.message)
  }

  private static func kind(of code: VaultError.Code) -> ErrorKind {
    switch code {
    case .locked: .vaultLocked
    case .wrongKey, .keyMissing: .wrongKey
    case .damaged: .vaultDamaged
    case .diskFull: .storageFull
    case .formatTooNew: .formatTooNew
    default: .vaultUnavailable
    }
  }
}
