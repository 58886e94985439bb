package import AgentProtocol
import Logging
package import SupabaseAuth
import SystemSupport

/// Locking and unlocking, as far as the sessions go (VA-4); `VaultAccess` leads it.
extension Accounts {
  /// Returns when the actor has run the calls before this one, for the watchdog.
  package func respond() {}

  /// - Throws: `vaultLocked`, from the moment that a lock begins.
  package func requireOpen() throws(AgentError) {
    _ = try store()
    guard door.isOpen else { throw AgentError(.vaultLocked) }
  }

  /// The error for the caller of a request that ended with `error`: `vaultLocked` where a lock cancelled the request.
  package func explained(_ error: AuthError, _ account: String) -> AgentError {
    guard error.code == .cancelled, !door.isOpen else { return AgentError.from(error, account: account) }
    return AgentError(.vaultLocked, account: account)
  }

  /// The first step of a lock: no token is handed out any more, nobody waits, and nothing begins.
  package func beginLock() {
    guard door.isOpen else { return }
    door = .closing
    tokens.takeBackAll()
    waiters.resumeAll(returning: .failure(AgentError(.vaultLocked)))
    wake.signal()
  }

  /// Returns when every refresh and every sign-in that was sent is answered and stored, or after `giveUpOnAnswers`.
  package func answersAreStored() async {
    guard isBusy else { return }
    try? await quietWaiters.wait()
  }

  package func giveUpOnAnswers() { quietWaiters.resumeAll() }

  func noteQuiet() {
    if !quietWaiters.isEmpty, !isBusy { quietWaiters.resumeAll() }
    if !landingWaiters.isEmpty, !isFlying { landingWaiters.resumeAll() }
  }

  private var isBusy: Bool { !signIns.isEmpty || isFlying }

  /// Whether a refresh was sent and is neither answered nor stored.
  var isFlying: Bool { accounts.values.contains { $0.flight != nil } }

  /// Tries once more to write what could not be written; without it the next refresh asks with the token before it.
  package func writeUnsaved() async {
    for name in accounts.keys.sorted() where accounts[name]?.unsaved != nil {
      await retryStore(name)
      guard accounts[name]?.unsaved != nil else { continue }
      logger.error("a refreshed session was not stored before the lock", metadata: ["account": "\(name)"])
    }
  }

  /// The sessions are forgotten; the names and the default account stay.
  package func forgetSessions() {
    locks += 1
    beLocked(KnownAccounts(names: accounts.keys.sorted(), defaultAccount: settings.defaultAccount))
  }

  /// The start found the vault locked.
  package func startLocked(_ known: KnownAccounts, refusal: AgentError?) {
    beLocked(known)
    door = .locked(known, refusal: refusal)
  }

  private func beLocked(_ known: KnownAccounts) {
    door = .locked(known, refusal: nil)
    accounts = [:]
    signIns = [:]
    doubtful = [:]
    people = [:]
    staleProfiles = []
    settings.defaultAccount = known.defaultAccount
    tokens.lock()
    events.forgetRecent()
    waiters.resumeAll(returning: .failure(AgentError(.vaultLocked)))
    quietWaiters.resumeAll()
    landingWaiters.resumeAll()
  }

  /// Tells the subscribers that the vault is locked, and every account with it.
  package func tellLocked(_ reason: String) {
    events.publish(.vaultLocked, at: clock.wall, reason: reason)
    for status in list() {
      events.publish(.stateChanged, at: clock.wall, account: status.name, status: status, reason: reason)
    }
  }

  /// Tells the subscribers that the sessions are here again.
  package func tellUnlocked() {
    events.publish(.vaultUnlocked, at: clock.wall)
    for name in accounts.keys.sorted() { tell(.stateChanged, name, reason: "unlocked") }
  }

  /// Keeps the names outside of the vault. They are for a display: a write that fails costs no more.
  func rememberNames() async {
    do {
      try await store().remember(
        KnownAccounts(names: accounts.keys.sorted(), defaultAccount: settings.defaultAccount))
    } catch {
      logger.warning("the accounts' names could not be written down", metadata: ["detail": "\(error)"])
    }
  }
}

// MARK: - A vault of another machine

extension Accounts {
  /// Whether the session is another machine's as well (VA-8): that of the whole vault, unless the sign-in was made in this
  /// copy; and vice versa, where the copy came home.
  func isCopied(_ account: Account) -> Bool {
    guard let session = account.session else { return false }
    return session.machine.map { $0 != home.here } ?? home.isElsewhere
  }

  /// The sessions are this machine's from now on. The header of the vault says so already.
  ///
  /// - Returns: the accounts that rested until now.
  package func adoptCopied() async -> [String] {
    home.isElsewhere = false
    var adopted: [String] = []
    for name in accounts.keys.sorted() where accounts[name]?.session != nil {
      await writeGate.enter(name)
      if await adoptInsideGate(name) { adopted.append(name) }
      writeGate.leave(name)
      if let account = accounts[name] { announce(account) }
    }
    wake.signal()
    return adopted
  }

  /// Whether it rested until now.
  private func adoptInsideGate(_ name: String) async -> Bool {
    guard let account = accounts[name], let session = account.session else { return false }
    accounts[name]?.adopted()
    if account.isCopied {
      let received = session.received.bootTime(on: clock)
      accounts[name]?.restored(received: received, now: clock.now, policy: policy)
      publish(session, of: name, received: received)
    }
    if session.machine != nil, account.unsaved == nil { await saveAdopted(name) }
    return account.isCopied
  }

  private func saveAdopted(_ name: String) async {
    guard let stored = accounts[name]?.stored else { return }
    do {
      try await store().save(stored)
    } catch {
      // The next start finds it copied again, which is the safe side.
      logger.error("an adopted session could not be stored", metadata: metadata(name, error))
    }
  }
}

extension KnownAccounts {
  /// The accounts while they are locked.
  var statuses: [AccountStatus] {
    names.map { AccountStatus(name: $0, isDefault: $0 == defaultAccount, project: "", state: .locked) }
  }
}

/// The machine's sleep (OP-2, TK-8): what was sent comes to its end first, and nothing more begins until it wakes.
extension Accounts {
  /// The machine is about to sleep. Tokens that would expire asleep are refreshed; no other refresh begins until `wokeUp`.
  package func beginSleep() {
    let now = clock.now
    for account in accounts.values where wouldDieAsleep(account, now) { start(account, .sleep) }
    sleepHold = now.advanced(by: RefreshPolicy.longestHold)
  }

  /// Returns when every refresh that was sent is answered and stored, the machine is awake again, or
  /// `RefreshPolicy.sleepGrace` has passed.
  package func sleepIsPrepared() async {
    await landed()
    if isFlying { logger.notice("the machine goes to sleep before a refresh was answered") }
  }

  /// The machine is awake, or does not sleep after all.
  package func wokeUp() { worldChanged(.clock) }

  /// What waited for the wake begins now.
  func noteWake() {
    sleepHold = nil
    landingWaiters.resumeAll()
  }

  private func wouldDieAsleep(_ account: Account, _ now: BootTime) -> Bool {
    guard let session = account.session, account.failures == 0, account.mayRefresh(now: now) else { return false }
    return now.duration(to: tokens.end(of: account.name)) < RefreshPolicy.lifeForSleep(of: session.life)
  }

  private func landed() async {
    guard isFlying else { return }
    try? await landingWaiters.wait(until: clock.deadline(after: RefreshPolicy.sleepGrace))
  }
}

extension RefreshPolicy {
  /// How long a sleep waits for refreshes (OP-2); logind gives 5 s (logind.conf(5), InhibitDelayMaxSec=).
  static let sleepGrace: Duration = .seconds(3)

  /// A sleep that was announced and did not come within this time holds no refresh back. logind says so when one fails; this is
  /// for a logind that went away in between. On a clock that counts the sleep it is over when the machine wakes.
  static let longestHold: Duration = .seconds(60)

  /// A token with less than half of its life left is refreshed before a sleep, whose length nobody knows: it causes at most one
  /// more refresh in half a life, however often a lid is closed.
  static func lifeForSleep(of life: Duration) -> Duration { life / 2 }
}
