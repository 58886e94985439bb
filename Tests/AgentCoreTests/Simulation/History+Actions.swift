import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport

@testable import AgentCore
@testable import SessionEngine

/// The actions of a history.
extension History {
  struct Action: Sendable {
    let name: String
    /// The relative frequency.
    let weight: Int
    let perform: @Sendable (History) throws -> Void

    init(_ name: String, _ weight: Int, _ perform: @escaping @Sendable (History) throws -> Void) {
      (self.name, self.weight, self.perform) = (name, weight, perform)
    }
  }

  static let actions = [
    Action("littleTime", 14) { try $0.letPass(.milliseconds(1), .seconds(20)) },
    Action("time", 12) { try $0.letPass(.seconds(20), .seconds(600)) },
    Action("longTime", 2) { try $0.letPass(.seconds(600), .seconds(3600)) },
    Action("doze", 4) { try $0.doze() },
    Action("suspend", 5) { try $0.suspend() },
    Action("ask", 16) { $0.askForTokens($0.anyName()) },
    Action("force", 5) { $0.forceRefresh($0.anyName()) },
    Action("permit", 8) { $0.permit($0.heldName()) },
    Action("grant", 3) { $0.grant($0.heldName()) },
    Action("giveUp", 3) { $0.giveUp() },
    Action("signIn", 5) { history in
      let name = history.anyName()
      history.signIn(name, as: history.person(name), replace: false)
    },
    Action("signInAsOther", 3) { $0.signInAsOther() },
    Action("signInByCode", 8) { try $0.signInByCode() },
    Action("signInAnonymously", 3) { $0.signInAnonymously($0.anyName()) },
    Action("link", 4) { $0.link($0.anyName()) },
    Action("import", 2) { $0.importSession($0.anyName()) },
    Action("signOut", 4) { history in
      let scope = history.chance.one(of: [SignOutScope.local, .local, .local, .global, .others])
      history.signOut(history.anyName(), scope, discard: history.chance.happens(40))
    },
    Action("use", 3) { $0.makeDefault($0.heldName()) },
    Action("useAPI", 3) { $0.acceptAPI($0.heldName()) },
    Action("rename", 4) { $0.rename() },
    Action("remove", 2) { $0.remove($0.heldName()) },
    Action("useDuringRemove", 2) { try $0.useDuringRemove() },
    Action("askDuringRename", 2) { try $0.askDuringRename() },
    Action("factors", 4) { $0.changeFactors($0.heldName()) },
    Action("factorsTogether", 3) { try $0.changeFactorsTogether() },
    Action("profile", 3) { $0.readProfile($0.heldName()) },
    Action("reload", 4) { try $0.reload($0.chance.one(of: ProjectSetting.allCases)) },
    Action("verify", 12) { try $0.verifyFactor() },
    Action("changeAddress", 1) { $0.server.changeAddress() },
    Action("stopRejecting", 2) { $0.stopRejecting() },
    Action("faults", 7) { $0.server.set($0.randomFaults()) },
    Action("fine", 5) { $0.server.set(.fine) },
    Action("moveServerClock", 2) { $0.server.moveClock(by: Int64($0.chance.below(43_200)) - 21_600) },
    Action("moveWall", 2) { history in
      try history.rest()
      history.moveWall()
    },
    Action("endElsewhere", 2) { $0.endElsewhere() },
    Action("ban", 1) { $0.server.ban($0.chance.one(of: History.users), true) },
    Action("unban", 1) { $0.server.unbanAll() },
    Action("world", 2) { $0.tell(.network) },
    Action("slowDisk", 5) { $0.slowDown() },
    Action("failWrites", 4) { history in
      let code = history.diskError()
      history.agent.disk.weather = .fails(code, after: history.chance.happens(30))
    },
    Action("failOneWrite", 6) { $0.failOneWrite() },
    Action("writesWork", 4) { $0.agent.disk.weather = .works },
    Action("crash", 4) { history in
      let pause = history.chance.duration(from: .milliseconds(100), to: .seconds(60))
      try history.restart(after: history.chance.happens(50) ? .zero : pause)
    },
    Action("crashAtWrite", 6) { history in
      history.agent.disk.weather = .kills(writes: history.chance.below(4), after: history.chance.happens(50))
    },
    Action("reboot", 2) { history in
      try history.restart(after: history.chance.duration(from: .seconds(5), to: .seconds(500_000)), reboot: true)
    },
    Action("stop", 1) { try $0.stop() },
    Action("stopDuringSignOut", 1) { history in
      for name in History.accounts { history.signOut(name, .local) }
      try history.stop()
    },
    Action("stopAfterFullDisk", 2) { try $0.stopAfterFullDisk() },
    Action("adopt", 2) { $0.adopt() },
    Action("subscribe", 2) { $0.subscribe() },
    Action("unsubscribe", 2) { $0.subscribers.popLast()?.task.cancel() },
    Action("lock", 1) { $0.lock() },
    Action("unlock", 1) { $0.unlock() },
    Action("lockDuringSignIn", 2) { try $0.lockDuringSignIn() },
    Action("lockDuringAnswer", 1) { history in
      history.askForToken(history.heldName(), pause: 1 + history.chance.below(12))
      history.lock()
    },
    Action("lockDuringSignOut", 2) { history in
      for name in History.accounts where history.chance.happens(70) { history.signOut(name, .local) }
      history.lock(after: history.chance.below(8))
    },
    Action("lockDuringChange", 5) { try $0.lockDuringChange() },
    Action("lockDuringUnlock", 2) { try $0.lockDuringUnlock() },
  ]

  private static let weighted = actions.flatMap { Array(repeating: $0, count: $0.weight) }

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
      count(action.name)
      trace(action.name)
      try action.perform(self)
      if agent.life.isOver { try restart() }
    }
    try rest()
  }

  func anyName() -> String { chance.one(of: Self.accounts) }

  /// An account with a session, if there is one.
  func heldName() -> String {
    Self.accounts.shuffled(using: &chance).first { userAt($0) != nil } ?? Self.accounts[0]
  }

  // MARK: - Time

  private func letPass(_ least: Duration, _ most: Duration) throws {
    // Everything begun in this step first proceeds as far as it can without time.
    try rest()
    try pass(named("pass", chance.duration(from: least, to: most)))
  }

  private func doze() throws {
    try rest()
    try doze(named("doze 10 x", chance.duration(from: .seconds(60), to: .seconds(50_000))), times: 10)
  }

  private func suspend() throws {
    try rest()
    let wakes = chance.happens(50)
    try doze(named("suspend", chance.duration(from: .seconds(60), to: .seconds(2_000_000))), times: 1)
    if wakes { tell(.clock) }
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

  private func askForTokens(_ name: String) {
    for _ in 0..<(chance.happens(70) ? 1 : 1 + chance.below(20)) { askForToken(name) }
  }

  private func giveUp() { for caller in callers where chance.happens(70) { caller.task.cancel() } }

  private func signInAsOther() {
    signIn(anyName(), as: chance.one(of: Self.users), replace: chance.happens(60))
  }

  /// The person who signs in to an account again: an anonymous user cannot.
  func person(_ name: String) -> String {
    userAt(name).flatMap { Self.users.contains($0) ? $0 : nil } ?? chance.one(of: Self.users)
  }

  func userAt(_ name: String) -> String? {
    ledger.with { $0.possible[name]?.max() }.flatMap { server.user(of: $0) }
  }

  /// - Parameter turns: how long the event loop of the connection is busy before it writes the answer.
  func askForToken(_ name: String, pause turns: Int = 0) {
    var params = SessionToken.Params(account: name)
    let life = Double(server.life)
    switch chance.below(6) {
    case 0: params.minTTL = life * Double(chance.below(100)) / 100
    case 1: params.minTTL = life * 2
    case 2, 3:
      params.rejected = accounts.tokens.freshest(account: name, rejected: nil, now: clock.now)?.entry.fingerprint
    default: break
    }
    let (clock, ledger, process, asked, locks, executor) = (clock, ledger, agent.life, params, locks, ground.executor)
    call("token of \(name) minTTL \(params.minTTL ?? -1) rejected \(params.rejected != nil)") { accounts in
      let epoch = accounts.tokens.epoch
      let answer = try await Self.started(name, accounts, ledger) { try await accounts.token(asked) }
      guard !process.isOver else { return }
      if turns > 0 {
        let ended = locks.ended
        await executor.pause(turns: turns)
        // As the connection does just before it writes.
        guard !process.isOver, accounts.tokens.epoch == epoch else { return }
        if locks.ended > ended { ledger.report(.locksFollowAnswers, "a token of \(name) is written after a lock") }
        return
      }
      ledger.tokenIssued(answer.accessToken, of: name, expiresIn: answer.expiresIn, by: "caller", clock)
    }
  }

  func forceRefresh(_ name: String) {
    let ledger = ledger
    call("refresh of \(name)") { accounts in
      _ = try await Self.started(name, accounts, ledger) { try await accounts.refresh(name) }
    }
  }

  /// Runs a request that may wait for a refresh, which must then begin.
  private static func started<Answer: Sendable>(
    _ name: String, _ accounts: Accounts, _ ledger: Ledger, _ request: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let begun = accounts.clock.now
    do { return try await request() } catch let error as AgentError where error.kind == .timedOut {
      if await accounts.isIdle(name, since: begun) {
        ledger.report(.refreshesStart, "a caller waited for a refresh of \(name), which never began")
      }
      throw error
    }
  }

  func call(
    _ words: String, within limit: Duration = .seconds(15), afterSleep: Duration = .zero, waitsForDisk: Bool = false,
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
        words: words, deadline: clock.now.advanced(by: limit + (waitsForDisk ? diskDelay : .zero)), task: task,
        isAnswered: isAnswered, afterSleep: afterSleep, waitsForDisk: waitsForDisk))
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
    let (id, stored) = (ledger.with { $0.changes.defaults.begin(.signIn(name)) }, disk.storedFailures)
    operate(name, failed: before, mayBecome: session, change: id) { accounts in
      let ticket = try await begin(accounts)
      ledger.with { _ = $0.changes.apiOrigins[session, default: []].insert(ticket.project.apiOrigin) }
      if pause > .zero {
        try await clock.sleep(for: pause)
        ledger.received(tokens.access, of: session, user: user, life: tokens.life, clock)
      }
      do { _ = try await accounts.adopt(tokens.session, for: ticket) } catch {
        if !life.isOver, disk.storedFailures > stored {
          ledger.with { _ = $0.halfStored[name, default: []].insert(session) }
        }
        throw error
      }
      ledger.with { _ = $0.taken.insert(session) }
      // The end of the session that was replaced is recorded by now.
      if !life.isOver, before.count == 1 {
        let elapsed = clock.elapsed
        ledger.with { state in
          for left in before where left != 0 && left != session { state.signedOut[left] = elapsed }
        }
      }
      return [session]
    }
  }

  /// - Parameter removal: the change of the default account, if the account is removed as well.
  func signOut(_ name: String, _ scope: SignOutScope, discard: Bool = false, removal: Int? = nil) {
    trace("\(removal == nil ? "sign out" : "remove") \(name) \(scope.rawValue) discard \(discard)")
    let params = SessionSignOut.Params(account: name, scope: scope, discard: discard ? true : nil)
    if scope == .others {
      let accounts = accounts
      Task(executorPreference: ground.executor) { _ = try? await accounts.signOut(params) }
      return
    }
    let before = ledger.begin(name, mayBecome: 0)
    let (ledger, elapsed, disk, life) = (ledger, clock.elapsed, agent.disk, agent.life)
    let (check, stored) = (anonymousCheck(name, before), disk.storedFailures)
    // A removal that failed may have ended the session.
    let failed = removal == nil ? before : before.union([0])
    operate(name, failed: failed, mayBecome: 0, change: removal) { accounts in
      do {
        if removal == nil {
          _ = try await accounts.signOut(params)
        } else {
          _ = try await accounts.remove(name, discard: discard)
          ledger.with { $0.tally("removals") }
        }
        if !life.isOver { check(discard, nil) }
      } catch {
        if !life.isOver { check(discard, (error as? AgentError)?.kind) }
        if !life.isOver, disk.storedFailures > stored {
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
    _ name: String, failed before: Set<Int>, mayBecome session: Int, change: Int?,
    _ body: @escaping @Sendable (Accounts) async throws -> Set<Int>
  ) {
    locks.keptIsKnown = false
    let (accounts, ledger, life, isAnswered) = (accounts, ledger, agent.life, Flag())
    let (locks, asked) = (locks, locks.unlockBegins().asked)
    let task = Task(executorPreference: ground.executor) {
      do {
        let now = try await body(accounts)
        if !life.isOver {
          ledger.end(name, now, words: "done")
          if let change { ledger.with { $0.changes.defaults.end(change, isCertain: true) } }
        }
      } catch {
        let kind = (error as? AgentError)?.kind
        let isCut = kind == .vaultLocked || locks.unlockBegins().asked > asked
        let left = isCut ? before.union([session]) : before
        if !life.isOver {
          ledger.end(name, left, words: kind?.rawValue ?? "\(error)")
          if let change { ledger.with { $0.changes.defaults.end(change, isCertain: false) } }
          // This sign-out, or one before it, may have been recorded, and is then completed later.
          if left.contains(0) { ledger.with { $0.leaving.formUnion(before.subtracting([0])) } }
        }
      }
      isAnswered.set()
    }
    operations.append(
      Caller(
        words: "change of \(name)", deadline: clock.now.advanced(by: .seconds(15) + diskDelay), task: task,
        isAnswered: isAnswered))
  }

  /// Adopts a copied vault, as `VaultAccess` does for `vault adopt`: the vault is read again while
  /// other work runs, and no lock comes in between.
  private func adopt() {
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

  private func lockDuringSignIn() throws {
    let name = anyName()
    let pause = chance.happens(50) ? Duration.zero : .milliseconds(chance.below(5_000))
    switch chance.below(4) {
    case 0: link(name, after: pause)
    case 1: try signInByCode()
    default: signIn(name, as: person(name), replace: false, after: pause)
    }
    if chance.happens(30) { agent.disk.weather = .fails(diskError(), after: chance.happens(30)) }
    if chance.happens(30) { slowDown() }
    lock(after: chance.below(8))
    if chance.happens(30) { unlock() }
  }

  /// Locks the vault while a change waits for the disk, and unlocks it.
  private func lockDuringChange() throws {
    try rest()
    if chance.happens(40) { slowDown() }
    if chance.happens(30) { failOneWrite() }
    let name = heldName()
    switch chance.below(6) {
    case 0:
      try reload(setting == .plain ? .otherAPI : .plain)
      try rest()
      acceptAPI(name)
    case 1: rename()
    case 2: remove(name)
    case 3: makeDefault(name)
    case 4: changeFactors(name)
    default: forceRefresh(name)
    }
    lock(after: chance.below(5), or: .milliseconds(chance.below(700)))
    if chance.happens(60) { unlock() }
  }

  private func lockDuringUnlock() throws {
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

  // MARK: - Names

  private func rename() {
    let old = Self.accounts.shuffled(using: &chance).first { userAt($0) != nil } ?? Self.accounts[0]
    let free = Self.accounts.filter { userAt($0) == nil }.randomElement(using: &chance)
    rename(old, to: free ?? Self.accounts.first { $0 != old } ?? old)
  }

  /// Callers ask for tokens of an account that is being renamed.
  private func askDuringRename() throws {
    try rest()
    if chance.happens(70) { failOneWrite() }
    if chance.happens(50) { slowDown() }
    rename()
    if chance.happens(50) { try rest() }
    for name in Self.accounts { forceRefresh(name) }
  }

  /// The default account is removed, while another one becomes it.
  private func useDuringRemove() throws {
    try rest()
    let held = Self.accounts.filter { userAt($0) != nil }
    guard let old = try ask({ await $0.settings.defaultAccount }), let new = held.first(where: { $0 != old }) else {
      return
    }
    remove(old)
    makeDefault(new, after: chance.below(8))
  }

  /// Changes and reads an account's factors at the same time, at a slow server.
  private func changeFactorsTogether() throws {
    let name = heldName()
    server.set(FaultProfile(share: 0, faults: [.conflict], slow: 80))
    for _ in 0..<3 {
      changeFactors(name)
      try rest()
      if chance.happens(50) { try pass(.milliseconds(chance.below(3_000))) }
    }
    try rest()
    try pass(.milliseconds(chance.below(13_000)))
  }

  // MARK: - The disk

  private func diskError() -> VaultError.Code { chance.happens(50) ? .diskFull : .io }

  private func failOneWrite() {
    agent.disk.weather = .failsOnce(writes: chance.below(4), diskError(), after: chance.happens(30))
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
    try rest()
    try pass(named("full disk", chance.duration(from: .milliseconds(1), to: .seconds(12))))
    guard !agent.life.isOver else { return }
    agent.disk.weather = .works
    trace("stop")
    try stop()
  }

  // MARK: - External changes

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
      state.beginOperation(name)
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
      if !state.overlapped.contains(name) {
        state.possible[name] = sessions
        state.leaving.subtract(sessions)
      }
      state.endOperation(name)
    }
  }
}
