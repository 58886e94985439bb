import AgentProtocol

/// The expected end of an account's session, and when a person is reminded of it.
struct SessionEnding: Equatable {
  /// A reminder. The later one is the greater one.
  enum Stage: String, Comparable, CaseIterable {
    case day
    case hour

    /// Seconds from the reminder to the end.
    var lead: Int64 { self == .day ? 86_400 : 3600 }

    static func < (left: Stage, right: Stage) -> Bool { left.lead > right.lead }
  }

  /// Seconds since 1970. Identifies the session.
  let start: Int64
  /// Seconds since 1970.
  let end: Int64
  /// True if an earlier session of the project told the limit.
  let isEstimate: Bool

  /// Minimum life of a session in seconds that has a reminder a day before its end. With a shorter
  /// one, the reminder would follow the sign-in.
  private static let minLifeForDay: Int64 = 172_800

  /// Nil if the account has no session, or no limit is known.
  init?(_ status: AccountStatus) {
    guard let start = status.session?.startedAt, let end = status.session?.endsAt else { return nil }
    (self.start, self.end) = (start.unixSeconds, end.unixSeconds)
    isEstimate = status.session?.isEstimate == true
  }

  /// The session's reminders. None precedes the session.
  private var stages: [Stage] {
    Stage.allCases.filter { end - $0.lead > start && ($0 != .day || end - start >= Self.minLifeForDay) }
  }

  /// The reminder that applies at `now`; nil before the first one and after the end.
  func stage(at now: Int64) -> Stage? {
    now < end ? stages.filter { now >= end - $0.lead }.max() : nil
  }

  /// The time of the next reminder after `now`.
  func next(after now: Int64) -> Int64? { stages.map { end - $0.lead }.filter { $0 > now }.min() }
}

/// Accounts whose second factor a program needs.
struct FactorNeeds {
  /// The program that asked, and its own words.
  struct Need {
    let program: String?
    let reason: String?
  }

  /// Minimum time between two notifications of an account: programs that fail together ask together.
  private static let spacing = Duration.seconds(600)
  /// How long an account is left alone after a person has closed its notification.
  private static let silence = Duration.seconds(3600)

  /// What to show.
  private(set) var waiting: [String: Need] = [:]
  private var notBefore: [String: ContinuousClock.Instant] = [:]

  /// Records that a program needs the second factor.
  mutating func add(_ account: String, _ need: Need, now: ContinuousClock.Instant = .now) {
    if let moment = notBefore[account], now < moment { return }
    waiting[account] = need
  }

  /// The need of an account is on the screen.
  mutating func shown(_ account: String, now: ContinuousClock.Instant = .now) {
    pause(account, until: now + Self.spacing)
  }

  /// A person closed the notification without a code.
  mutating func dismissed(_ account: String, now: ContinuousClock.Instant = .now) {
    pause(account, until: now + Self.silence)
  }

  /// The second factor was verified, or the session ended.
  mutating func settled(_ account: String) {
    waiting[account] = nil
    notBefore[account] = nil
  }

  private mutating func pause(_ account: String, until moment: ContinuousClock.Instant) {
    waiting[account] = nil
    notBefore[account] = moment
  }
}
