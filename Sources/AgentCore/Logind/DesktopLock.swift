import AgentProtocol
import Logging
import NIOPosix
import ServiceLifecycle
import SessionEngine
import SystemSupport

/// `[vault] lock_with_session`: the vault follows the lock of the desktop session.
actor DesktopLock {
  private let vault: VaultAccess
  private let isOn: @Sendable () -> Bool
  private let logger: Logger
  private var sessions = DesktopSessions()
  /// True if the desktop was last reported as locked.
  private var isLocked = false
  /// True while the vault has not followed a lock of the desktop, which may have been unlocked since.
  private var isLockPending = false
  /// True if the vault was locked with the desktop, and not unlocked with it since.
  private var isVaultLocked = false
  private var isFollowing = false

  /// - Parameter isOn: returns true if the configuration asks for it.
  init(_ vault: VaultAccess, isOn: @escaping @Sendable () -> Bool, logger: Logger) {
    self.vault = vault
    self.isOn = isOn
    self.logger = logger
  }

  /// Records what logind reports about sessions; `follow` acts on it. A lock ends an unlock of the
  /// vault that is in progress.
  func note(_ event: LogindEvent) {
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

  /// Locks or unlocks the vault until it matches the desktop. Changes made meanwhile are followed
  /// by the call that is already running.
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
    // A lock that ended while the setting was off is not applied later.
    if !isLocked { isLockPending = false }
    isFollowing = false
  }

  private func lock() async {
    do {
      _ = try await vault.lock(.session)
    } catch {
      logger.debug("no vault to lock with the session", metadata: ["detail": "\(error.message)"])
    }
  }

  private func unlock() async {
    do {
      try await vault.sessionUnlocked()
    } catch {
      logger.warning("the vault was not unlocked with the session", metadata: ["detail": "\(error.message)"])
    }
  }
}

/// Derives from the reports of logind whether the user's desktop is locked. Pure.
///
/// A session is locked from the moment that its locker is asked to lock it, or its desktop reports
/// a lock (`LockedHint`), until the desktop reports that it is unlocked, or the locker is asked to
/// unlock it. Not every desktop reports, and not every locker is asked, so the latest of the two
/// counts. Graphical sessions count; if the user has none, all sessions count. The desktop is
/// locked when every session that counts is locked: an open session means that the person is
/// present.
struct DesktopSessions: Sendable {
  private struct State: Sendable {
    var session: LoginSession
    var isLocked: Bool
  }

  private var states: [String: State] = [:]

  /// Nil if no user is logged in: the end of a session is no unlock, and a machine without sessions
  /// is not locked.
  var isLocked: Bool? {
    let graphical = states.values.filter(\.session.isGraphical)
    let counting = graphical.isEmpty ? Array(states.values) : graphical
    return counting.isEmpty ? nil : counting.allSatisfy(\.isLocked)
  }

  /// Replaces the sessions. A session whose hint is unchanged keeps its state.
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

  /// Records that a locker was asked. Sessions of other users are not known here.
  mutating func ask(_ path: String, isLocked: Bool) { states[path]?.isLocked = isLocked }
}

/// Follows systemd-logind: the lock of the session, and the sleep and wake-up of the machine.
/// Without a system bus, or logind on it, there is nothing to follow until they appear.
struct LogindWatch: Service {
  let accounts: Accounts
  let desktop: DesktopLock
  let logger: Logger
  let wokeUp: @Sendable () async -> Void

  func run() async throws {
    guard let bus = LogindClient() else { return try await gracefulShutdown() }
    let (events, continuation) = AsyncStream.makeStream(of: LogindEvent.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listen(bus, continuation) }
      group.addTask {
        try? await gracefulShutdown()
        bus.stop()
      }
      group.addTask { await cancelWhenGracefulShutdown { await follow(events) } }
    }
  }

  /// Uses its own thread, because poll(2) blocks.
  private func listen(_ bus: LogindClient, _ continuation: AsyncStream<LogindEvent>.Continuation) async {
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    try? await thread.runIfActive { bus.run { continuation.yield($0) } }
    continuation.finish()
    try? await thread.shutdownGracefully()
  }

  /// Handles the events in the order of their arrival. Work that takes time (a lock, the refreshes
  /// before a sleep) runs in a separate task, so that the next event is noted at once.
  func follow(_ events: AsyncStream<LogindEvent>) async {
    var isMissing = false
    await withDiscardingTaskGroup { group in
      for await event in events {
        switch event {
        case .sessions, .asked:
          isMissing = false
          await desktop.note(event)
          group.addTask { await desktop.follow() }
        case .goesToSleep(let delay):
          logger.debug("the machine is going to sleep", metadata: ["delayed": "\(delay != nil)"])
          await accounts.beginSleep()
          group.addTask {
            await accounts.waitUntilReadyForSleep()
            delay?.release()
          }
        case .wokeUp: await wokeUp()
        case .missing(let reason):
          // Logged once for each outage.
          if !isMissing { logger.debug("session lock and sleep cannot be detected", metadata: ["reason": "\(reason)"]) }
          isMissing = true
        }
      }
    }
  }
}
