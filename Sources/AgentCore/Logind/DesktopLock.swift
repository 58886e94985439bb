import AgentProtocol
import Logging
import NIOPosix
import ServiceLifecycle
import SessionEngine
import SystemSupport

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

/// Whether the user's desktop is locked, as far as logind knows. Pure.
///
/// A session is locked from the moment that its locker is asked to lock it, or its desktop says that it is (`LockedHint`), and
/// until the desktop says that it is not, or the locker is asked to unlock it. Not every desktop says something, not every
/// locker is asked: whichever comes last counts. Graphical sessions count; where the user has none, all of them. The desktop
/// is locked when every session that counts is: where one is open, the person is there.
struct DesktopSessions: Sendable {
  private struct State: Sendable {
    var session: LoginSession
    var isLocked: Bool
  }

  private var states: [String: State] = [:]

  /// Nil where nobody is logged in: a session's end is no unlock, and a machine where nobody ever was is not locked.
  var isLocked: Bool? {
    let graphical = states.values.filter(\.session.isGraphical)
    let counting = graphical.isEmpty ? Array(states.values) : graphical
    return counting.isEmpty ? nil : counting.allSatisfy(\.isLocked)
  }

  /// The sessions as they are now.
  mutating func update(_ sessions: [LoginSession]) {
    let before = states
    states = [:]
    for session in sessions {
      var isLocked = session.isHintedLocked
      if let known = before[session.path], known.session.isHintedLocked == session.isHintedLocked {
        isLocked = known.isLocked
      }
      states[session.path] = State(session: session, isLocked: isLocked)
    }
  }

  /// A locker was asked. Sessions of others are not known here.
  mutating func ask(_ path: String, isLocked: Bool) { states[path]?.isLocked = isLocked }
}

/// Follows systemd-logind: the session's lock, and the machine's sleep and wake (VA-4, OP-2). Without a system bus, or a logind
/// on it, there is nothing to follow; it begins when they come.
struct LoginWatch: Service {
  private let accounts: Accounts
  private let desktop: DesktopLock
  private let logger: Logger
  private let wokeUp: @Sendable () async -> Void

  init(accounts: Accounts, desktop: DesktopLock, logger: Logger, wokeUp: @escaping @Sendable () async -> Void) {
    self.accounts = accounts
    self.desktop = desktop
    self.logger = logger
    self.wokeUp = wokeUp
  }

  func run() async throws {
    guard let bus = LoginBus() else { return try await gracefulShutdown() }
    let (events, continuation) = AsyncStream.makeStream(of: LoginEvent.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listen(bus, continuation) }
      group.addTask {
        try? await gracefulShutdown()
        bus.stop()
      }
      group.addTask { await cancelWhenGracefulShutdown { await follow(events) } }
    }
  }

  /// On a thread of its own, for poll(2) blocks.
  private func listen(_ bus: LoginBus, _ continuation: AsyncStream<LoginEvent>.Continuation) async {
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    try? await thread.runIfActive { bus.run { continuation.yield($0) } }
    continuation.finish()
    try? await thread.shutdownGracefully()
  }

  /// Notes each event in the order in which it came. What takes time (a lock, the refreshes before a sleep) goes on in a task of
  /// its own, so that the next event is noted at once.
  func follow(_ events: AsyncStream<LoginEvent>) async {
    var isMissing = false
    await withDiscardingTaskGroup { group in
      for await event in events {
        switch event {
        case .sessions, .asked:
          isMissing = false
          await desktop.note(event)
          group.addTask { await desktop.follow() }
        case .goesToSleep(let delay):
          logger.debug("the machine goes to sleep", metadata: ["delayed": "\(delay != nil)"])
          await accounts.beginSleep()
          group.addTask {
            await accounts.sleepIsPrepared()
            delay?.letGo()
          }
        case .wokeUp: await wokeUp()
        case .missing(let reason):
          // Once, and again where it went away in between.
          if !isMissing { logger.debug("no session lock and no sleep are told", metadata: ["reason": "\(reason)"]) }
          isMissing = true
        }
      }
    }
  }
}
