import SessionVault
import SystemSupport

/// `[vault] keep_unlocked_over_restart` (VA-4).
extension VaultAccess {
  /// Keeps the key that has opened the vault, if that is wanted, and if a start would not open it by itself.
  func keepForRestart(_ key: ProvenKey, _ attached: AttachedVault) {
    guard staysUnlocked(), !attached.vault.condition.opensByFile else { return }
    restartKey?.keep(key)
  }

  /// The configuration was read again: what is not wanted any more is forgotten. What is wanted from now on begins with the next
  /// `unlock`, for the key is not here.
  func settingsChanged() {
    if !staysUnlocked() { restartKey?.forget("keep_unlocked_over_restart is off") }
  }

  /// A kept key whose slot is gone opens nothing.
  func keysChanged(_ attached: AttachedVault) { restartKey?.keepOnly(attached.vault.condition.keys.map(\.id)) }

  /// What of the configuration has no effect.
  func restartComplaint() -> String? {
    guard staysUnlocked(), let restartKey, let obstacle = restartKey.obstacle else { return nil }
    return "keep_unlocked_over_restart has no effect: \(obstacle)"
  }
}
