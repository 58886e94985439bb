import AgentProtocol
import Crypto
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport

@testable import AgentCore
@testable import SessionEngine

/// The actions of a history.
extension History {
  private enum Action: CaseIterable {
    case littleTime, time, longTime, doze, suspend, ask, force, giveUp, signIn, signInAsOther, signOut, faults, fine
    case moveServerClock, moveWall, crash, crashAtWrite, reboot, failWrites, writesWork, endElsewhere, ban, unban, world
    case stop, stopDuringSignOut, stopAfterFullDisk, adopt, subscribe, unsubscribe
    case lock, unlock, lockDuringSignIn, lockDuringSignOut, lockDuringUnlock
    case verify, changeAddress, stopRejecting
    case signInByCode, signInAnonymously, link

    /// The relative frequency of the action.
    var weight: Int {
      switch self {
      case .littleTime: 14
      case .time, .verify: 12
      case .longTime: 2
      case .ask: 16
      case .faults: 7
      case .force, .signIn, .fine, .suspend: 5
      case .signInByCode: 8
      case .link: 4
      case .signInAnonymously: 3
      case .crash, .crashAtWrite, .signOut, .failWrites, .writesWork, .doze: 4
      case .giveUp, .signInAsOther: 3
      case .moveServerClock, .moveWall, .reboot, .endElsewhere, .world, .adopt, .subscribe, .unsubscribe: 2
      case .lockDuringSignIn, .lockDuringSignOut, .lockDuringUnlock, .stopRejecting, .stopAfterFullDisk: 2
      case .changeAddress: 1
      case .ban, .unban, .stop, .stopDuringSignOut, .lock, .unlock: 1
      }
    }
  }

  private static let weighted = Action.allCases.flatMap { Array(repeating: $0, count: $0.weight) }

  /// Begins a history. In most histories an account is signed in first.
  func begin() {
    for (name, percent) in zip(Self.accounts, [85, 40]) where chance.happens(percent) {
      if chance.happens(15) {
        signInAnonymously(name)
      } else {
        signIn(name, as: chance.one(of: Self.users), replace: false)
      }
    }
  }

  /// Performs one step, which may consist of several concurrent actions.
  func act() throws {
    // A locked agent does little, so it is soon unlocked.
    if locks.isLocked, keyCalls.isEmpty, chance.happens(40) { unlock() }
    let together = chance.happens(25) ? 2 + chance.below(2) : 1
    for _ in 0..<together {
      let action = chance.one(of: Self.weighted)
      count("\(action)")
      try perform(action)
      if agent.life.isOver { try restart() }
    }
    try rest()
  }

  private func perform(_ action: Action) throws {
    switch action {
    case .littleTime, .time, .longTime, .doze, .suspend: try passTime(action)
    case .ask, .force, .giveUp, .signIn, .signInAsOther, .signOut: use(action)
    case .crash, .reboot: try die(action)
    case .stop:
      trace("stop")
      try stop()
    case .stopDuringSignOut:
      for name in Self.accounts { signOut(name, .local) }
      trace("stop")
      try stop()
    case .stopAfterFullDisk: try stopAfterFullDisk()
    case .adopt: adopt()
    case .subscribe: subscribe()
    case .unsubscribe: subscribers.popLast()?.task.cancel()
    case .lock, .unlock, .lockDuringSignIn, .lockDuringSignOut, .lockDuringUnlock: try useKeys(action)
    case .verify: try verifyFactor()
    case .signInByCode: try signInByCode()
    case .signInAnonymously: signInAnonymously(chance.one(of: Self.accounts))
    case .link: link(chance.one(of: Self.accounts))
    case .moveWall:
      try rest()
      change(action)
    default: change(action)
    }
  }

  // MARK: - Time

  private func passTime(_ action: Action) throws {
    // Everything begun in this step first proceeds as far as it can without time.
    try rest()
    switch action {
    case .littleTime: try pass(named("pass", chance.duration(from: .milliseconds(1), to: .seconds(20))))
    case .time: try pass(named("pass", chance.duration(from: .seconds(20), to: .seconds(600))))
    case .longTime: try pass(named("pass", chance.duration(from: .seconds(600), to: .seconds(3600))))
    case .doze: try doze(named("doze 10 x", chance.duration(from: .seconds(60), to: .seconds(50_000))), times: 10)
    default:
      let wakes = chance.happens(50)
      try doze(named("suspend", chance.duration(from: .seconds(60), to: .seconds(2_000_000))), times: 1)
      if wakes { tell(.clock) }
    }
  }

  private func named(_ words: String, _ duration: Duration) -> Duration {
    trace("\(words) \(duration)")
    return duration
  }

  /// Reports an event of the kernel, as `KernelWatch` does.
  private func tell(_ event: KernelEvent) {
    let (accounts, revocations) = (agent.accounts, agent.revocations)
    Task(executorPreference: ground.executor) {
      await accounts.worldChanged(event)
      await revocations.tryAgain()
    }
  }

  // MARK: - Requests

  private func use(_ action: Action) {
    let name = chance.one(of: Self.accounts)
    switch action {
    case .ask: for _ in 0..<(chance.happens(70) ? 1 : 1 + chance.below(20)) { askForToken(name) }
    case .force: forceRefresh(name)
    case .giveUp:
      trace("callers give up")
      for caller in callers where chance.happens(70) { caller.task.cancel() }
    case .signIn: signIn(name, as: person(name), replace: false)
    case .signInAsOther: signIn(name, as: chance.one(of: Self.users), replace: chance.happens(60))
    default: signOut(name, chance.one(of: [.local, .local, .local, .global, .others]), discard: chance.happens(40))
    }
  }

  /// The person who signs in to an account again: an anonymous user cannot.
  func person(_ name: String) -> String {
    userAt(name).flatMap { Self.users.contains($0) ? $0 : nil } ?? chance.one(of: Self.users)
  }

  func userAt(_ name: String) -> String? {
    ledger.with { $0.possible[name]?.max() }.flatMap { server.user(of: $0) }
  }

  func askForToken(_ name: String) {
    var params = SessionToken.Params(account: name)
    let life = Double(server.life)
    switch chance.below(6) {
    case 0: params.minTTL = life * Double(chance.below(100)) / 100
    case 1: params.minTTL = life * 2
    case 2, 3:
      params.rejected = accounts.tokens.freshest(account: name, rejected: nil, now: clock.now)?.entry.fingerprint
    default: break
    }
    let (clock, ledger, process, asked) = (clock, ledger, agent.life, params)
    call("token of \(name) minTTL \(params.minTTL ?? -1) rejected \(params.rejected != nil)") { accounts in
      let answer = try await accounts.token(asked)
      guard !process.isOver else { return }
      ledger.tokenIssued(answer.accessToken, of: name, expiresIn: answer.expiresIn, by: "caller", clock)
    }
  }

  func forceRefresh(_ name: String) {
    call("refresh of \(name)") { _ = try await $0.refresh(name) }
  }

  func call(
    _ words: String, within limit: Duration = .seconds(15), afterSleep: Duration = .zero,
    _ body: @escaping @Sendable (Accounts) async throws -> Void
  ) {
    trace(words)
    let (accounts, ledger, isAnswered, life) = (accounts, ledger, Flag(), agent.life)
    let task = Task(executorPreference: ground.executor) {
      var end = "answered"
      do { try await body(accounts) } catch { end = (error as? AgentError)?.kind.rawValue ?? "\(error)" }
      isAnswered.set()
      if !life.isOver { ledger.trace("\(words): \(end)") }
    }
    callers.append(
      Caller(
        words: words, deadline: clock.now.advanced(by: limit), task: task, isAnswered: isAnswered,
        afterSleep: afterSleep))
  }

  /// - Parameter pause: the time that the server takes.
  func signIn(_ name: String, as user: String, replace: Bool, after pause: Duration = .zero) {
    trace("sign in \(name) as \(user) replace \(replace)")
    adopt(server.signIn(user, at: clock.elapsed), for: name, after: pause) { accounts in
      try await accounts.beginSignIn(account: name, project: nil, provider: .email, replace: replace)
    }
  }

  /// Makes a session of the server the account's.
  ///
  /// - Parameter pause: the time that the server takes.
  func adopt(
    _ new: (session: Int, tokens: Tokens), for name: String, after pause: Duration = .zero,
    begin: @escaping @Sendable (Accounts) async throws -> SignInTicket
  ) {
    let (session, tokens) = new
    let user = tokens.user
    trace("session \(session) of \(user) for \(name)")
    ledger.received(tokens.access, of: session, user: user, life: tokens.life, clock)
    let before = ledger.begin(name, mayBecome: session)
    let (ledger, disk, life, clock) = (ledger, agent.disk, agent.life, clock)
    operate(name, failed: before, mayBecome: session) { accounts in
      let ticket = try await begin(accounts)
      if pause > .zero {
        try await clock.sleep(for: pause)
        ledger.received(tokens.access, of: session, user: user, life: tokens.life, clock)
      }
      do { _ = try await accounts.adopt(tokens.session, for: ticket) } catch {
        if !life.isOver, case .fails(_, after: true) = disk.weather {
          ledger.with { _ = $0.halfStored[name, default: []].insert(session) }
        }
        throw error
      }
      ledger.with { _ = $0.taken.insert(session) }
      // The end of the session that was replaced is recorded by now, if the disk works.
      if !life.isOver, before.count == 1, case .works = disk.weather {
        let elapsed = clock.elapsed
        ledger.with { state in
          for left in before where left != 0 && left != session { state.signedOut[left] = elapsed }
        }
      }
      return [session]
    }
  }

  func signOut(_ name: String, _ scope: SignOutScope, discard: Bool = false) {
    trace("sign out \(name) \(scope.rawValue) discard \(discard)")
    if scope == .others {
      let accounts = accounts
      Task(executorPreference: ground.executor) { _ = try? await accounts.signOut(.init(account: name, scope: scope)) }
      return
    }
    let before = ledger.begin(name, mayBecome: 0)
    let (ledger, elapsed, disk, life) = (ledger, clock.elapsed, agent.disk, agent.life)
    let check = anonymousCheck(name, before)
    operate(name, failed: before, mayBecome: 0) { accounts in
      do {
        _ = try await accounts.signOut(
          SessionSignOut.Params(account: name, scope: scope, discard: discard ? true : nil))
        if !life.isOver { check(discard, nil) }
      } catch {
        if !life.isOver { check(discard, (error as? AgentError)?.kind) }
        if !life.isOver, case .fails(_, after: true) = disk.weather {
          ledger.with { _ = $0.halfStored[name, default: []].insert(0) }
        }
        throw error
      }
      if before.count == 1 {
        ledger.with { state in for left in before where left != 0 { state.signedOut[left] = elapsed } }
      }
      return [0]
    }
  }

  /// Runs a change of an account's session. If a lock interrupts the change, it takes effect
  /// completely or not at all.
  private func operate(
    _ name: String, failed before: Set<Int>, mayBecome session: Int,
    _ body: @escaping @Sendable (Accounts) async throws -> Set<Int>
  ) {
    locks.keptIsKnown = false
    let (accounts, ledger, life, isAnswered) = (accounts, ledger, agent.life, Flag())
    let task = Task(executorPreference: ground.executor) {
      do {
        let now = try await body(accounts)
        if !life.isOver { ledger.end(name, now, words: "done") }
      } catch {
        let kind = (error as? AgentError)?.kind
        let left = kind == .vaultLocked ? before.union([session]) : before
        if !life.isOver {
          ledger.end(name, left, words: kind?.rawValue ?? "\(error)")
          // The sign-out may have been recorded, and is then completed later.
          if kind == .vaultLocked, session == 0 { ledger.with { $0.leaving.formUnion(before) } }
        }
      }
      isAnswered.set()
    }
    operations.append(
      Caller(
        words: "change of \(name)", deadline: clock.now.advanced(by: .seconds(15)), task: task,
        isAnswered: isAnswered))
  }

  /// Adopts a copied vault, as `VaultAccess` does for `vault adopt`: the vault is read again while
  /// other work runs, and no lock comes in between.
  private func adopt() {
    trace("adopt")
    let (accounts, revocations, access) = (agent.accounts, agent.revocations, agent.access)
    Task(executorPreference: ground.executor) {
      await access.gate.enter()
      if (try? await accounts.requireOpen()) != nil {
        _ = await accounts.adoptCopied()
        _ = try? await revocations.restore()
      }
      await access.gate.leave()
    }
  }

  private func subscribe() {
    trace("subscribe")
    let record = EventRecord(ledger: ledger, clock: clock, life: agent.life)
    let accounts = accounts
    let task = Task(executorPreference: ground.executor) {
      let subscription = await accounts.subscribe(EventsSubscribe.Params())
      for event in subscription.first { record.add(event) }
      for await event in subscription.events { record.add(event) }
    }
    subscribers.append(Subscriber(events: record, task: task))
  }

  // MARK: - Locks

  private func useKeys(_ action: Action) throws {
    switch action {
    case .lock: lock()
    case .unlock: unlock()
    case .lockDuringSignIn:
      let name = chance.one(of: Self.accounts)
      let pause = chance.happens(50) ? Duration.zero : .milliseconds(chance.below(5_000))
      switch chance.below(4) {
      case 0: link(name, after: pause)
      case 1: try signInByCode()
      default: signIn(name, as: person(name), replace: false, after: pause)
      }
      lock(after: chance.below(8))
    case .lockDuringSignOut:
      for name in Self.accounts where chance.happens(70) { signOut(name, .local) }
      lock(after: chance.below(8))
    default:
      if !locks.isLocked {
        lock()
        if chance.happens(80) {
          try rest()
          try pass(.seconds(4))
        }
      }
      unlock()
      lock(after: chance.below(8), or: .milliseconds(chance.below(700)))
      if chance.happens(30) { unlock() }
    }
  }

  // MARK: - End of the process

  /// The disk is full while something is stored, and has space again at a stop.
  private func stopAfterFullDisk() throws {
    try rest()
    agent.disk.weather = .works
    server.set(FaultProfile(share: 0, faults: [.conflict], slow: 80))
    let name = chance.one(of: Self.accounts)
    switch chance.below(5) {
    case 0, 1: verify(name)
    case 2: signIn(name, as: person(name), replace: false, after: .milliseconds(500))
    case 3: signOut(name, .local)
    default: forceRefresh(name)
    }
    if chance.happens(80) { try rest() }
    agent.disk.weather = .fails(.diskFull, after: chance.happens(30))
    try pass(named("full disk", chance.duration(from: .milliseconds(1), to: .seconds(12))))
    guard !agent.life.isOver else { return }
    agent.disk.weather = .works
    trace("stop")
    try stop()
  }

  private func die(_ action: Action) throws {
    trace("\(action)")
    switch action {
    case .reboot: try restart(after: chance.duration(from: .seconds(5), to: .seconds(500_000)), reboot: true)
    default:
      try restart(after: chance.happens(50) ? .zero : chance.duration(from: .milliseconds(100), to: .seconds(60)))
    }
  }

  // MARK: - External changes

  private func change(_ action: Action) {
    trace("\(action)")
    switch action {
    case .faults: server.set(randomFaults())
    case .fine: server.set(.fine)
    case .moveServerClock: server.moveClock(by: Int64(chance.below(43_200)) - 21_600)
    case .moveWall: moveWall()
    case .crashAtWrite: agent.disk.weather = .kills(writes: chance.below(4), after: chance.happens(50))
    case .failWrites: agent.disk.weather = .fails(chance.happens(50) ? .diskFull : .io, after: chance.happens(30))
    case .writesWork: agent.disk.weather = .works
    case .endElsewhere: endElsewhere()
    case .changeAddress: server.changeAddress()
    case .stopRejecting: stopRejecting()
    case .ban: server.ban(chance.one(of: Self.users), true)
    case .unban: server.unbanAll()
    default: tell(.network)
    }
  }

  private func randomFaults() -> FaultProfile {
    let kinds = Fault.allCases.shuffled(using: &chance).prefix(1 + chance.below(3))
    let weather = FaultProfile(
      share: chance.one(of: [20, 50, 90, 100]), faults: Array(kinds), slow: chance.one(of: [0, 30, 80]))
    trace("\(weather.share) % of \(weather.faults)")
    return weather
  }

  /// Moves the wall clock by hours, forward or back. The total stays below a day, so that it does
  /// not use up the week after which the revocation queue gives up.
  private func moveWall() {
    let hours = chance.below(24) - 12
    let jump = Duration.seconds(3600 * hours + chance.below(3600))
    guard abs((wallMoved + jump).components.seconds) < 86_400 else { return }
    wallMoved += jump
    clock.jumpWall(by: jump)
    if chance.happens(50) { tell(.clock) }
  }

  private func endElsewhere() {
    let user = chance.one(of: Self.users)
    let sessions = ledger.with { $0.possible.values.flatMap { $0 } }.filter { server.user(of: $0) == user }
    server.endElsewhere(user: user, session: chance.happens(50) ? nil : sessions.max())
  }
}

extension Ledger {
  /// Records the start of an operation that may make `session` the account's session.
  ///
  /// - Returns: the sessions that the account may hold so far.
  func begin(_ name: String, mayBecome session: Int) -> Set<Int> {
    with { state in
      let before = state.possible[name] ?? [0]
      if state.running[name, default: 0] > 0 { state.overlapped.insert(name) }
      state.running[name, default: 0] += 1
      state.possible[name] = before.union([session])
      state.leaving.formUnion(before)
      return before
    }
  }

  /// Records the end of an operation. The account's session is now certain, unless operations
  /// overlapped.
  func end(_ name: String, _ sessions: Set<Int>, words: String) {
    trace("\(name): \(words), holds \(sessions.sorted())")
    with { state in
      state.running[name, default: 1] -= 1
      if !state.overlapped.contains(name) {
        state.possible[name] = sessions
        state.leaving.subtract(sessions)
      }
      if state.running[name] == 0 { state.overlapped.remove(name) }
    }
  }
}
