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
