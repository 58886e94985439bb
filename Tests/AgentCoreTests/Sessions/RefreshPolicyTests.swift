import SupabaseAuth
import Synchronization
import SystemSupport
import Testing

@testable import SessionEngine

/// Refresh times and pauses, for token lifetimes from a second to a year.
struct RefreshPolicyTests {
  private static let lives = [1, 2, 5, 30, 60, 120, 600, 3600, 86_400, 604_800, 31_536_000]

  @Test("TK-2: the refresh comes late in the lifetime, and before a caller would have to wait", arguments: lives)
  func refreshesInTime(seconds: Int) {
    let life = Duration.seconds(seconds)
    for random in [0.0, 0.3, 0.999] {
      let delay = RefreshPolicy(random: { random }).refreshDelay(life: life)
      #expect(delay > life / 3)
      #expect(seconds < 10 || delay > life / 2)
      // Leaves time for the three quick attempts (0.75 s of pauses at most) before the usual
      // minimum, where possible.
      let room = life - RefreshPolicy.defaultMinLifetime(of: life) - delay
      #expect(room >= min(.seconds(240), life / 20))
    }
  }

  @Test("the lead is 5 minutes of an hour, 1 hour of a day, 2 of 5 seconds")
  func scalesTheLead() {
    #expect(RefreshPolicy.lead(of: .seconds(3600)) == .seconds(300))
    #expect(RefreshPolicy.lead(of: .seconds(86_400)) == .seconds(3600))
    #expect(RefreshPolicy.lead(of: .seconds(5)) == .seconds(2))
    #expect(RefreshPolicy.defaultMinLifetime(of: .seconds(5)) == .milliseconds(1500))
  }

  @Test("TK-5: two quick pauses with full jitter, one of up to 2 minutes, then 20 to 50 minutes")
  func backsOff() {
    let failure = RefreshFailure(kind: .transient, error: AuthError(.network, "no"))
    let longest = RefreshPolicy(random: { 1 })
    let shortest = RefreshPolicy(random: { 0 })
    let pauses = (1...6).map { longest.pause(after: failure, step: $0) }
    #expect(pauses.map(\.kind) == [.quick, .quick] + Array(repeating: .backoff, count: 4))
    #expect(pauses.map(\.length.seconds) == [0.25, 0.5, 120, 3000, 3000, 3000])
    #expect((1...6).map { shortest.pause(after: failure, step: $0).length.seconds } == [0, 0, 0, 1200, 1200, 1200])
    #expect(longest.pause(after: failure, step: 1_000_000).length == RefreshPolicy.maxLatePause)
  }

  @Test("every pause is within its bounds, and late pauses are spread evenly", arguments: RefreshFailure.Kind.allCases)
  func boundsEveryPause(kind: RefreshFailure.Kind) throws {
    let seed = TestSeeds.chosen?.first ?? UInt64.random(in: 0...UInt64.max)
    let chance = Mutex(SeededRandom(seed))
    let policy = RefreshPolicy(random: { chance.withLock { Double.random(in: 0..<1, using: &$0) } })
    let failure = RefreshFailure(kind: kind, error: AuthError(.network, "no"))
    var late: [Double] = []
    for _ in 0..<10_000 {
      let step = chance.withLock { 1 + $0.below(20) }
      let pause = policy.pause(after: failure, step: step)
      let bounds = Self.bounds(kind, step)
      try #require(bounds.contains(pause.length.seconds), "RITUAL_TEST_SEED=\(seed): step \(step), \(pause.length)")
      try #require(
        pause.kind == (kind != .transient ? .slow : step < 3 ? .quick : .backoff), "RITUAL_TEST_SEED=\(seed)")
      if bounds == 1200...3000 { late.append(pause.length.seconds) }
    }
    // Each tenth of the range has a tenth of the pauses: 700 or more of 7,000, with a standard
    // deviation below 30.
    for tenth in 0..<10 {
      let low = 1200 + 180 * Double(tenth)
      let part = late.count { $0 >= low && $0 < low + 180 }
      #expect(abs(part - late.count / 10) < 200, "RITUAL_TEST_SEED=\(seed): \(part) of \(late.count) from \(low) s on")
    }
  }

  /// The bounds of a pause in seconds.
  private static func bounds(_ kind: RefreshFailure.Kind, _ step: Int) -> ClosedRange<Double> {
    guard kind == .transient else { return 1200...3000 }
    return switch step {
    case 1: 0...0.25
    case 2: 0...0.5
    case 3: 0...120
    default: 1200...3000
    }
  }

  @Test("a pause requested by the server is never shortened; a 429 without Retry-After pauses for 30 s")
  func keepsWhatTheServerAsks() {
    let policy = RefreshPolicy(random: { 0 })
    let limited = AuthError(.rateLimited, "later")
    #expect(
      policy.pause(after: RefreshFailure(kind: .transient, error: limited, retryAfter: .seconds(77)), step: 1)
        == RetryPause(length: .seconds(77), kind: .enforced))
    #expect(
      policy.pause(after: RefreshFailure(kind: .transient, error: limited), step: 1)
        == RetryPause(length: .seconds(30), kind: .enforced))
  }
}
