import NIOCore
import NIOPosix
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AgentCore

/// Who gets the event loop, and how much of it (PR-4).
@Suite struct FairTurnsTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

  @Test func whatWasSavedIsSpentAtOnceAndThenTheShareAlone() {
    var allowance = WorkAllowance(saved: .milliseconds(10), part: 16, now: Self.start)
    #expect(allowance.wait(now: Self.start) == .zero)
    allowance.spend(.milliseconds(10), now: Self.start)
    #expect(allowance.wait(now: Self.start) == .zero)
    allowance.spend(.milliseconds(1), now: Self.start)
    #expect(allowance.wait(now: Self.start) == .milliseconds(16))
    #expect(allowance.wait(now: Self.start + .milliseconds(6)) == .milliseconds(10))
    #expect(allowance.wait(now: Self.start + .milliseconds(16)) == .zero)
    // A clock that was read before: nothing comes of it.
    allowance.spend(.zero, now: Self.start + .milliseconds(16))
    #expect(allowance.wait(now: Self.start) == .zero)
    // No more is saved than that, however long it takes.
    allowance.spend(.milliseconds(11), now: Self.start + .hours(1))
    #expect(allowance.wait(now: Self.start + .hours(1)) == .milliseconds(16))
  }

  /// Which process had its turn, in order.
  private final class Order: Sendable {
    let processes = Mutex<[Int32]>([])
    func took(_ process: Int32) -> Bool {
      processes.withLock { $0.append(process) }
      return true
    }
  }

  @Test func aProcessWithManyConnectionsHasOneTurnToEachOfTheOthers() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let order = Order()
    try await loop.submit {
      let turns = FairTurns(loop)
      for _ in 0..<5 { turns.wait(1) { _ in order.took(1) } }
      for process in [Int32(2), 3] { turns.wait(process) { _ in order.took(process) } }
      // Behind its own that wait already.
      turns.wait(2) { _ in order.took(2) }
    }.get()
    try await eventually("all had their turn") { order.processes.withLock { $0.count } == 8 }
    #expect(order.processes.withLock { $0 } == [1, 2, 3, 1, 2, 1, 1, 1])
  }

  private final class Late: Sendable {
    let time = Mutex<ContinuousClock.Instant?>(nil)
  }

  @Test func whoHasClosedTakesNoTurn() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let order = Order()
    try await loop.submit {
      let turns = FairTurns(loop)
      // With what each turn costs these alone would take minutes.
      for process in 0..<Int32(300_000) { turns.wait(process) { _ in false } }
      turns.wait(-1) { _ in order.took(-1) }
    }.get()
    try await eventually("the one that is left had its turn") { order.processes.withLock { $0 } == [-1] }
  }

  @Test func nobodyOwesMoreThanCanBeSaved() {
    var allowance = WorkAllowance(saved: .milliseconds(10), part: 16, now: Self.start)
    allowance.spend(.hours(1), now: Self.start)
    #expect(allowance.wait(now: Self.start) == .milliseconds(160))
  }

  @Test func whatTurnsCostIsWaitedFor() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let begun = ContinuousClock.now
    let late = Late()
    try await loop.submit {
      let turns = FairTurns(loop)
      #expect(!turns.isSpent)
      turns.spend(SocketBounds.savedWork + .milliseconds(20))
      #expect(turns.isSpent)
      turns.wait(1) { _ in
        late.time.withLock { $0 = .now }
        return true
      }
    }.get()
    try await eventually("its turn") { late.time.withLock { $0 != nil } }
    // Never earlier; how much later is the machine's matter.
    #expect(try #require(late.time.withLock { $0 }) - begun >= .milliseconds(20 * Int64(SocketBounds.workPart) - 50))
  }

  @Test func aNoticeIsSaidOnceASecondWithTheCountOfTheRest() {
    var notice = SparseNotice()
    #expect(notice.say(now: Self.start) == 0)
    #expect(notice.say(now: Self.start + .milliseconds(999)) == nil)
    #expect(notice.say(now: Self.start + .milliseconds(999)) == nil)
    #expect(notice.say(now: Self.start + .seconds(1)) == 2)
    #expect(notice.say(now: Self.start + .seconds(5)) == 0)
  }

  /// A connection that speaks all the time uses up what was saved.
  private func exhaust(_ server: RunningServer) async throws -> RawClient {
    let loud = try server.connect()
    // Half of what may be in flight: an answer comes a moment before its request counts as ended.
    let batch = "[" + Array(repeating: ServerTests.subtract, count: RPCBounds.inFlight / 2).joined(separator: ",") + "]"
    let (batches, begun) = (40, ContinuousClock.now)
    for _ in 0..<batches { #expect(try await loud.ask(batch)?.contains("error") == false) }
    // What the requests cost beyond what was saved had to be waited for, but for the last batch's.
    let cost = SocketBounds.requestCost * (RPCBounds.inFlight / 2 * (batches - 1))
    let wait = Duration.nanoseconds((cost - SocketBounds.savedWork).nanoseconds) * SocketBounds.workPart
    #expect(ContinuousClock.now - begun >= wait * 0.95)
    return loud
  }

  @Test func requestsBeyondTheAllowanceAreAnsweredLaterAllOfThemInOrder() async throws {
    try await withServer { server in
      _ = try await exhaust(server)
      let client = try server.connect()
      try await client.send(String(repeating: "[\n", count: 200) + ServerTests.subtract + "\n")
      for _ in 0..<200 { #expect(try await ServerTests.code(client.line()) == -32700) }
      #expect(try await client.line() == ServerTests.nineteen)
      // A client that has shut down its side still gets what it asked for.
      let half = try server.connect()
      try await half.send(ServerTests.subtract + "\n")
      half.endInput()
      #expect(try await half.line() == ServerTests.nineteen)
      #expect(try await half.line() == nil)
    }
  }

  @Test("OP-2: a first request that waits for its turn is answered before a stop")
  func aStopAnswersAFirstRequestThatWaits() async throws {
    try await withServer(grace: .seconds(60), firstRequest: .seconds(60)) { server in
      let loud = try await exhaust(server)
      let new = try server.connect()
      try await new.send(ServerTests.subtract + "\n")
      try await eventually("it was accepted") { !server.hasBacklog }
      await server.stop()
      #expect(try await new.line() == ServerTests.nineteen)
      #expect(try await new.line() == nil)
      #expect(try await loud.line() == nil)
    }
  }
}
