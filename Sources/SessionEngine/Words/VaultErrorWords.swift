package import AgentProtocol
import SessionVault

extension AgentError {
  /// What the user is told where the vault failed: the fixed words, and the vault's own remedy as the next step.
  package static func from(vault error: any Error) -> AgentError {
    guard let error = error as? VaultError else { return AgentError(.vaultUnavailable) }
    switch error.code {
    case .locked: return AgentError(.vaultLocked)
    // What was asked for does not fit: the vault's own sentence says how.
    case .invalidKey, .keyKnown, .noSuchKey, .keyLimit: return AgentError(.invalidParams, sentence(error.message))
    case .changedMeanwhile: return AgentError(.tooMany, sentence(error.message))
    default: return AgentError(kind(of: error.code), hint: error.message)
    }
  }

  private static func kind(of code: VaultError.Code) -> ErrorKind {
    switch code {
    case .wrongKey, .keyMissing, .keysNeeded: .wrongKey
    case .damaged: .vaultDamaged
    case .diskFull: .storageFull
    case .formatTooNew: .formatTooNew
    default: .vaultUnavailable
    }
  }

  private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() + "." }
}
