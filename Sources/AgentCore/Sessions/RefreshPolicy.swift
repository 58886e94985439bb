/// When tokens are refreshed: every number of the refresh engine, with its reason. Pure; randomness is handed in.
struct RefreshPolicy: Sendable {
  /// A number in 0..<1, for jitter.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// A refresh that ended so recently serves all who ask to force one (TK-4): tools that fail together ask together.
  static let freshness: Duration = .seconds(5)

  /// A caller waits so long at most (TK-4).
  static let longestWait: Duration = .seconds(15)

  /// The loop recomputes at least so often: a clock that jumped or slept is noticed by then.
  static let tick: Duration = .seconds(30)

  /// Tries that follow each other quickly while callers wait (TK-5); after them the account is `degraded`.
  static let quickTries = 3

  /// The first pause between quick tries doubles: with full jitter, two pauses of 0.25 and 0.5 s at most leave the
  /// third try within 2 s on a healthy network (TK-5).
  static let quickPause: Duration = .milliseconds(250)

  /// The first slow pause; it doubles up to `longestPause`.
  static let slowPause: Duration = .seconds(4)

  /// The cap of the backoff: a server that was away for hours is found back within a quarter of an hour.
  static let longestPause: Duration = .seconds(900)

  /// The pause after a 429 without `Retry-After`: the server's budget is 150 in 5 minutes, so half a minute frees 15.
  static let limitedPause: Duration = .seconds(30)

  /// The pause after an answer that no waiting mends (a wrong key or address, a banned user); whoever mends it asks
  /// for a token anyway, and that tries at once.
  static let hopelessPause: Duration = .seconds(300)

  /// A paused project (540) is woken by its owner, within minutes at the earliest.
  static let pausedPause: Duration = .seconds(900)

  /// Callers cannot cause two tries of one account closer than this, however many they are.
  static let spacing: Duration = .seconds(1)

  /// The first pause before a failed write is tried again; it doubles up to half a minute.
  static let writePause: Duration = .seconds(1)

  /// The least life that a caller gets by default: 60 s, or a tenth of the token's life if that is less.
  static func usualMinimumLife(of life: Duration) -> Duration { min(.seconds(60), life / 10) }

  /// How long before its end a token is refreshed: a quarter of its life, five minutes at most, so that a caller who
  /// asks for the usual minimum never waits, and three failed tries leave time for more.
  static func lead(of life: Duration) -> Duration { min(.seconds(300), life / 4) }

  /// How long after its receipt a token of this life is refreshed. The jitter (a quarter of the lead, always earlier)
  /// spreads accounts that signed in together.
  func refreshDelay(life: Duration) -> Duration {
    let lead = Self.lead(of: life)
    return life - lead - lead / 4 * random()
  }

  /// The pause after `failures` failures in a row: exponential with full jitter while callers wait, then with half.
  func pause(afterFailures failures: Int) -> Duration {
    if failures < Self.quickTries { return Self.quickPause * (1 << max(0, failures - 1)) * random() }
    // 4 s doubled 8 times passes the cap of 900 s.
    let doubled = Self.slowPause * (1 << min(8, failures - Self.quickTries))
    return min(Self.longestPause, doubled) * (0.5 + random() / 2)
  }

  /// A slow pause, spread by a fifth.
  func spread(_ pause: Duration) -> Duration { pause * (1 + random() / 5) }
}
