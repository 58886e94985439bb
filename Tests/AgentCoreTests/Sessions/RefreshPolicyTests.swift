import SupabaseAuth
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

  @Test("TK-5: two quick pauses with full jitter, then doubling from 4 s with half jitter, up to 15 minutes")
  func backsOff() {
    let failure = RefreshFailure(kind: .transient, error: AuthError(.network, "no"))
    let longest = RefreshPolicy(random: { 0.999_999 })
    let shortest = RefreshPolicy(random: { 0 })
    let pauses = (1...14).map { longest.pause(after: failure, step: $0) }
    #expect(pauses.map(\.kind) == [.quick, .quick] + Array(repeating: .backoff, count: 12))
    #expect(pauses[0].length + pauses[1].length < .seconds(1))
    let expected = [4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900].map(Double.init)
    for (pause, seconds) in zip(pauses.dropFirst(2), expected) {
      #expect(abs(pause.length.seconds - seconds) < 0.01)
    }
    #expect(shortest.pause(after: failure, step: 1).length == .zero)
    #expect(shortest.pause(after: failure, step: 3).length == .seconds(2))
    #expect(longest.pause(after: failure, step: 1_000_000).length <= RefreshPolicy.maxBackoff)
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
    #expect(
      policy.pause(after: RefreshFailure(kind: .paused, error: limited), step: 1)
        == RetryPause(length: .seconds(900), kind: .slow))
    #expect(
      policy.pause(after: RefreshFailure(kind: .misconfigured, error: limited), step: 9)
        == RetryPause(length: .seconds(300), kind: .slow))
  }
}
