import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AgentCore

/// Which new connection is served next, and when (PR-4).
@Suite struct ConnectionQueueTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
  private static let saved = Int(SocketBounds.savedConnections.nanoseconds / SocketBounds.connectionCost.nanoseconds)
  private static let pauseOfAll = SocketBounds.connectionCost * SocketBounds.connectionPart
  private static let pauseOfOne = SocketBounds.connectionCost * SocketBounds.processPart

  private static func queue(most: Int = 128) -> ConnectionQueue<String> { ConnectionQueue(most: most, now: start) }

  /// A queue in which process 1 has used up what one may use at once, and `waiting` of its connections wait.
  private static func crowded(most: Int = 128, waiting: Int) -> ConnectionQueue<String> {
    var queue = Self.queue(most: most)
    for _ in 0...saved { queue.spend(1, now: start) }
    for number in 1...waiting { queue.append("1.\(number)", of: 1) }
    return queue
  }

  private func next(_ queue: inout ConnectionQueue<String>, _ now: NIODeadline) throws
    -> ConnectionQueue<String>.Next
  {
    let next = queue.next(hasBehind: false, now: now)
    return try #require(next)
  }

  @Test func oneAfterTheOtherIsNoCrowd() {
    var queue = Self.queue()
    for number in 0..<10 * Self.saved {
      queue.append("\(number)", of: 1)
      #expect(queue.next(hasBehind: false, now: Self.start)?.connection == "\(number)")
      #expect(queue.wait(now: Self.start) == nil)
    }
    #expect(!queue.makesMany(1, now: Self.start))
  }

  @Test func twoHundredToolsAtOnceAreServedAtOnce() {
    var queue = Self.queue()
    for process in 1...Int32(200) { queue.append("\(process)", of: process) }
    for process in 1...200 {
      #expect(queue.wait(now: Self.start) == .zero)
      #expect(queue.next(hasBehind: true, now: Self.start)?.connection == "\(process)")
    }
  }

  @Test func processesTakeTurns() {
    var queue = Self.queue()
    for name in ["1.1", "1.2", "1.3"] { queue.append(name, of: 1) }
    for name in ["2.1", "2.2"] { queue.append(name, of: 2) }
    queue.append("3.1", of: 3)
    let order = (0..<6).compactMap { _ in queue.next(hasBehind: false, now: Self.start)?.connection }
    #expect(order == ["1.1", "2.1", "3.1", "1.2", "2.2", "1.3"])
    #expect(queue.isEmpty)
  }

  @Test func aProcessIsHeldToItsRateAndNobodyElseIs() throws {
    var queue = Self.crowded(waiting: 3)
    #expect(queue.wait(now: Self.start) == Self.pauseOfOne)
    // The rate of all together was met as well.
    let now = Self.start + Self.pauseOfAll
    #expect(queue.next(hasBehind: false, now: now) == nil)
    queue.append("2.1", of: 2)
    #expect(queue.wait(now: now) == .zero)
    let other = try next(&queue, now)
    #expect(other.connection == "2.1" && !other.isOfMany)
    #expect(queue.next(hasBehind: false, now: now + Self.pauseOfAll) == nil)
    let later = Self.start + Self.pauseOfOne
    let first = try next(&queue, later)
    #expect(first.connection == "1.1" && first.isOfMany)
    #expect(queue.next(hasBehind: false, now: later) == nil)
    #expect(queue.wait(now: later) == Self.pauseOfOne)
  }

  @Test func allTogetherAreHeldToARate() {
    var queue = Self.queue()
    for process in 1...Int32(Self.saved) + 2 { queue.append("", of: process) }
    for _ in 0...Self.saved { #expect(queue.next(hasBehind: true, now: Self.start) != nil) }
    #expect(queue.next(hasBehind: true, now: Self.start) == nil)
    #expect(queue.wait(now: Self.start) == Self.pauseOfAll)
    #expect(queue.pause(now: Self.start) == Self.pauseOfAll)
  }

  @Test func aFullQueueIsEmptiedAtTheRateOfAll() throws {
    var queue = Self.crowded(most: 3, waiting: 3)
    #expect(queue.isFull)
    let now = Self.start + Self.pauseOfAll
    #expect(queue.wait(now: now) == .zero)
    let first = try next(&queue, now)
    #expect(first.connection == "1.1" && first.isOfMany)
    #expect(!queue.isFull && queue.wait(now: now + Self.pauseOfAll) != .zero)
  }

  @Test func whoHasSavedUpAgainIsForgottenFirst() {
    var queue = Self.crowded(waiting: 1)
    for process in 2...Int32(SocketBounds.countedProcesses) { queue.spend(process, now: Self.start) }
    // No room is left now; the first has still to wait, the others have not.
    queue.spend(-1, now: Self.start)
    #expect(queue.makesMany(1, now: Self.start))
  }

  @Test func sixtyFourOfAProcessAreNotMany() {
    var queue = Self.queue()
    for _ in 0..<64 { queue.spend(1, now: Self.start) }
    #expect(!queue.makesMany(1, now: Self.start))
    queue.spend(1, now: Self.start)
    #expect(queue.makesMany(1, now: Self.start) && !queue.makesMany(2, now: Self.start))
    #expect(!queue.makesMany(1, now: Self.start + Self.pauseOfOne))
  }

  @Test func whatWaitsAtTheEndIsGivenUpWhole() {
    var queue = Self.crowded(waiting: 5)
    queue.append("2.1", of: 2)
    #expect(queue.drain().sorted() == ["1.1", "1.2", "1.3", "1.4", "1.5", "2.1"])
    #expect(queue.isEmpty)
  }
}
