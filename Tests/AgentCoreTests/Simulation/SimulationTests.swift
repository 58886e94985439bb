import FoundationEssentials
import Glibc
import NIOPosix
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AgentCore

@Suite struct SimulationTests {
  // 600 histories, or 20,000 in the long form. Each has a different order of events and can be
  // replayed.
  @Test("the invariants hold in every history", .timeLimit(.minutes(60)))
  func anyHistory() async throws {
    let outcome = try await Shard.playAll(Seeds.asked, steps: Seeds.steps)
    for failure in outcome.failures { Issue.record("\(failure.report)") }
    print("simulation: \(outcome.played) histories, \(outcome.virtualDays) days of virtual time")
    let events = Self.methodEvents + Self.verificationEvents + ["sessions lost by a lost answer"]
    print(events.map { "\($0): \(outcome.tally[$0, default: 0])" }.joined(separator: ", "))
    if Seeds.replayed == nil { try checkVariety(outcome) }
  }

  /// A simulation in which nothing happens finds nothing.
  private func checkVariety(_ outcome: Outcome) throws {
    for fault in Fault.allCases {
      #expect(outcome.tally["fault \(fault)", default: 0] > 0, "no refresh met the fault \(fault)")
    }
    for kind in History.Verification.allCases {
      #expect(outcome.tally["verification \(kind)", default: 0] > 0, "no verification was \(kind)")
    }
    for event in Self.verificationEvents + Self.methodEvents {
      #expect(outcome.tally[event, default: 0] > 0, "no \(event)")
    }
    for answer in ["200", "204", "refresh_token_not_found", "user_banned", "session_not_found"] {
      #expect(outcome.tally[answer, default: 0] > 0, "the server never answered \(answer)")
    }
  }

  private static let methodEvents = [
    "sign-ins with a code", "codes whose answer was lost", "anonymous users", "upgrades of anonymous users",
    "refused ends of anonymous users", "stops with a working disk",
    "renames", "removals", "API origins accepted", "factors enrolled", "requests permitted for another API",
  ]

  private static let verificationEvents = [
    "verifications sent", "verifications answered", "verifications of unknown outcome", "last refreshes",
    "verified again", "mfa_verification_failed", "mfa_verification_rejected", "mfa_ip_address_mismatch",
  ]

  @Test("a seed always gives the same history", .timeLimit(.minutes(5)))
  func replays() async throws {
    let first = try await Shard.playAll(100..<110, steps: Seeds.steps)
    let second = try await Shard.playAll(100..<110, steps: Seeds.steps)
    #expect(first.sums == second.sums)
    #expect(Set(first.sums.values).count == 10, "each seed is another history")
  }
}

/// The seeds that are played.
enum Seeds {
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

  static let replayed = number("RITUAL_TEST_SEED")
  /// True if a failure does not end the others, for a count of failures by invariant.
  static let playsAll = getenv("RITUAL_TEST_ALL") != nil
  static let isLong = getenv("RITUAL_TEST_LONG") != nil
  /// Short histories find more in the same time: 600 of 25 steps take one to two minutes on two cores
  /// in a debug build.
  static let steps = isLong ? 50 : 25

  static var asked: Range<UInt64> {
    if let replayed { return replayed..<(replayed + 1) }
    return 1..<((isLong ? 20_000 : number("RITUAL_TEST_HISTORIES") ?? 600) + 1)
  }
}

/// The result of a number of histories.
struct Outcome: Sendable {
  struct Failure: Sendable {
    let seed: UInt64
    let step: Int
    let words: String
    let tail: [String]

    var report: String {
      """
      seed \(seed), step \(step): \(words)
      \(tail.joined(separator: "\n"))
      replay: RITUAL_TEST_SEED=\(seed)\(Seeds.isLong ? " RITUAL_TEST_LONG=1" : "") swift test --filter SimulationTests
      """
    }
  }

  var played = 0
  /// In seconds, because all histories together are some centuries: too many nanoseconds for an
  /// Int64.
  var virtualSeconds: Int64 = 0
  var failures: [Failure] = []
  var sums: [UInt64: UInt64] = [:]
  var tally: [String: Int] = [:]

  var virtualDays: Int64 { virtualSeconds / 86_400 }

  mutating func add(_ other: Outcome) {
    played += other.played
    virtualSeconds += other.virtualSeconds
    failures += other.failures
    sums.merge(other.sums) { $1 }
    tally.merge(other.tally, uniquingKeysWith: +)
  }
}

/// Plays histories one after the other, on its own thread.
struct Shard: Sendable {
  let executor: StepExecutor
  let places: VaultPaths

  /// Plays all seeds, with one thread for each core.
  static func playAll(_ seeds: Range<UInt64>, steps: Int) async throws -> Outcome {
    let count = max(1, min(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), seeds.count))
    return try await withScratchDirectory { folder in
      let memory = makeMemoryFolder()
      defer { if let memory { try? FileManager.default.removeItem(atPath: memory) } }
      let threads = NIOThreadPool(numberOfThreads: count)
      threads.start()
      let queue = SeedQueue(seeds)
      let outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
        for number in 0..<count {
          let state = (memory ?? folder.path) + "/\(number)"
          try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
          let places = VaultPaths(keyFile: state + "/vault.key", credential: nil, state: state)
          let shard = Shard(executor: StepExecutor(), places: places)
          group.addTask { try await threads.runIfActive { shard.play(steps: steps) { queue.next() } } }
        }
        return try await group.reduce(into: Outcome()) { $0.add($1) }
      }
      try await threads.shutdownGracefully()
      return outcome
    }
  }

  /// Creates a directory in memory, if possible: names and notes are written durably, thousands of
  /// times.
  private static func makeMemoryFolder() -> String? {
    var template = Array("/dev/shm/ritual-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func play(steps: Int, _ nextSeed: () -> UInt64?) -> Outcome {
    executor.own()
    defer { GlobalTasks.release() }
    var outcome = Outcome()
    while Seeds.playsAll || outcome.failures.isEmpty, let seed = nextSeed() { play(seed, steps, &outcome) }
    return outcome
  }

  private func play(_ seed: UInt64, _ steps: Int, _ outcome: inout Outcome) {
    do {
      let history = try History(seed: seed, shard: self)
      do { try history.play(steps: steps) } catch {
        outcome.failures.append(history.failure(error))
        try? history.tearDown()
      }
      history.tell(&outcome)
    } catch {
      outcome.failures.append(Outcome.Failure(seed: seed, step: 0, words: "\(error)", tail: []))
    }
  }
}

extension History {
  fileprivate func failure(_ error: any Error) -> Outcome.Failure {
    let words = (error as? Violation).map { "invariant \($0.invariant.rawValue) (\($0.invariant)): \($0.words)" }
    let lines = ledger.with { $0.trace.lines }
    return Outcome.Failure(
      seed: seed, step: step, words: words ?? "\(error)", tail: lines.suffix(25))
  }

  fileprivate func tell(_ outcome: inout Outcome) {
    if Seeds.replayed != nil { print(ledger.with { $0.trace.lines }.joined(separator: "\n")) }
    outcome.played += 1
    outcome.virtualSeconds += clock.elapsed / 1_000_000_000
    outcome.sums[seed] = ledger.with { $0.trace.sum }
    outcome.tally.merge(server.tally, uniquingKeysWith: +)
    outcome.tally.merge(actionCounts, uniquingKeysWith: +)
    outcome.tally.merge(ledger.with(\.counts), uniquingKeysWith: +)
  }
}

/// Gives each seed to one of the threads.
final class SeedQueue: Sendable {
  private let left: Mutex<Range<UInt64>>
  init(_ seeds: Range<UInt64>) { left = Mutex(seeds) }
  func next() -> UInt64? { left.withLock { $0.popFirst() } }
}
