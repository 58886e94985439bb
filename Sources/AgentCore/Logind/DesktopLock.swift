import AgentProtocol
import Logging
import SystemSupport

/// `[vault] lock_with_session` (VA-4): the vault follows the lock of the desktop session.
actor DesktopLock {
  private let vault: VaultAccess
  private let isOn: @Sendable () -> Bool
  private let logger: Logger
  private var sessions = DesktopSessions()
  /// What the desktop was last seen to be.
  private var isLocked = false
  /// Whether the vault was locked for it, and not opened for it since.
  private var isFollowed = false
  private var isFollowing = false

  /// `isOn`: what the configuration says now.
  init(_ vault: VaultAccess, isOn: @escaping @Sendable () -> Bool, logger: Logger) {
    self.vault = vault
    self.isOn = isOn
    self.logger = logger
  }

  /// Takes note of what logind said of sessions; `follow` acts on it.
  func note(_ event: LoginEvent) {
    switch event {
    case .sessions(let present): sessions.update(present)
    case .asked(let session, let isLocked): sessions.ask(session, isLocked: isLocked)
    case .goesToSleep, .wokeUp, .missing: return
    }
    isLocked = sessions.isLocked ?? isLocked
  }

  /// Locks or unlocks the vault until it is as the desktop is. What changes meanwhile is followed by the call that is at work.
  func follow() async {
    guard !isFollowing else { return }
    isFollowing = true
    while isLocked != isFollowed, isOn() || !isLocked {
      isFollowed = isLocked
      if isLocked { await lock() } else { await unlock() }
    }
    isFollowing = false
  }

  private func lock() async {
    do {
      try await vault.sessionLocked()
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
