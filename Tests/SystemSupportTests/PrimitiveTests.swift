import Synchronization
import SystemSupport
import TestKit
import Testing

@Suite struct AsyncGateTests {
  private final class Inside: Sendable {
    let count = Mutex(0)
  }

  @Test func oneTaskAtATimePasses() async {
    let gate = AsyncGate()
    let inside = Inside()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await gate.enter()
          #expect(
            inside.count.withLock {
              $0 += 1; return $0
            } == 1)
          await Task.yield()
          inside.count.withLock { $0 -= 1 }
          gate.leave()
        }
      }
    }
    await gate.enter()
    gate.leave()
  }

  @Test func anotherKeyIsAnotherGate() async {
    let gate = AsyncGate()
    await gate.enter("a")
    await gate.enter("b")
    gate.leave("a")
    gate.leave("b")
  }
}

@Suite struct TimeoutTests {
  @Test func workThatEndsInTimeGivesItsValue() async throws {
    #expect(try await withTimeout(.seconds(1000)) { 5 } == 5)
  }

  @Test func workThatIsLateIsCancelled() async {
    await #expect(throws: TimeLimitExceeded.self) {
      try await withTimeout(.milliseconds(1)) { try await Task.sleep(for: .seconds(1000)) }
    }
  }

  @Test func theWorksOwnErrorIsThrown() async {
    struct Broken: Error {}
    await #expect(throws: Broken.self) { try await withTimeout(.seconds(1000)) { throw Broken() } }
  }
}

@Suite struct WakeSignalTests {
  @Test func aSignalIsKeptAndSeveralAreOne() async {
    let signal = WakeSignal()
    signal.signal()
    signal.signal()
    await signal.wait(until: SystemClock().deadline(after: .seconds(1000)))
    await signal.wait(until: SystemClock().deadline(after: .milliseconds(1)))
  }

  @Test func aSignalWakesTheSleeper() async throws {
    let signal = WakeSignal()
    let clock = SystemClock()
    let sleeper = Task { await clock.sleep(until: clock.now.advanced(by: .seconds(1000)), or: signal) }
    signal.signal()
    await sleeper.value
  }

  @Test func cancellationWakesTheSleeper() async {
    let signal = WakeSignal()
    let sleeper = Task { await signal.wait() }
    sleeper.cancel()
    await sleeper.value
  }
}

@Suite struct CancellableRequestsTests {
  @Test func theEndOfAllEndsThoseInFlight() async throws {
    let requests = CancellableRequests()
    let request = Task { await requests.run { (try? await Task.sleep(for: .seconds(1000))) == nil } }
    try await eventually("in flight") { requests.count == 1 }
    requests.cancelAll()
    #expect(await request.value)
    #expect(requests.count == 0)
    #expect(await requests.run { !Task.isCancelled })
  }

  @Test func afterAShutdownEachRequestBeginsCancelled() async {
    let requests = CancellableRequests()
    requests.shutDown()
    #expect(await requests.run { Task.isCancelled })
  }
}

@Suite struct BootTimeTests {
  @Test func momentsDoNotOverflow() {
    let last = BootTime(nanoseconds: .max)
    #expect(last.advanced(by: .seconds(1)) == last)
    #expect(BootTime(nanoseconds: 0).advanced(by: .seconds(Int64.max)) == last)
    #expect(BootTime(nanoseconds: .min).advanced(by: .seconds(Int64.min)) == BootTime(nanoseconds: .min))
    #expect(BootTime(nanoseconds: .min).duration(to: last) > .zero)
  }
}

@Suite(.timeLimit(.minutes(10))) struct SystemClockSleepTests {
  @Test("each sleep ends at its deadline, also if a longer one began before, and none earlier")
  func sleepsUntilItsDeadline() async throws {
    let clock = SystemClock()
    let long = Task { try await clock.sleep(for: .seconds(1000)) }
    for delay in [30, 20, 10] {
      let deadline = clock.now.advanced(by: .milliseconds(delay))
      async let other: Void = clock.sleep(until: deadline)
      try await clock.sleep(until: deadline)
      try await other
      #expect(clock.now >= deadline)
    }
    // The long one still sleeps; otherwise it would not throw.
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
  }

  @Test("cancelled sleeps end at once, whenever the cancellation comes, and wake no other")
  func cancelledSleeps() async {
    let clock = SystemClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1000)) }
    for _ in 0..<2_000 {
      let task = Task { try await clock.sleep(for: .seconds(1000)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

}

@Suite struct DurationTextTests {
  @Test(
    "a duration is rounded to one unit",
    arguments: [
      (-1, "0 s"), (0, "0 s"), (89, "89 s"), (90, "2 min"), (3240, "54 min"), (5399, "90 min"), (5400, "2 h"),
      (129_599, "36 h"), (129_600, "2 d"), (260_000, "3 d"), (.max, "106751991167301 d"),
    ] as [(Int64, String)])
  func rounds(seconds: Int64, text: String) { #expect(durationText(seconds) == text) }
}
