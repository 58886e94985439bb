import Logging
import NIOPosix
import ServiceLifecycle
import SessionEngine
import SystemSupport

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
