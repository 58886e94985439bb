import AgentProtocol
import Logging
import ServiceLifecycle
import SupabaseAuth

/// Ends sessions at the server (SE-4): what could not be done at once is kept sealed and tried again, over restarts.
actor RevocationQueue: Service {
  /// How long a sign-out waits for the server before it says that the revocation is pending: as long as a stop may take.
  static let patience: Duration = .seconds(3)
  /// After a week the server's own time limits have done it, or the project is gone.
  static let givesUpAfter: Int64 = 7 * 86_400
  /// Pauses double from 2 s to a quarter of an hour: the network is back soon, or not for long.
  private static let firstPause: Duration = .seconds(2)
  private static let longestPause: Duration = .seconds(900)

  private struct Item {
    var revocation: Revocation
    var due: BootTime
    var failures = 0
    var running = false
    var waiters: [(deadline: BootTime, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let store: SessionStore?
  private let projects: Projects
  private let clock: any AgentClock
  private let logger: Logger
  private nonisolated let wake = WakeSignal()
  private nonisolated let due: AsyncStream<Revocation>
  private let dueContinuation: AsyncStream<Revocation>.Continuation
  private var items: [String: Item] = [:]

  init(store: SessionStore?, projects: Projects, clock: any AgentClock, logger: Logger) {
    self.store = store
    self.projects = projects
    self.clock = clock
    self.logger = logger
    (due, dueContinuation) = AsyncStream.makeStream()
  }

  /// How many revocations wait.
  var count: Int { items.count }

  /// Takes up what an earlier run left.
  func restore() async throws(AgentError) {
    guard let store else { return }
    for revocation in try await store.loadRevocations() { add(revocation) }
  }

  /// Takes a revocation that is stored already; it is tried at once.
  func add(_ revocation: Revocation) {
    items[revocation.id] = Item(revocation: revocation, due: clock.now)
    wake.signal()
  }

  /// The same, and whether the server was told within `patience`.
  func submit(_ revocation: Revocation) async -> Bool {
    add(revocation)
    let deadline = clock.now.advanced(by: Self.patience)
    return await withCheckedContinuation { continuation in
      items[revocation.id]?.waiters.append((deadline, continuation))
      wake.signal()
    }
  }

  func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask {
        await cancelWhenGracefulShutdown { await self.keepTime() }
        await self.stop()
      }
      for await revocation in due {
        group.addTask { await self.attempt(revocation) }
      }
      // What is on its way is sent again by the next run: a second logout of one session is harmless.
      group.cancelAll()
    }
  }

  private func keepTime() async {
    while !Task.isCancelled {
      let next = takeDue()
      await clock.sleep(until: next, or: wake)
    }
  }

  private func stop() {
    dueContinuation.finish()
    giveUpWaiting(all: true)
  }

  private func takeDue() -> BootTime {
    giveUpWaiting(all: false)
    let now = clock.now
    for (id, item) in items where !item.running && item.due <= now {
      items[id]?.running = true
      dueContinuation.yield(item.revocation)
    }
    let deadlines = items.values.filter { !$0.running }.map(\.due) + items.values.flatMap { $0.waiters.map(\.deadline) }
    // Recomputed at least every 30 s, as every loop here: a deadline in a suspended machine is noticed then.
    return min(deadlines.min() ?? BootTime(nanoseconds: .max), now.advanced(by: .seconds(30)))
  }

  private func giveUpWaiting(all: Bool) {
    let now = clock.now
    for id in items.keys {
      let late = items[id]?.waiters.filter { all || $0.deadline <= now } ?? []
      items[id]?.waiters.removeAll { all || $0.deadline <= now }
      for waiter in late { waiter.continuation.resume(returning: false) }
    }
  }

  // MARK: - One try

  private func attempt(_ revocation: Revocation) async {
    guard let project = project(for: revocation) else { return finished(revocation, done: isTooOld(revocation)) }
    do throws(AuthError) {
      let current = try await alive(revocation, at: project)
      if let current { try await project.server.logout(current.bearer, scope: current.logoutScope) }
      await forget(revocation)
    } catch {
      logger.info("a revocation waits", metadata: ["account": "\(revocation.account)", "error": "\(error.code)"])
      if isTooOld(revocation) { await forget(revocation) } else { finished(revocation, done: false) }
    }
  }

  /// The server refuses a dead access token, so a refresh comes first; nil where the session is gone already.
  private func alive(_ revocation: Revocation, at project: Project) async throws(AuthError) -> Revocation? {
    let received = revocation.received.bootTime(on: clock)
    if let received, clock.now < received.advanced(by: .seconds(revocation.expiresIn)) { return revocation }
    switch await project.server.refresh(revocation.refresh) {
    case .refreshed(let session): return await renewed(revocation, session)
    case .fatal: return nil
    case .transient(let error, _), .misconfigured(let error), .banned(let error), .paused(let error): throw error
    }
  }

  /// The renewed tokens are stored before they are used: only the newest refresh token is good for another try.
  private func renewed(_ revocation: Revocation, _ session: Session) async -> Revocation {
    var next = revocation
    next.accessToken = session.accessToken.exposed
    next.refreshToken = session.refreshToken.exposed
    next.received = Receipt(clock)
    next.expiresIn = session.expiresIn
    items[revocation.id]?.revocation = next
    try? await store?.save(next)
    return next
  }

  private func forget(_ revocation: Revocation) async {
    do {
      try await store?.delete(revocation)
    } catch {
      logger.error("a finished revocation could not be deleted", metadata: ["kind": "\(error.kind.rawValue)"])
    }
    finished(revocation, done: true)
  }

  private func finished(_ revocation: Revocation, done: Bool) {
    guard var item = items[revocation.id] else { return }
    for waiter in item.waiters { waiter.continuation.resume(returning: done) }
    item.waiters = []
    item.running = false
    item.failures += 1
    let pause = min(Self.longestPause, Self.firstPause * (1 << min(9, item.failures - 1)))
    item.due = clock.now.advanced(by: pause)
    items[revocation.id] = done ? nil : item
    wake.signal()
  }

  private func isTooOld(_ revocation: Revocation) -> Bool {
    clock.wall.unixSeconds - revocation.since.unixSeconds > Self.givesUpAfter
  }

  /// A session goes to the origin that issued it, whatever the project is called now.
  private func project(for revocation: Revocation) -> Project? {
    let named = projects.named(revocation.project)
    return named?.origin == revocation.origin ? named : projects.all.first { $0.origin == revocation.origin }
  }
}

extension Revocation {
  /// A scope that this version does not know ends the one session that is known.
  var logoutScope: LogoutScope { LogoutScope(rawValue: scope) ?? .local }
}
