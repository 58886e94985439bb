import AgentProtocol
import SessionVault
import SystemSupport

@testable import AgentCore
@testable import SessionEngine

/// The verification of second factors in a history.
extension History {
  /// A verification, possibly together with something that comes in between.
  enum Verification: CaseIterable {
    case alone, wrong, twice, againAtOnce, thenRefresh, duringRefresh, thenSignOut, thenSignIn, thenLock, thenStop
    case thenCrash, thenCrashAtWrite, thenFailingWrites, thenNewAddress, lostAnswer, rejected, thenSuspend
  }

  /// The maximum time of a request: a caller waits 60 s at most.
  private static let wait: Duration = .seconds(61)
  /// A refresh (15 s), and the request that was answered 401 before it (12 s).
  private static let afterSleep: Duration = .seconds(28)

  /// A code that no server accepts: another length.
  private static let wrongCode = "0000000"

  func verifyFactor() throws {
    let name = Self.accounts.shuffled(using: &chance).first(where: hasFactor) ?? Self.accounts[0]
    let kind = chance.one(of: Verification.allCases)
    trace("verification \(kind)")
    count("verification \(kind)")
    if needsMessage(name), chance.happens(80) {
      challenge(name)
      try rest()
      if chance.happens(30) { try pass(.seconds(15)) }
    }
    switch kind {
    case .alone: verify(name)
    case .wrong: verify(name, isRight: false)
    case .twice:
      verify(name)
      verify(name, isRight: chance.happens(50))
    case .duringRefresh:
      forceRefresh(name)
      if chance.happens(50) { try rest() }
      verify(name)
    default: try verify(name, and: kind)
    }
  }

  private func verify(_ name: String, and kind: Verification) throws {
    switch kind {
    case .lostAnswer:
      server.set(
        FaultProfile(
          share: 100, faults: [chance.one(of: [.droppedAfter, .truncated, .timeoutAfterCommit, .hangAndCommit])],
          slow: chance.one(of: [0, 80])))
    case .rejected: server.rejectVerifications(true)
    case .thenCrashAtWrite: agent.disk.weather = .kills(writes: chance.below(4), after: chance.happens(50))
    case .thenFailingWrites where chance.happens(50):
      agent.disk.weather = .fails(chance.happens(50) ? .diskFull : .io, after: chance.happens(30))
    default: server.set(FaultProfile(share: 0, faults: [.conflict], slow: chance.one(of: [0, 80])))
    }
    verify(name)
    if chance.happens(60) { try rest() }
    if chance.happens(50) {
      // Everything begun in this step first proceeds as far as it can without time.
      try rest()
      try pass(.milliseconds(chance.below(13_000)))
    }
    guard !agent.life.isOver else { return }
    try follow(name, kind)
  }

  private func follow(_ name: String, _ kind: Verification) throws {
    switch kind {
    case .againAtOnce: verify(name)
    case .thenRefresh: forceRefresh(name)
    case .thenSignOut: signOut(name, .local)
    case .thenSignIn: signIn(name, as: person(name), replace: chance.happens(50))
    case .thenLock: lock(after: chance.below(8), or: .milliseconds(chance.below(700)))
    case .thenStop: try stop()
    case .thenCrash:
      try restart(after: chance.happens(50) ? .zero : chance.duration(from: .seconds(1), to: .seconds(60)))
    case .thenNewAddress: server.changeAddress()
    case .thenFailingWrites: agent.disk.weather = .fails(.diskFull, after: chance.happens(30))
    case .thenSuspend:
      try rest()
      try doze(chance.duration(from: .seconds(60), to: .seconds(50_000)), times: 1)
    case .lostAnswer:
      server.set(.fine)
      if chance.happens(60) { verify(name) }
    default: break
    }
  }

  func stopRejecting() { server.rejectVerifications(false) }

  // MARK: - Requests

  /// Enters a code, the right one as far as the person knows it.
  func verify(_ name: String, isRight: Bool = true) {
    let code = isRight ? rightCode(name) ?? Self.wrongCode : Self.wrongCode
    let (ledger, life) = (ledger, agent.life)
    call("verify \(name) with \(code)", within: Self.wait, afterSleep: Self.afterSleep, waitsForDisk: true) {
      accounts in
      let status = try await accounts.verifyFactor(MFAVerify.Params(account: name, code: code))
      guard !life.isOver, status.assurance?.current != AccountAssurance.aal2 else { return }
      ledger.report(.assuranceIsTrue, "\(name) was verified and is at \(status.assurance?.current ?? "nothing")")
    }
  }

  private func rightCode(_ name: String) -> String? {
    userAt(name).flatMap { server.code(of: $0, at: clock.elapsed) }
  }

  /// Has a code sent to the phone.
  private func challenge(_ name: String) {
    call("challenge \(name)", within: Self.wait, afterSleep: Self.afterSleep, waitsForDisk: true) { accounts in
      _ = try await accounts.challengeFactor(MFAChallenge.Params(account: name))
    }
  }

  private func hasFactor(_ name: String) -> Bool {
    userAt(name).map { !SimulatedFactor.all(of: $0).isEmpty } ?? chance.happens(10)
  }

  private func needsMessage(_ name: String) -> Bool {
    userAt(name).flatMap { SimulatedFactor.all(of: $0).first }?.isPhone ?? false
  }

  // MARK: - Checks

  /// Records what the disk holds of an account.
  func noteVerification(_ name: String, _ record: StoredAccount) {
    let stored = record.session.flatMap { session in
      server.session(of: session.refreshToken).map {
        VerificationRecord.Stored(
          session: $0, bearer: session.accessToken, refresh: session.refreshToken,
          isMarked: session.verification != nil)
      }
    }
    ledger.stored(name, stored)
  }

  /// Records what a process finds in the vault when it starts or unlocks it.
  func noteFound(_ records: [StoredAccount]) {
    for record in records { noteVerification(record.name, record) }
    let names = Set(records.map(\.name))
    ledger.with { state in
      state.verification.stored = state.verification.stored.filter { names.contains($0.key) }
      state.verification.foundMarked.formUnion(
        state.verification.stored.values.filter(\.isMarked).map(\.session))
    }
  }

  /// Checks that a session that ended because the answer to a verification was lost says so.
  func checkLossIsSaid(_ account: Observed, _ session: Int) throws {
    guard ledger.with({ $0.verification.lost.contains(session) }) else { return }
    guard account.status.ended?.reason.contains("second factor") != true else { return }
    throw Violation(
      invariant: .lossIsSaid,
      words: "\(account.name) lost session \(session) by a verification: \(account.status.ended?.reason ?? "nothing")")
  }

  /// Checks the account's levels of assurance, and that a verification of unknown outcome shows.
  func checkAssurance(_ account: Observed, _ session: Int) throws {
    guard let assurance = account.status.assurance, let token = account.accessToken else {
      throw Violation(invariant: .assuranceIsTrue, words: "\(account.name) has no assurance level")
    }
    let current = token.contains(Tokens.claims(2)) ? AccountAssurance.aal2 : AccountAssurance.aal1
    let hasFactor = server.user(of: session).map { !SimulatedFactor.all(of: $0).isEmpty } ?? false
    let possible = hasFactor ? AccountAssurance.aal2 : AccountAssurance.aal1
    guard assurance == AccountAssurance(current: current, possible: possible) else {
      throw Violation(
        invariant: .assuranceIsTrue, words: "\(account.name) is \(current) of \(possible), shown as \(assurance)")
    }
    let elapsed = clock.elapsed
    let isHidden = ledger.with { state in
      state.verification.isSettled(session, at: elapsed) && account.status.state == .authenticated
    }
    guard isHidden else { return }
    throw Violation(
      invariant: .lossIsSaid, words: "\(account.name) does not show that the answer to a verification was lost")
  }

  /// Enters a new code for every session with a marker. While the access
  /// token is valid, that must bring the session back.
  func verifyAgain() throws {
    try pass(.seconds(61))
    // A change that a lock interrupted leaves two possible users, of whom the account has one.
    try checkAll()
    for name in Self.accounts {
      guard let stored = ledger.with({ $0.verification.stored[name] }), stored.isMarked,
        ledger.with({ $0.isWanted(stored.session) })
      else { continue }
      if needsMessage(name) {
        challenge(name)
        try rest()
      }
      let isExpected = server.accepts(stored.bearer, for: .seconds(20)) && rightCode(name) != nil
      trace("verify again \(stored.session), \(isExpected ? "expected" : "too late")")
      verify(name)
      try rest()
      try pass(.seconds(15))
      guard isExpected else { continue }
      count("verified again")
      guard ledger.with({ $0.verification.stored[name]?.isMarked == true }) else { continue }
      throw Violation(invariant: .lossIsSaid, words: "a new code does not bring \(name) back")
    }
  }
}

extension VerificationRecord {
  /// The time after which no attempt of a verification is in progress: three of them, each with a
  /// challenge.
  private static let attempts = Int64(6) * 12_000_000_000

  /// True if the outcome of a session's verification is unknown, and no attempt is in progress.
  func isSettled(_ session: Int, at elapsed: Int64) -> Bool {
    guard unknown.contains(session), inFlight[session, default: 0] == 0 else { return false }
    return elapsed - (lastSent[session] ?? 0) > Self.attempts
  }
}
