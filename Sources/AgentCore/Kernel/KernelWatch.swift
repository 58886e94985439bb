import CSystemd
import Glibc
import Logging
import NIOPosix
import ServiceLifecycle
import SessionEngine
import Synchronization
import SystemSupport

/// Reports clock changes, wake-ups of the machine and route changes as soon as the kernel signals
/// them; the 30 s tick would notice them late. Events that cannot be watched (no netlink in a
/// sandbox) are left to the tick.
struct KernelWatch: Service {
  /// Minimum time between two reports: a network that comes up changes a dozen routes.
  static let pause: Duration = .seconds(1)

  let clock: any AgentClock
  let logger: Logger
  let report: @Sendable (KernelEvent) async -> Void

  func run() async throws {
    guard let sources = KernelSources() else {
      logger.warning("clock jumps and network changes are detected by polling only", metadata: ["errno": "\(errno)"])
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

  /// Uses its own thread, because poll(2) blocks.
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

/// The descriptors by which the kernel signals changes of clocks and routes. `next` must be called
/// from one thread; `stop` is thread-safe.
final class KernelSources: Sendable {
  private let clock: Int32
  private let routes: Int32
  private let stopped: (read: Int32, write: Int32)

  /// Opens the descriptors; nil, with `errno`, if neither clocks nor routes can be watched.
  init?() {
    clock = ritual_clock_watch()
    if clock >= 0 { _ = ritual_clock_watch_arm(clock) }
    routes = ritual_route_watch()
    var pair: [Int32] = [-1, -1]
    let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
    stopped = (pair[0], pair[1])
    guard made == 0, clock >= 0 || routes >= 0 else { return nil }
  }

  deinit {
    // After a failed initialiser some descriptors are -1, which close(2) rejects.
    for descriptor in [clock, routes, stopped.read, stopped.write] { close(descriptor) }
  }

  /// Blocks until the kernel signals a change. Returns nil after `stop`, or if poll(2) fails.
  func next() -> KernelEvent? {
    while true {
      // poll(2) ignores negative descriptors.
      var polled = [stopped.read, clock, routes].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), -1) >= 0 else {
        if errno == EINTR { continue }
        return nil
      }
      if polled[0].revents != 0 { return nil }
      if polled[1].revents != 0, clockChanged() { return .clock }
      if polled[2].revents != 0 {
        drainRoutes()
        return .network
      }
    }
  }

  /// Makes this and every later call of `next` return nil.
  func stop() { write(stopped.write, "x", 1) }

  /// timerfd_create(2): after the clock was set, read(2) fails with ECANCELED, once.
  private func clockChanged() -> Bool {
    var expirations: UInt64 = 0
    let result = read(clock, &expirations, 8)
    let isCanceled = result < 0 && errno == ECANCELED
    _ = ritual_clock_watch_arm(clock)
    return isCanceled
  }

  /// Discards the messages, because their content does not matter. ENOBUFS (rtnetlink(7)) means
  /// that some were lost, which also counts as a change.
  private func drainRoutes() {
    var buffer = [UInt8](repeating: 0, count: 8192)
    while recv(routes, &buffer, buffer.count, 0) > 0 || errno == EINTR {}
  }
}

/// Kernel events that are not reported yet, at most one of each kind. One report is enough for
/// several events of a kind, and no event displaces one of another kind. Thread-safe.
final class PendingKernelEvents: Sendable {
  private struct State {
    var kinds: Set<KernelEvent> = []
    var hasEnded = false

    mutating func takeNext() -> KernelEvent? {
      let event = KernelEvent.allCases.first { kinds.contains($0) }
      if let event { kinds.remove(event) }
      return event
    }
  }

  private let state = Mutex(State())
  private let wake = WakeSignal()

  func add(_ event: KernelEvent) {
    state.withLock { _ = $0.kinds.insert(event) }
    wake.signal()
  }

  /// Records that no more events follow.
  func end() {
    state.withLock { $0.hasEnded = true }
    wake.signal()
  }

  /// Waits for the next event, and returns clock events first. For one task.
  ///
  /// - Returns: nil after `end`, or when the task is cancelled.
  func next() async -> KernelEvent? {
    while !Task.isCancelled {
      if let event = state.withLock({ $0.takeNext() }) { return event }
      if state.withLock(\.hasEnded) { return nil }
      await wake.wait()
    }
    return nil
  }
}
