import CSystemd
import Glibc
import Logging
import NIOPosix
import ServiceLifecycle
import SessionEngine
import SystemSupport

/// Hears from the kernel that a clock was set, that the machine woke up, or that a route changed, at once; the 30 s tick
/// would notice late. What cannot be watched (no netlink in a sandbox) is left to the tick.
struct KernelWatch: Service {
  /// The least time between two reports: a network that comes up changes a dozen routes.
  static let pause: Duration = .seconds(1)

  private let clock: any AgentClock
  private let logger: Logger
  private let report: @Sendable (KernelEvent) async -> Void

  init(clock: any AgentClock, logger: Logger, report: @escaping @Sendable (KernelEvent) async -> Void) {
    self.clock = clock
    self.logger = logger
    self.report = report
  }

  func run() async throws {
    guard let sources = KernelSources() else {
      logger.warning("clock jumps and network changes are noticed by the tick alone", metadata: ["errno": "\(errno)"])
      return try await gracefulShutdown()
    }
    let events = PendingKernelEvents()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listen(sources, events) }
      group.addTask {
        try? await gracefulShutdown()
        sources.stop()
      }
      group.addTask { await cancelWhenGracefulShutdown { await reportEach(events) } }
    }
  }

  /// On a thread of its own, for poll(2) blocks.
  private func listen(_ sources: KernelSources, _ events: PendingKernelEvents) async {
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    try? await thread.runIfActive {
      while let event = sources.next() { events.add(event) }
    }
    events.end()
    try? await thread.shutdownGracefully()
  }

  private func reportEach(_ events: PendingKernelEvents) async {
    while let event = await events.next() {
      logger.debug("woken by the kernel", metadata: ["event": "\(event.rawValue)"])
      await report(event)
      try? await clock.sleep(for: Self.pause)
    }
  }
}
