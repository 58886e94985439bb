import AgentProtocol
import TestKit
import Testing

@testable import AgentServer

/// The memory limits for answers (PR-4).
@Suite struct AnswerRoomTests {
  private let room = AnswerBudget(limit: 100, processLimit: 60)

  @Test func isBoundedInAllAndForEachProcess() throws {
    var kept = [try #require(room.reserve(60, for: 1))]
    #expect(room.reserve(1, for: 1) == nil)
    kept.append(try #require(room.reserve(40, for: 2)))
    #expect(room.reserve(1, for: 2) == nil, "no more in all")
    kept.removeFirst()
    #expect(room.reserved == 40)
    #expect(room.reserve(60, for: 3) != nil)
    kept = []
    #expect(room.reserved == 0)
  }

  @Test func anAnswerTakesWhatItTakes() throws {
    let reservation = try #require(room.reserve(10, for: 1))
    reservation.settle(at: 90)
    #expect(room.reserved == 90)
    #expect(room.reserve(1, for: 1) == nil)
    reservation.settle(at: 0)
    #expect(room.reserved == 0)
  }

  @Test func moreIsWaitedFor() async throws {
    let first = try #require(room.reserve(50, for: 1))
    let second = try #require(room.reserve(5, for: 1))
    let waiting = Task { try await second.add(20) }
    first.settle(at: 0)
    try await waiting.value
    #expect(second.bytes == 25)
    #expect(room.reserved == 25)
  }

  @Test func aWaitEndsWithItsTask() async throws {
    let first = try #require(room.reserve(50, for: 1))
    let second = try #require(room.reserve(5, for: 1))
    let waiting = Task { try await second.add(20) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(room.reserved == 55)
    withExtendedLifetime(first) {}
  }

  @Test func whatNeverFitsIsRefused() async throws {
    let reservation = try #require(room.reserve(5, for: 1))
    await #expect { try await reservation.add(56) } throws: { ($0 as? AgentError)?.kind == .tooMany }
  }
}
