import AgentProtocol

/// The limits for sessions that an auth server has shown by ending sessions, in seconds from
/// the start of a session to its end.
package struct LearnedLimits: Codable, Sendable, Hashable {
  /// The auth server's origin.
  var origin: String
  /// The shortest life of a session that the time limit ended.
  var timebox: Int?
  /// The shortest life of a session that ended because the second factor was not verified.
  var lowAssurance: Int?

  init(origin: String, timebox: Int? = nil, lowAssurance: Int? = nil) {
    (self.origin, self.timebox, self.lowAssurance) = (origin, timebox, lowAssurance)
  }

  /// Maximum number of origins. The list is sealed with the settings and read at each start.
  static let maxOrigins = 64

  /// The lives that count: below a minute nobody could use a session, and ten years are no limit. A
  /// life outside of it comes from a clock that was set.
  static let plausible = 60...315_360_000

  var isEmpty: Bool { timebox == nil && lowAssurance == nil }

  private static func member(_ reason: SessionEndReason) -> WritableKeyPath<LearnedLimits, Int?>? {
    switch reason {
    case .timebox: \.timebox
    case .lowAssurance: \.lowAssurance
    default: nil
    }
  }

  /// Notes that a session ended for `reason` after `life` seconds. Returns whether that changes
  /// anything.
  mutating func note(_ reason: SessionEndReason, life: Int) -> Bool {
    guard let member = Self.member(reason), Self.plausible.contains(life), life < self[keyPath: member] ?? .max else {
      return false
    }
    self[keyPath: member] = life
    return true
  }

  /// Forgets limits that a session has outlived: the project has raised or removed them. Returns
  /// whether that changes anything.
  mutating func outlived(life: Int, isLowAssurance: Bool) -> Bool {
    let old = self
    if let timebox, life > timebox { self.timebox = nil }
    if isLowAssurance, let lowAssurance, life > lowAssurance { self.lowAssurance = nil }
    return self != old
  }
}

extension StoredSettings {
  func limits(of origin: String) -> LearnedLimits? { limits?.first { $0.origin == origin } }

  /// Changes an origin's limits by `change`, which returns whether it changed anything, and returns
  /// that. The origin whose limits changed longest ago is forgotten first.
  mutating func changeLimits(of origin: String, _ change: (inout LearnedLimits) -> Bool) -> Bool {
    var all = limits ?? []
    var known = all.first { $0.origin == origin } ?? LearnedLimits(origin: origin)
    guard change(&known) else { return false }
    all.removeAll { $0.origin == origin }
    if !known.isEmpty { all.append(known) }
    limits = all.isEmpty ? nil : all.suffix(LearnedLimits.maxOrigins)
    return true
  }
}
