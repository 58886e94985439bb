import AgentProtocol
import Logging

/// `[vault] lock_with_session` (VA-4): the vault follows the lock of the desktop session.
actor DesktopLock {
  private let vault: VaultAccess
  private let isOn: @Sendable () -> Bool
  private let logger: Logger
  private var sessions = DesktopSessions()
  /// What the desktop was last seen to be.
  private var isLocked = false
  /// True while the vault has not followed a lock of the desktop, which may have been unlocked since.
  private var isLockPending = false
  /// True if the vault was locked for the desktop, and not unlocked for it since.
  private var isVaultLocked = false
  private var isFollowing = false

  /// `isOn`: what the configuration says now.
  init(_ vault: VaultAccess, isOn: @escaping @Sendable () -> Bool, logger: Logger) {
    self.vault = vault
    self.isOn = isOn
    self.logger = logger
  }

  /// Takes note of what logind reports of sessions; `follow` acts on it. A lock ends an unlock of the vault that is under way.
  func note(_ event: LoginEvent) {
    switch event {
    case .sessions(let present): sessions.update(present)
    case .asked(let session, let isLocked): sessions.ask(session, isLocked: isLocked)
    case .goesToSleep, .wokeUp, .missing: return
    }
    guard let isLocked = sessions.isLocked, isLocked != self.isLocked else { return }
    self.isLocked = isLocked
    guard isLocked else { return }
    isLockPending = true
    if isOn() { vault.interruptKeyWork() }
  }

  /// Locks or unlocks the vault until it is as the desktop is. What changes meanwhile is followed by the call that is at work.
  func follow() async {
    guard !isFollowing else { return }
    isFollowing = true
    while true {
      if isLockPending, isOn() {
        (isLockPending, isVaultLocked) = (false, true)
        await lock()
      } else if isVaultLocked, !isLocked {
        isVaultLocked = false
        await unlock()
      } else {
        break
      }
    }
    // A lock that ended while the setting was off is not made up for.
    if !isLocked { isLockPending = false }
    isFollowing = false
  }

  private func lock() async {
    do {
      _ = try await vault.lock(.session)
    } catch {
      logger.debug("there is no vault to lock with the session", metadata: ["detail": "\(error.message)"])
    }
  }

  private func unlock() async {
    do {
      try await vault.sessionUnlocked()
    } catch {
      logger.warning("the vault was not opened with the session", metadata: ["detail": "\(error.message)"])
    }
  }
}
