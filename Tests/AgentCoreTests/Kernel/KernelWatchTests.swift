import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

/// A watch over the kernel's real descriptors.
@Suite(.timeLimit(.minutes(10))) struct KernelWatchTests {
  /// The events that a watch has reported.
  private final class Reports: Sendable {
    private let events = Mutex<[KernelEvent]>([])
    var all: [KernelEvent] { events.withLock { $0 } }
    func add(_ event: KernelEvent) { events.withLock { $0.append(event) } }
  }

  /// Runs a watch while `body` runs, and returns when the watch has stopped.
  private func withWatch(_ body: @escaping @Sendable (Reports) async throws -> Void) async throws {
    let reports = Reports()
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let watch = KernelWatch(clock: SystemClock(), logger: logger) { reports.add($0) }
    let group = ServiceGroup(services: [watch], gracefulShutdownSignals: [], logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      let result: Result<Void, any Error>
      do { result = .success(try await body(reports)) } catch { result = .failure(error) }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
      try result.get()
    }
  }

  /// True with CAP_SYS_TIME, which a test as root has. The test sets the clock to its current time.
  private static var maySetTheClock: Bool { geteuid() == 0 }

  @Test("TK-8: a clock change is noticed at once", .enabled(if: maySetTheClock, "setting the clock needs root"))
  func noticesAClockThatIsSet() async throws {
    try await withWatch { reports in
      // A change before the timer is armed goes unnoticed, so the clock is set until an event
      // arrives.
      try await eventually("the kernel tells of the clock") {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        #expect(clock_settime(CLOCK_REALTIME, &now) == 0)
        return reports.all.contains(.clock)
      }
    }
  }

  @Test("an idle watch stops at once")
  func stops() async throws { try await withWatch { _ in } }

  /// Without an end, `next` waits for ever (the suite's limit).
  @Test("after a stop every wait ends, whatever has happened before")
  func endsTheWait() throws {
    let sources = try #require(KernelSources())
    sources.stop()
    while sources.next() != nil {}
    #expect(sources.next() == nil)
  }
}

@Suite(.timeLimit(.minutes(10))) struct PendingKernelEventsTests {
  @Test("a burst of one kind counts once and displaces no event of another kind")
  func keepsEachKind() async {
    let events = PendingKernelEvents()
    events.add(.clock)
    for _ in 0..<1000 { events.add(.network) }
    events.end()
    #expect(await events.next() == .clock)
    #expect(await events.next() == .network)
    #expect(await events.next() == nil)
  }

  @Test("an event during a wait or between two waits is not missed")
  func missesNone() async {
    let events = PendingKernelEvents()
    let first = Task { await events.next() }
    events.add(.network)
    #expect(await first.value == .network)
    events.add(.network)
    events.add(.clock)
    #expect(await events.next() == .clock)
    #expect(await events.next() == .network)
    let last = Task { await events.next() }
    last.cancel()
    #expect(await last.value == nil)
  }
}
