import Logging
import ServiceLifecycle
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

@Suite struct WatchdogTests {
  private static let timeout = Duration.seconds(40)
  private static let pause = Duration.seconds(10)

  /// The clock, the log and the pings of a running watchdog.
  private struct Stage: Sendable {
    let clock = ManualClock()
    let log = LogLines()
    let fed = Mutexed(0)
    /// The second part answers once this gate is open.
    let gate = Gate()

    func watchdog(timeout: Duration?) -> Watchdog {
      let parts = [
        Watchdog.Part(name: "first") {},
        Watchdog.Part(name: "second") { await gate.pass() },
      ]
      return Watchdog(
        timeout: timeout, parts: parts, clock: clock, logger: Logger(label: "test") { _ in log },
        feed: { fed.value += 1 })
    }

    /// Advances the clock past the pause, once the watchdog waits for its end.
    func next() async throws {
      let end = clock.now.advanced(by: WatchdogTests.pause)
      try await eventually("the pause") { clock.isAwaited(at: end) }
      clock.advance(by: WatchdogTests.pause)
    }
  }

  private func withWatchdog(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
    let stage = Stage()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await stage.watchdog(timeout: Self.timeout).run() }
      let result: Result<Void, any Error>
      do { result = .success(try await body(stage)) } catch { result = .failure(error) }
      stage.gate.open()
      group.cancelAll()
      try await group.waitForAll()
      try result.get()
    }
  }

  @Test("OP-1: pings four times per watchdog timeout while every part answers")
  func fed() async throws {
    try await withWatchdog { stage in
      stage.gate.open()
      for count in 1...5 {
        try await eventually("feeding \(count)") { stage.fed.value == count }
        try await stage.next()
      }
      #expect(stage.log.lines.isEmpty)
    }
  }

  @Test("OP-1: a part that does not answer is named, and no ping is sent until it answers")
  func silent() async throws {
    try await withWatchdog { stage in
      try await stage.next()
      try await eventually("the complaint") { !stage.log.lines.isEmpty }
      #expect(stage.log.lines[0].contains("second"))
      #expect(!stage.log.lines[0].contains("first"))
      #expect(stage.log.lines[0].contains("agent_stalled"))
      #expect(stage.fed.value == 0)
      stage.gate.open()
      try await eventually("the feeding") { stage.fed.value == 1 }
    }
  }

  @Test func aStopFeedsNoMore() async throws {
    let stage = Stage()
    let running = Task { try await stage.watchdog(timeout: Self.timeout).run() }
    try await eventually("the question") { stage.gate.isAwaited }
    running.cancel()
    stage.gate.open()
    try await running.value
    #expect(stage.fed.value == 0)
  }

  @Test func nothingWithoutAManagerThatWatches() async throws {
    let stage = Stage()
    try await stage.watchdog(timeout: nil).run()
    #expect(stage.fed.value == 0)
  }

  @Test func aPulseWaitsForTheNextRound() async throws {
    let pulse = RefreshPulse()
    pulse.beat()
    await pulse.round(after: 0)
    let waiting = Task { await pulse.round(after: 1) }
    let cancelled = Task { await pulse.round(after: 1) }
    cancelled.cancel()
    await cancelled.value
    #expect(pulse.rounds == 1)
    pulse.beat()
    await waiting.value
    #expect(pulse.rounds == 2)
  }

  @Test("OP-1: sessions, vault and refresh loop answer, also while locked", .lock)
  func theRealParts() async throws {
    let fixture = LockFixture.current
    await fixture.access.respond()
    _ = try await fixture.access.lock(.manual)
    await fixture.access.respond()
    let rounds = fixture.pulse.rounds
    fixture.accounts.wake.signal()
    await fixture.pulse.round(after: rounds)
  }
}

/// Blocks callers of `pass` until it is opened.
private final class Gate: Sendable {
  private let pulse = RefreshPulse()
  private let waiting = Mutexed(false)

  var isAwaited: Bool { waiting.value }

  func open() { pulse.beat() }

  func pass() async {
    waiting.value = true
    await pulse.round(after: 0)
  }
}
