package import AgentProtocol
import Logging
package import SupabaseAuth
import SystemSupport

/// Locking and unlocking of the sessions. `VaultAccess` drives it.
extension Accounts {
  /// Returns when the actor has run the calls before this one. For the watchdog.
  package func respond() {}

  /// - Throws: `vaultLocked` from the start of a lock, or the reason why the vault cannot be
  ///   opened.
  package func requireOpen() throws(AgentError) {
    _ = try store()
    guard lockState.isOpen else { throw AgentError(.vaultLocked) }
  }

  /// Maps the error of a request: `vaultLocked` if a lock cancelled the request.
  package func explained(_ error: AuthError, _ account: String) -> AgentError {
    guard error.code == .cancelled, !lockState.isOpen else { return AgentError.from(error, account: account) }
    return AgentError(.vaultLocked, account: account)
  }

  /// Starts a lock: no more tokens are issued, all waiting callers fail, and no new work begins.
  package func beginLock() {
    guard lockState.isOpen else { return }
    lockState = .closing
    tokens.withdrawAll()
    waiters.resumeAll(returning: .failure(AgentError(.vaultLocked)))
    wake.signal()
  }

  /// Returns when every sent refresh and every sign-in has ended and is stored, or after
  /// `stopWaitingForResponses`.
  package func waitForResponses() async {
    guard isBusy else { return }
    try? await idleWaiters.wait()
  }

  package func stopWaitingForResponses() { idleWaiters.resumeAll() }

  func resumeIdleWaiters() {
    if !idleWaiters.isEmpty, !isBusy { idleWaiters.resumeAll() }
    if !landingWaiters.isEmpty, !isRefreshInFlight, !isWritingForSleep { landingWaiters.resumeAll() }
  }

  private var isBusy: Bool { !signIns.isEmpty || isRefreshInFlight }

  /// True if a sent refresh or verification has not been answered and stored.
  var isRefreshInFlight: Bool { accounts.values.contains { $0.flight != nil || $0.verification != nil } }

  /// Retries the writes that failed, before the memory is lost in a lock or a stop. Without the newest
  /// token in the vault, the next refresh sends the previous token.
  package func writeUnsaved() async {
    for name in accounts.keys.sorted() where accounts[name]?.unsaved != nil {
      await retryStore(name)
      guard accounts[name]?.unsaved != nil else { continue }
      logger.error("a refreshed session is not stored", metadata: ["account": "\(name)"])
    }
    for record in unwritten { await write(record) }
    await revocations.writeUnsaved()
  }

  private func write(_ record: UnwrittenRecord) async {
    switch record {
    case .account(let name): await rewrite(name)
    case .person(let name):
      if people[name] == nil { unwritten.remove(record) }
      try? await commit(name) { draft throws(AgentError) in draft.person = people[name] }
    case .settings: try? await changeSettings(isKept: true) { _ in }
    }
  }

  private var hasUnsaved: Bool {
    !unwritten.isEmpty || accounts.values.contains { $0.unsaved != nil }
  }

  /// Notifies subscribers that the vault and every account are locked.
  package func tellLocked(_ reason: String) {
    events.publish(.vaultLocked, at: clock.wall, reason: reason)
    for status in list() {
      events.publish(.stateChanged, at: clock.wall, account: status.name, status: status, reason: reason)
    }
  }

  /// Notifies subscribers that the sessions are in memory again.
  package func tellUnlocked() {
    events.publish(.vaultUnlocked, at: clock.wall)
    for name in accounts.keys.sorted() { tell(.stateChanged, name, reason: "unlocked") }
  }

  /// Stores the names outside the vault. They are for display, so a failed write is only logged.
  func rememberNames() async {
    do {
      try await store().remember(
        KnownAccounts(names: accounts.keys.sorted(), defaultAccount: settings.defaultAccount))
    } catch {
      logger.warning("the account names could not be saved", metadata: ["detail": "\(error)"])
    }
  }
}

// MARK: - Copied vaults

extension Accounts {
  /// Whether the session is also used by another machine. True for the sessions of a copied
  /// vault, except those signed in on this machine. Also true for a session that was signed in on
  /// the copy, once that copy is back on the vault's own machine.
  func isCopied(_ account: Account) -> Bool {
    guard let session = account.session else { return false }
    return session.machine.map { $0 != machine.machineTag } ?? machine.isCopy
  }

  /// Makes the sessions this machine's own. The vault's header has already been changed.
  ///
  /// - Returns: The accounts that were suspended.
  package func adoptCopied() async -> [String] {
    machine.isCopy = false
    var adopted: [String] = []
    for name in accounts.keys.sorted() where accounts[name]?.session != nil {
      let wasCopied = try? await commit(name) { draft throws(AgentError) in takeOver(&draft) }
      if wasCopied == true { adopted.append(name) }
    }
    return adopted
  }

  /// Adopts one session.
  ///
  /// - Returns: Whether the session was suspended.
  private func takeOver(_ draft: inout Draft) -> Bool {
    guard let account = draft.account, account.session != nil else { return false }
    // If this write fails, the next start treats the session as copied again, which is the safe side.
    draft.ifUnstored = .isKept
    draft.change { [clock, policy] in $0.adopted(now: clock.now, policy: policy) }
    return account.isCopied
  }
}

extension KnownAccounts {
  var statuses: [AccountStatus] {
    names.map { AccountStatus(name: $0, isDefault: $0 == defaultAccount, project: "", state: .locked) }
  }
}

/// The machine's sleep: refreshes in flight are completed first, and no other refresh
/// begins until the machine wakes.
extension Accounts {
  /// Prepares for sleep. Writes what could not be stored, because the machine may not wake up again.
  /// Refreshes the tokens that would expire during sleep and holds all other refreshes until `wokeUp`.
  package func beginSleep() {
    let now = clock.now
    if lockState.isOpen, hasUnsaved {
      isWritingForSleep = true
      submit(.storeAll)
    }
    for account in accounts.values where wouldExpireDuringSleep(account, now) { start(account, .sleep) }
    sleepHold = now.advanced(by: RefreshPolicy.maxSleepHold)
  }

  /// Writes what could not be stored, for a sleep that waits for it.
  func writeForSleep() async {
    await writeUnsaved()
    isWritingForSleep = false
    resumeIdleWaiters()
  }

  /// Returns when every sent refresh is answered and stored, and `writeForSleep` has ended, the machine
  /// is awake again, or `RefreshPolicy.sleepGrace` has passed.
  package func waitUntilReadyForSleep() async {
    await landed()
    if isRefreshInFlight { logger.notice("the machine is going to sleep with a refresh in flight") }
  }

  /// The machine woke up or did not go to sleep.
  package func wokeUp() { worldChanged(.clock) }

  /// Releases the refreshes held for sleep.
  func noteWake() {
    sleepHold = nil
    landingWaiters.resumeAll()
  }

  private func wouldExpireDuringSleep(_ account: Account, _ now: BootTime) -> Bool {
    guard let session = account.session, account.failures == 0, account.mayRefresh(now: now) else { return false }
    return now.duration(to: tokens.end(of: account.name)) < RefreshPolicy.lifeForSleep(of: session.life)
  }

  private func landed() async {
    guard isRefreshInFlight || isWritingForSleep else { return }
    try? await landingWaiters.wait(until: clock.deadline(after: RefreshPolicy.sleepGrace))
  }
}

extension RefreshPolicy {
  /// How long sleep is delayed for refreshes. logind allows 5 s (logind.conf(5),
  /// InhibitDelayMaxSec=).
  static let sleepGrace: Duration = .seconds(3)

  /// Maximum time that an announced sleep holds refreshes. logind reports a failed sleep; this
  /// limit covers a logind that exits in between. The clock includes time asleep, so a longer sleep
  /// ends the hold.
  static let maxSleepHold: Duration = .seconds(60)

  /// A token with less remaining lifetime than this, half its lifetime, is refreshed before a sleep
  /// of unknown length. That causes at most one extra refresh in half a lifetime, however often the
  /// lid is closed.
  static func lifeForSleep(of life: Duration) -> Duration { life / 2 }
}
