import ServiceLifecycle
import SessionEngine
import SessionVault
import SystemSupport

/// Locks the vault when no token was used for as long as the configuration says (VA-4). Only a vault that a person has to
/// unlock: a key file or credential would open it again for every program of the user.
struct IdleLock: Service {
  private let access: VaultAccess
  private let clock: any AgentClock

  init(_ access: VaultAccess, clock: any AgentClock) {
    self.access = access
    self.clock = clock
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        // Recomputed at least every 30 s: the configuration may have changed.
        let latest = clock.now.advanced(by: .seconds(30))
        let next = await access.lockIfIdle()
        try? await clock.sleep(until: min(next ?? latest, latest))
      }
    }
  }
}

extension VaultAccess {
  /// Locks the vault if it is time.
  ///
  /// - Returns: when it will be time, as far as is known now.
  func lockIfIdle() async -> BootTime? {
    restartKey?.note(used: accounts.tokens.used)
    guard let idleTime = idleTime(), state.isOpen, let vault = try? attached.get().vault, !vault.condition.opensByFile
    else { return nil }
    let due = accounts.tokens.used.advanced(by: idleTime)
    guard due <= clock.now else { return due }
    _ = try? await lock(.idle)
    return nil
  }
}
