import AgentProtocol
import FoundationEssentials
import Synchronization
import SystemSupport
import TestKit

@testable import AgentCore
@testable import Egress
@testable import SessionEngine
@testable import SessionVault

/// The locks and unlocks that one process was asked for, in order. A lock ends every unlock that
/// began before it, so the order alone determines the expected state.
final class LockRecorder: Sendable {
  private struct State {
    var asked: [LockCause] = []
    var underWay = 0
    var ended = 0
    /// The number of locks requested when the last successful unlock began.
    var askedBeforeUnlock = 0
    var keptIsKnown = false
    var isNew = false
  }

  private let state = Mutex(State())

  var isUsed: Bool { state.withLock { !$0.asked.isEmpty } }
  var isLocked: Bool { cause != nil }

  /// The cause of the lock once all requests are answered; nil if the vault is open.
  var cause: LockCause? {
    state.withLock { state in
      let since = state.asked.dropFirst(state.askedBeforeUnlock)
      return since.contains(.manual) ? .manual : since.first
    }
  }

  /// True if the content of the locked vault was checked after the last change.
  var keptIsKnown: Bool {
    get { state.withLock { $0.keptIsKnown } }
    set { state.withLock { $0.keptIsKnown = newValue } }
  }

  /// Returns whether a lock was requested since the last call.
  func takeNew() -> Bool {
    state.withLock { state in
      defer { state.isNew = false }
      return state.isNew
    }
  }

  func lockBegins(_ cause: LockCause) {
    state.withLock { state in
      state.asked.append(cause)
      state.underWay += 1
      state.keptIsKnown = false
      state.isNew = true
    }
  }

  func lockEnded() {
    state.withLock { state in
      state.underWay -= 1
      state.ended += 1
    }
  }

  /// The number of locks that were answered.
  var ended: Int { state.withLock { $0.ended } }

  /// - Returns: the number of locks requested so far, and whether one of them is in progress.
  func unlockBegins() -> (asked: Int, isLocking: Bool) { state.withLock { ($0.asked.count, $0.underWay > 0) } }

  func unlocked(_ asked: Int) { state.withLock { $0.askedBeforeUnlock = max($0.askedBeforeUnlock, asked) } }

  /// Whether the unlock that began at `begun` may fail.
  func mayFail(_ begun: (asked: Int, isLocking: Bool)) -> Bool {
    begun.isLocking || state.withLock { $0.asked.count > begun.asked }
  }
}

// MARK: - Actions

extension History {
  /// The maximum time of a lock: 3 s, plus a derivation in progress.
  private static let lockTime: Duration = .milliseconds(3_600)

  /// Locks the vault after `turns` turns of its thread, or else after `pause`, so that the lock can
  /// interrupt at any point what began at the same time.
  func lock(after turns: Int = 0, or pause: Duration = .zero) {
    let cause = chance.one(of: [LockCause.manual, .manual, .idle, .session])
    let pause = chance.happens(50) ? .zero : pause
    keysAreFirst = chance.happens(50)
    trace("lock \(cause) after \(turns) turns, \(pause)")
    let (access, locks, store, clock, life) = (agent.access, locks, agent.store, clock, agent.life)
    keyCall("lock", within: Self.lockTime + pause) {
      if pause > .zero { try await clock.sleep(for: pause) }
      for _ in 0..<turns { try await store.onDiskThread {} }
      guard !life.isOver else { return }
      locks.lockBegins(cause)
      defer { locks.lockEnded() }
      _ = try await access.lock(cause)
    }
  }

  /// Unlocks by key file or passphrase. A derivation takes its time.
  func unlock() {
    let source = chance.happens(50) ? try? SimulatedAgent.passphrase : nil
    let time = chance.happens(50) ? Duration.zero : .milliseconds(chance.below(500))
    keyHold = (chance.happens(25) ? .plug : .derivation, clock.now.advanced(by: time))
    trace("unlock by \(source == nil ? "file" : "passphrase") in \(time)")
    // The key thread starts with its first key. Until then a lock has nothing to wait for.
    ground.executor.plug(.keys, agent.keyTurns())
    let (access, locks, ledger, life) = (agent.access, locks, ledger, agent.life)
    keyCall("unlock", within: .seconds(15)) {
      let begun = locks.unlockBegins()
      do { try await access.unlock(source) } catch {
        if !life.isOver, !locks.mayFail(begun) {
          ledger.report(.locksHold, "an unlock failed, though nobody locks: \(error)")
        }
        throw error
      }
      locks.unlocked(begun.asked)
    }
  }

  private func keyCall(_ words: String, within limit: Duration, _ body: @escaping @Sendable () async throws -> Void) {
    let (ledger, life, isAnswered) = (ledger, agent.life, Flag())
    let task = Task(executorPreference: ground.executor) {
      var end = "done"
      do { try await body() } catch { end = (error as? AgentError)?.kind.rawValue ?? "\(error)" }
      if !life.isOver { ledger.trace("\(words): \(end)") }
      isAnswered.set()
    }
    keyCalls.append(
      Caller(words: words, deadline: clock.now.advanced(by: limit + diskDelay), task: task, isAnswered: isAnswered))
  }

  /// The turns of the key thread. nil unless a lock or an unlock is pending.
  var keyTurns: StepExecutor.Turns? {
    guard !keyCalls.isEmpty else { return nil }
    let (hold, now) = (keyHold, clock.now)
    return agent.keyTurns(isFirst: keysAreFirst) { halt in hold.map { $0.halt != halt || $0.until <= now } ?? true }
  }
}

// MARK: - Checks

extension History {
  /// - Returns: true if the vault is open, so that the sessions can be checked.
  func checkLocks() throws -> Bool {
    guard keyCalls.isEmpty else { return false }
    guard locks.isUsed else { return true }
    let access = agent.access
    let state = try answer { await access.state }
    guard !agent.life.isOver else { return false }
    let cause = locks.cause
    guard state.cause == cause, agent.vault.isLocked == (cause != nil) else {
      let vault = agent.vault.isLocked ? "locked" : "open"
      let expected = cause.map { "locked: \($0)" } ?? "open"
      throw Violation(invariant: .locksHold, words: "the vault is \(vault), told as \(state), instead of \(expected)")
    }
    guard ground.places.manualLockNote.exists == (cause == .manual) else {
      throw Violation(invariant: .locksHold, words: "the note of a manual lock is wrong: \(state)")
    }
    if locks.takeNew() { lockForgets() }
    guard cause != nil else { return true }
    try checkLocked()
    return false
  }

  /// The next unlock reads the vault again: the ends that the server reported to this process are
  /// forgotten, and a write that failed but had happened may be found.
  private func lockForgets() {
    ledger.with { state in
      state.endedHere = []
      state.verification.answersForgotten()
      state.changes.factors = [:]
      for (name, sessions) in state.halfStored { state.possible[name, default: [0]].formUnion(sessions) }
    }
  }

  private func checkLocked() throws {
    let (seen, shown, secrets) = try ask { (await $0.observed(), await $0.list(), await $0.secrets) }
    let pending = try answer { [revocations = agent.revocations] in await revocations.items.count }
    guard secrets.isEmpty, pending == 0, agent.grants.list().isEmpty else {
      throw Violation(
        invariant: .locksForget,
        words:
          "left in the locked agent's memory: \(secrets), \(pending) revocations, \(agent.grants.list().count) grants")
    }
    guard seen.isEmpty, !Self.accounts.contains(where: peek) else {
      throw Violation(invariant: .locksHold, words: "sessions are in memory while the vault is locked: \(seen)")
    }
    guard shown.allSatisfy({ $0.state == .locked }) else {
      throw Violation(invariant: .locksHold, words: "not shown as locked: \(shown)")
    }
    try checkReported(shown)
    guard !locks.keptIsKnown, operations.isEmpty, !callers.contains(where: \.waitsForDisk) else { return }
    locks.keptIsKnown = true
    try checkKept()
  }

  /// Checks that the locked vault holds what an unlock has to find: every session that was not
  /// signed out.
  private func checkKept() throws {
    let copy = MemoryStorage()
    copy.files = ground.files.files
    let vault = try Vault.open(storage: copy, key: ground.places.key(createIfMissing: false))
    defer { vault.close() }
    let names = vault.names()
    let records = try Self.accounts.filter { names.contains("account/" + $0) }.map {
      try SessionStore.decode(StoredAccount.self, vault.load("account/" + $0))
    }
    let settings = try? SessionStore.decode(StoredSettings.self, vault.load("settings"))
    try checkFoundDefault(settings, records, diskHasFailed, isInMemory: true)
    let found = withoutHalfRenamed(records)
    let ending = try names.filter { $0.hasPrefix("revocation/") }.map {
      try SessionStore.decode(Revocation.self, vault.load($0))
      // A sign-in that failed stored the end of the session that it was to replace, which is void.
    }.filter { !$0.isVoid(records.compactMap(\.session)) }
    noteFound(found)
    for session in found.compactMap(\.session) { note(session) }
    for record in found where record.session != nil { admit(record, ending) }
    try checkFound(found)
    for record in found where record.session != nil { settle(record, ending) }
  }

  /// The session in the vault, and whether a lock interrupted its sign-out between the two writes.
  /// In that case the unlock completes the sign-out.
  private func kept(_ record: StoredAccount, _ ending: [Revocation]) -> (session: Int, isLeaving: Bool)? {
    guard let token = record.session?.refreshToken, let session = server.session(of: token) else { return nil }
    return (session, ending.contains { !$0.isForOthers && $0.refreshToken == token })
  }

  private func admit(_ record: StoredAccount, _ ending: [Revocation]) {
    guard let kept = kept(record, ending), kept.isLeaving else { return }
    ledger.with { state in
      if state.possible[record.name]?.contains(0) == true { state.possible[record.name]?.insert(kept.session) }
    }
  }

  private func settle(_ record: StoredAccount, _ ending: [Revocation]) {
    guard let kept = kept(record, ending) else { return }
    if kept.isLeaving { interruptedSignOuts[record.name] = kept.session }
    ledger.with { state in
      state.possible[record.name] = kept.isLeaving ? [0, kept.session] : [kept.session]
      if kept.isLeaving { state.leaving.insert(kept.session) } else { state.leaving.remove(kept.session) }
    }
  }

  /// Checks that the unlock completes a sign-out that a lock interrupted: the session does not come
  /// back.
  func checkCutOff(_ seen: [Observed]) throws {
    defer { interruptedSignOuts = [:] }
    for account in seen {
      guard let session = interruptedSignOuts[account.name] else { continue }
      let isBack = account.refreshToken.flatMap(server.session) == session
      let wasBack = account.status.state == .signInNeeded && ledger.with { $0.fatal.contains(session) }
      guard !isBack, !wasBack else {
        throw Violation(
          invariant: .locksHold, words: "\(account.name) is back with session \(session), signed out before")
      }
      if account.status.state == .unauthenticated { completeSignOut(account.name, of: [session]) }
    }
  }
}
