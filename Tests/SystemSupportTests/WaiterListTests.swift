import Dispatch
import Synchronization
import SystemSupport
import TestKit
import Testing

@Suite struct WaiterListTests {
  private let list = WaiterList<Int>()

  @Test func everyWaiterOfAKeyGetsTheValue() async throws {
    let waiters = (0..<100).map { _ in Task { [list] in try await list.wait(for: "a") } }
    let other = Task { [list] in try await list.wait(for: "b") }
    try await eventually("registered") { self.list.count == 101 }
    list.resume("a", returning: 7)
    for waiter in waiters { #expect(try await waiter.value == 7) }
    #expect(list.count == 1)
    #expect(list.hasWaiters("b"))
    list.resumeAll(returning: 8)
    #expect(try await other.value == 8)
  }

  @Test func aValueThatIsPresentEndsTheWaitAtOnce() async throws {
    #expect(try await list.wait { 3 } == 3)
    #expect(list.count == 0)
  }

  @Test func aDeadlineEndsTheWait() async {
    await #expect(throws: WaitFailure.timedOut) {
      _ = try await list.wait(until: SystemClock().deadline(after: .milliseconds(1)))
    }
    await #expect(throws: WaitFailure.timedOut) {
      _ = try await list.wait(until: SystemClock().deadline(after: .seconds(-1)))
    }
  }

  @Test func cancellationEndsTheWait() async throws {
    let waiter = Task { [list] in try await list.wait(until: SystemClock().deadline(after: .seconds(1000))) }
    try await eventually("registered") { self.list.count == 1 }
    waiter.cancel()
    await #expect(throws: WaitFailure.cancelled) { _ = try await waiter.value }
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async {
    let waiter = Task { [list] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await list.wait()
    }
    await #expect(throws: WaitFailure.cancelled) { _ = try await waiter.value }
    #expect(list.count == 0)
  }

  @Test func aShutdownEndsPresentAndFutureWaits() async throws {
    let waiter = Task { [list] in try await list.wait(for: "a") }
    try await eventually("registered") { self.list.count == 1 }
    list.shutDown()
    await #expect(throws: WaitFailure.shutDown) { _ = try await waiter.value }
    await #expect(throws: WaitFailure.shutDown) { _ = try await list.wait(for: "b") }
    list.resumeAll(returning: 1)
  }

  /// A value, a deadline, a cancellation and a shutdown race for each waiter. A second resumption
  /// would trap, a missing one would hang.
  @Test func eachWaiterIsResumedExactlyOnce() async throws {
    for round in 0..<50 {
      let list = WaiterList<Int>()
      let waiters = (0..<40).map { number in
        Task {
          try? await list.wait(
            for: "\(number % 3)",
            until: number % 2 == 0 ? SystemClock().deadline(after: .microseconds(number * 20)) : nil)
        }
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for waiter in waiters where round % 2 == 0 { waiter.cancel() } }
        group.addTask { for _ in 0..<5 { list.resume("1", returning: round) } }
        group.addTask { list.resumeAll(returning: round) }
        group.addTask { list.shutDown() }
      }
      for waiter in waiters { _ = await waiter.value }
      #expect(list.count == 0)
    }
  }

  /// An actor is not left before its waiter is registered, so that no other task of the actor can give
  /// the value meanwhile.
  @Test func anActorMissesNoValue() async throws {
    actor Box {
      let executor = QueueExecutor()
      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

      /// Waits, and returns where the list called `present`, just after the registration.
      func isOnItsExecutor(_ list: WaiterList<Bool>) async throws -> Bool {
        let executor = executor
        return try await list.wait { executor.isCurrent }
      }
    }
    #expect(try await Box().isOnItsExecutor(WaiterList()))
  }
}

/// A queue that knows whether the caller runs on it.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")
  private let key = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: key, value: true) }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
