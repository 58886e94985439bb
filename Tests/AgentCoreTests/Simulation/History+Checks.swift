import AgentProtocol
import FoundationEssentials
import SessionVault
import SystemSupport

@testable import SessionEngine

/// The checks that run when the agent is at rest.
extension History {
  /// Runs while the vault's thread is idle and the sessions do not know yet what that thread wrote:
  /// a token that is issued from memory now must have been durable before.
  func atRest() {
    guard !agent.life.isOver else { return }
    for name in Self.accounts { peek(name) }
    // Records that were written before a lock are checked after the unlock, before any caller gets them.
    if agent.vault.isLocked {
      wasLocked = true
      return
    }
    if wasLocked {
      wasLocked = false
      for record in Self.accounts.compactMap({ try? record($0) }) {
        noteVerification(record.name, record)
        if let session = record.session { note(session) }
      }
    }
    let changed = agent.disk.takeChanged()
    guard !changed.isEmpty else { return }
    for name in Self.accounts where files[name].map(changed.contains) ?? true {
      guard let record = try? record(name) else {
        ledger.with { $0.verification.stored[name] = nil }
        continue
      }
      noteVerification(name, record)
      guard let session = record.session else { continue }
      ledger.with { _ = $0.durable.insert(session.accessToken) }
      checkRecoverable(session.refreshToken)
    }
  }

  /// Checks the token that `session.token` would return on the event loop, without the actor.
  /// Returns false if there is none.
  @discardableResult
  func peek(_ name: String) -> Bool {
    guard let token = accounts.tokens.freshest(account: name, rejected: nil, now: clock.now)?.result else {
      return false
    }
    ledger.tokenIssued(token.accessToken, of: name, expiresIn: token.expiresIn, by: "memory", clock)
    return true
  }

  private func record(_ name: String) throws -> StoredAccount {
    files[name] = nil
    let record = try WireCoding.decode(StoredAccount.self, from: Data(agent.vault.load("account/" + name)))
    files[name] = agent.disk.lastRead
    return record
  }

  /// Checks that the server still accepts the token on the disk.
  private func checkRecoverable(_ refreshToken: String) {
    guard let session = server.session(of: refreshToken), ledger.with({ $0.isWanted(session) }) else { return }
    // The answer to a verification is lost, or on its way.
    let isOpen = ledger.with { $0.verification.isOpen(session) }
    if let age = server.age(of: refreshToken), age > 1, !isOpen {
      ledger.report(.neverOlderThanParent, "the disk holds a token of session \(session) that is \(age) rotations old")
    }
  }

  // MARK: - After each step

  func checkAll() throws {
    if agent.life.isOver { return try restart() }
    guard try checkLocks() else { return }
    let (seen, listeners) = try ask { (await $0.observed(), await $0.events.subscriberCount) }
    if agent.life.isOver { return try restart() }
    guard listeners == 1 + subscribers.count else {
      throw Violation(
        invariant: .eventsWithoutGaps, words: "\(listeners) subscribers instead of \(1 + subscribers.count)")
    }
    try checkCutOff(seen)
    try checkMoves(seen.map { ($0.name, $0.refreshToken.flatMap(server.session)) })
    for account in seen { try check(account) }
    try checkNoneIsMissing(seen)
    try checkGrants(seen)
    try checkDefault()
    // An event may follow a write.
    if slowDisk == nil { try checkReported(seen.map(\.status)) }
  }

  /// Checks that every account that signed in and did not sign out is present.
  private func checkNoneIsMissing(_ seen: [Observed]) throws {
    for name in Self.accounts where !seen.contains(where: { $0.name == name }) {
      let possible = ledger.with { $0.possible[name] ?? [0] }
      guard !possible.contains(0) else { continue }
      throw Violation(invariant: .endsOnlyByListedCodes, words: "\(name) is gone, with session \(possible)")
    }
  }

  private func check(_ account: Observed) throws {
    let possible = ledger.with { $0.possible[account.name] ?? [] }
    switch account.status.state {
    case .unauthenticated:
      guard possible.contains(0) else {
        throw Violation(invariant: .endsOnlyByListedCodes, words: "\(account.name) lost session \(possible)")
      }
      narrow(account.name, to: undeleted(account.name, possible).union([0]))
    case .signInNeeded:
      let ended = possible.intersection(ledger.with { $0.fatal })
      guard let session = ended.first else {
        throw Violation(invariant: .endsOnlyByListedCodes, words: "\(account.name) ended session \(possible)")
      }
      narrow(account.name, to: [session])
      try checkLossIsSaid(account, session)
    default: try checkHeld(account, possible)
    }
  }

  private func checkHeld(_ account: Observed, _ possible: Set<Int>) throws {
    guard let session = account.refreshToken.flatMap(server.session), possible.contains(session) else {
      throw Violation(
        invariant: .lateAnswersChangeNothing,
        words: "\(account.name) holds \(account.refreshToken ?? "nothing") instead of a session of \(possible)")
    }
    // The end is stored before it applies.
    if slowDisk == nil, ledger.with({ $0.endedHere.contains(session) && $0.isWanted(session) }) {
      throw Violation(
        invariant: .endsOnlyByListedCodes, words: "\(account.name) keeps session \(session), which the server ended")
    }
    guard account.status.user?.id == server.user(of: session) else {
      throw Violation(invariant: .lateAnswersChangeNothing, words: "\(account.name) shows the wrong user")
    }
    narrow(account.name, to: [session])
    try checkAssurance(account, session)
    try checkFactors(account)
  }

  /// Records what an account holds, unless a change of it is in progress.
  private func narrow(_ name: String, to sessions: Set<Int>) {
    ledger.with { if $0.running[name, default: 0] == 0 { $0.possible[name] = sessions } }
  }

  /// The session that is still in the account's record because the disk failed at the end of its
  /// sign-out. The next start finds it.
  private func undeleted(_ name: String, _ possible: Set<Int>) -> Set<Int> {
    ledger.with { state in
      guard let held = state.verification.stored[name]?.session else { return [] }
      return possible.intersection(state.leaving).intersection([held])
    }
  }

  func checkReported(_ shown: [AccountStatus]) throws {
    for told in [agent.events.states] + subscribers.map(\.events.states) {
      for status in shown where told[status.name] != status.state {
        throw Violation(
          invariant: .eventsWithoutGaps,
          words: "\(status.name) is \(status.state.rawValue), told was \(told[status.name]?.rawValue ?? "none")")
      }
    }
  }

  // MARK: - After a restart

  /// Returns the durable accounts, before the new process starts.
  ///
  /// - Parameter hasFailed: true if the disk failed while the last process ran.
  func readDisk(_ hasFailed: Bool) throws -> [StoredAccount] {
    let names = agent.vault.names()
    let records = try Self.accounts.filter { names.contains("account/" + $0) }.map { try record($0) }
    let settings = try? SessionStore.decode(StoredSettings.self, agent.vault.load("settings"))
    try checkFoundDefault(settings, records, hasFailed)
    let found = withoutHalfRenamed(records)
    noteFound(found)
    for session in found.compactMap(\.session) { note(session) }
    return found
  }

  /// Without the new record of a rename whose old record is still there.
  func withoutHalfRenamed(_ found: [StoredAccount]) -> [StoredAccount] {
    found.filter { oldRecord(of: $0, in: found) == nil }
  }

  /// The old record of a rename that was interrupted, with the same session.
  func oldRecord(of new: StoredAccount, in found: [StoredAccount]) -> StoredAccount? {
    found.first { old in
      old.name == new.renamedFrom && old.session?.refreshToken == new.session?.refreshToken
    }
  }

  func note(_ session: StoredSession) {
    let receipt = ledger.with { $0.receipts[session.accessToken] }
    let received = receipt.flatMap { estimate($0) }
    ledger.with { state in
      state.durable.insert(session.accessToken)
      state.estimates[session.accessToken] = received
    }
    checkRecoverable(session.refreshToken)
  }

  /// The receipt time of a token as far as a process of another boot can know it: by the wall
  /// clock, unless that clock went back.
  private func estimate(_ receipt: Ledger.Receipt) -> BootTime? {
    if receipt.bootID == clock.bootID { return receipt.received }
    let passed = clock.wall.unixSeconds - receipt.wall
    return passed < 0 ? nil : clock.now.advanced(by: .seconds(-passed))
  }

  /// Checks that a stop left the newest tokens on a disk that works.
  func checkStored(_ found: [StoredAccount]) throws {
    defer { keptAtStop = nil }
    guard let keptAtStop else { return }
    let stored = Dictionary(
      uniqueKeysWithValues: found.compactMap { record in record.session.map { (record.name, $0.refreshToken) } })
    guard stored != keptAtStop else { return }
    throw Violation(invariant: .stopsStore, words: "the memory held \(keptAtStop), the disk holds \(stored)")
  }

  func checkFound(_ found: [StoredAccount]) throws {
    try checkMoves(found.map { ($0.name, $0.session.flatMap { server.session(of: $0.refreshToken) }) })
    let held = Set(found.compactMap { $0.session.flatMap { server.session(of: $0.refreshToken) } })
    for name in Self.accounts { try checkFound(found.first { $0.name == name }, name, held) }
    ledger.with { $0.halfStored = [:] }
  }

  /// Checks that a rename that a crash or a lock interrupted left the session one name.
  private func checkMoves(_ holders: [(name: String, session: Int?)]) throws {
    let moves = ledger.with { state in
      let ended = state.changes.moves.filter { state.running[$0.old, default: 0] == 0 }
      state.changes.moves.removeAll(where: ended.contains)
      return ended.filter { $0.held.count == 1 && $0.held.isDisjoint(with: state.fatal.union([0])) }
    }
    for move in moves {
      let names = holders.filter { $0.session == move.held.first }.map(\.name)
      guard names.count == 1 else {
        throw Violation(
          invariant: .renamesKeepSessions, words: "session \(move.held) is at \(names) after a rename of \(move.old)")
      }
      for name in [move.old, move.new] where !holders.contains(where: { $0.name == name }) { narrow(name, to: [0]) }
    }
  }

  func checkRestored(_ found: [StoredAccount]) throws {
    guard !agent.life.isOver else { return }
    let seen = try ask { await $0.observed() }
    let completed = seen.filter { $0.status.state == .unauthenticated && completeSignOut($0.name) }.map(\.name)
    let expected = found.map { record in
      let user = record.session?.user.id ?? record.ended?.userID ?? ""
      return "\(record.name) \(completed.contains(record.name) ? "" : user)"
    }
    let shown = seen.map { "\($0.name) \($0.status.user?.id ?? "")" }
    guard expected.sorted() == shown else {
      throw Violation(invariant: .restartRestores, words: "the disk holds \(expected), the agent \(shown)")
    }
  }

  /// - Parameter held: the sessions of all accounts. A renamed one is at another name.
  private func checkFound(_ record: StoredAccount?, _ name: String, _ held: Set<Int>) throws {
    let possible = ledger.with { $0.possible[name] ?? [0] }
    let session = record?.session.flatMap { server.session(of: $0.refreshToken) } ?? 0
    let isEnded = record?.ended != nil && !possible.isDisjoint(with: ledger.with { $0.fatal })
    // The write of a failed sign-in may have happened. Its session must then not have been ended.
    let mayBe = ledger.with { $0.halfStored[name, default: []].contains(session) }
    let isHalfStored = mayBe && (session == 0 || server.isAlive(session))
    guard isEnded || isHalfStored || possible.contains(session) else {
      throw Violation(
        invariant: .restartRestores, words: "the disk holds session \(session) for \(name) instead of \(possible)")
    }
    guard !isEnded else { return }
    // A sign-out of which only the first of the two writes happened is completed now.
    let isHalfSignedOut = possible.contains(0) && ledger.with { $0.leaving.contains(session) }
    ledger.with { $0.possible[name] = isHalfSignedOut ? [0, session] : [session] }
    // A sign-out or a sign-in that was in progress and is durable must be followed by the end of the
    // session that it ended or replaced.
    let elapsed = clock.elapsed
    ledger.with { state in
      for left in possible.subtracting(held.union([0]))
      where state.leaving.contains(left) && state.taken.contains(left) {
        state.trace.add("\(name) holds \(session): the end of \(left) must follow", at: elapsed)
        state.signedOut[left] = state.signedOut[left] ?? elapsed
      }
    }
  }

  /// Records a sign-out that the restart may have completed, so that the server must be told of it.
  /// Returns false if there is none.
  func completeSignOut(_ name: String) -> Bool {
    let possible = ledger.with { $0.possible[name] ?? [] }
    guard possible.count == 2, possible.contains(0) else { return false }
    completeSignOut(name, of: possible.subtracting([0]))
    return true
  }

  /// Records that the agent has completed the sign-out of `sessions`, so that the server must be told.
  func completeSignOut(_ name: String, of sessions: Set<Int>) {
    let elapsed = clock.elapsed
    ledger.with { state in
      state.leaving.formUnion(sessions)
      for session in sessions { state.signedOut[session] = elapsed }
    }
    narrow(name, to: undeleted(name, sessions).union([0]))
  }

  // MARK: - Recovery

  /// The longest pause, and some time for the refreshes that are due then.
  private static let recovery: Duration = RefreshPolicy.maxLatePause + .seconds(10)

  /// Turns all faults off. Every session must recover by itself, and every signed-out session must
  /// be ended.
  func calm() throws {
    server.set(.fine)
    server.unbanAll()
    server.rejectVerifications(false)
    agent.disk.weather = .works
    try endSlowDisk()
    trace("calm")
    try reload(.plain)
    if locks.isLocked || !keyCalls.isEmpty {
      try rest()
      try pass(.seconds(4))
      unlock()
      try rest()
    }
    try verifyAgain()
    try pass(Self.recovery)
    try checkAll()
    try checkRecovered()
    guard chance.happens(25) else { return }
    try doze(.seconds(150), times: 40)
    try pass(.seconds(60))
    try checkAll()
    try checkRecovered()
  }

  private func checkRecovered() throws {
    let seen = try ask { await $0.observed() }
    for account in seen {
      guard let session = ledger.with({ $0.possible[account.name] })?.first, ledger.with({ $0.isWanted(session) }),
        server.isAlive(session)
      else { continue }
      // The server's clock may be ahead: it refuses an access token that the agent keeps until its end.
      if let held = ledger.heldBearer(of: account.name, clock), !server.accepts(held, for: .zero) { continue }
      guard account.status.state == .authenticated, peek(account.name) else {
        throw Violation(
          invariant: .loopLives,
          words: "\(account.name) is \(account.status.state.rawValue) with session \(session) alive at the server")
      }
    }
    let (week, elapsed) = (Int64(5 * 86_400_000_000_000), clock.elapsed)
    // The server's clock may be ahead: it refuses the token that replaced a refused one, to its end.
    let refused = Set(
      try answer { [revocations = agent.revocations] in
        await revocations.items.values.map(\.revocation).filter { $0.replacesRefused == true }.map(\.refreshToken)
      }.compactMap(server.session))
    let left = ledger.with { $0.signedOut.filter { $0.value > elapsed - week }.keys }
      .filter { server.isAlive($0) && !refused.contains($0) }
    guard left.isEmpty else {
      throw Violation(invariant: .signOutsAreToldTheServer, words: "sessions \(left) live on after their sign-out")
    }
  }
}
