import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport
import Testing

@testable import SessionEngine

/// The rules for limits and for a second factor elsewhere, without an agent.
@Suite struct SessionLimitTests {
  private static let start = Timestamp(unixSeconds: 1_795_000_000)

  private static func after(_ seconds: Int64) -> Timestamp { Timestamp(unixSeconds: start.unixSeconds + seconds) }

  // MARK: - The expected end

  @Test("SL-2: the configured limit replaces the learned one; that of the second factor is another one")
  func expectedEnd() {
    var limits = SessionLimits()
    #expect(limits.end(of: Self.start, needsSecondFactor: true) == nil)
    limits.learned = LearnedLimits(origin: "o", timebox: 1000, lowAssurance: 300)
    #expect(limits.end(of: Self.start, needsSecondFactor: false)?.at == Self.after(1000))
    #expect(limits.end(of: Self.start, needsSecondFactor: false)?.isEstimate == true)
    #expect(limits.end(of: Self.start, needsSecondFactor: true)?.at == Self.after(300))
    limits.configured = 2000
    #expect(limits.end(of: Self.start, needsSecondFactor: false)?.at == Self.after(2000))
    #expect(limits.end(of: Self.start, needsSecondFactor: false)?.isEstimate == false)
    #expect(limits.end(of: Self.start, needsSecondFactor: true)?.at == Self.after(300))
    #expect(limits.end(of: Self.start, needsSecondFactor: true)?.isEstimate == true)
  }

  // MARK: - Learning

  @Test("SL-2: the shortest life counts, and one that no limit can have does not")
  func learns() {
    var limits = LearnedLimits(origin: "o")
    let steps: [(SessionEndReason, Int, Bool)] = [
      (.timebox, 1000, true), (.timebox, 1200, false), (.timebox, 900, true), (.lowAssurance, 300, true),
      (.timebox, -1, false), (.timebox, 0, false), (.timebox, 59, false), (.timebox, .min, false),
    ]
    let others = SessionEndReason.known.filter { ![.timebox, .lowAssurance].contains($0) }
    for (reason, life, changes) in steps + others.map({ ($0, 100, false) }) {
      let changed = limits.note(reason, life: life)
      #expect(changed == changes, "\(reason.rawValue) \(life)")
    }
    #expect(limits == LearnedLimits(origin: "o", timebox: 900, lowAssurance: 300))
    var empty = LearnedLimits(origin: "o")
    for life in [315_360_001, .max] {
      let changed = empty.note(.timebox, life: life)
      #expect(!changed)
    }
  }

  @Test("SL-2: a limit that a session outlives is forgotten")
  func forgets() {
    var limits = LearnedLimits(origin: "o", timebox: 900, lowAssurance: 300)
    // A session with the second factor outlives only the time limit.
    for (life, needsSecondFactor, changes) in [(300, true, false), (500, false, false), (500, true, true)] {
      let changed = limits.outlived(life: life, isLowAssurance: needsSecondFactor)
      #expect(changed == changes, "\(life)")
    }
    #expect(limits == LearnedLimits(origin: "o", timebox: 900))
    let changed = limits.outlived(life: 901, isLowAssurance: false)
    #expect(changed && limits.isEmpty)
  }

  @Test("SL-2: the limits of 64 origins are kept, those changed longest ago are forgotten")
  func isBounded() {
    var settings = StoredSettings()
    func learn(_ origin: String, _ life: Int) -> Bool {
      settings.changeLimits(of: origin) { $0.note(.timebox, life: life) }
    }
    for number in 0..<70 { #expect(learn("o\(number)", 100)) }
    #expect(settings.limits?.count == 64)
    #expect(settings.limits(of: "o5") == nil)
    #expect(settings.limits(of: "o6")?.timebox == 100)
    #expect(learn("o6", 90))
    #expect(learn("new", 90))
    #expect(settings.limits(of: "o6") != nil && settings.limits(of: "o7") == nil)
    let changed = settings.changeLimits(of: "o6") { $0.outlived(life: 91, isLowAssurance: false) }
    #expect(changed && settings.limits(of: "o6") == nil)
  }

  @Test("settings of an older version have no limits, and those without limits are written as before")
  func readsOlderSettings() throws {
    let old = try SessionStore.decode(StoredSettings.self, Array(#"{"format":1,"defaultAccount":"a"}"#.utf8))
    #expect(old.limits == nil)
    #expect(String(decoding: try SessionStore.encode(old), as: UTF8.self) == #"{"defaultAccount":"a","format":1}"#)
  }

  // MARK: - A second factor elsewhere

  private static func factor(_ challenged: Int64?, isVerified: Bool = true) -> Factor {
    Factor(
      id: "f", type: "totp", isVerified: isVerified,
      lastChallengedAt: challenged.map { Date(timeIntervalSince1970: Double(after($0).unixSeconds)) })
  }

  private static func ended(_ kind: SessionEndReason? = .endedElsewhere, aliveAt: Int64? = 100) -> StoredEnd {
    StoredEnd(
      at: after(500), reason: "ended elsewhere", userID: "u", kind: kind, aliveAt: aliveAt.map(after))
  }

  @Test("SL-1: a challenge between the last refresh and the end is probably the cause")
  func findsASecondFactor() {
    let end = Self.ended()
    #expect(end.secondFactorElsewhere([Self.factor(300)]) == Self.after(300))
    #expect(end.secondFactorElsewhere([Self.factor(200), Self.factor(300), Self.factor(700)]) == Self.after(300))
    #expect(end.secondFactorElsewhere([Self.factor(500)]) == Self.after(500))
    #expect(end.secondFactorElsewhere([Self.factor(700)], skew: 400) == Self.after(300))
    #expect(end.secondFactorElsewhere([Self.factor(300)], skew: 400) == nil)
    for factor in [Self.factor(100), Self.factor(501), Self.factor(nil), Self.factor(300, isVerified: false)] {
      #expect(end.secondFactorElsewhere([factor]) == nil)
    }
    #expect(end.secondFactorElsewhere([]) == nil)
    for other in SessionEndReason.known where other != .endedElsewhere {
      #expect(Self.ended(other).secondFactorElsewhere([Self.factor(300)]) == nil)
    }
    #expect(Self.ended(nil).secondFactorElsewhere([Self.factor(300)]) == nil)
    #expect(Self.ended(aliveAt: nil).secondFactorElsewhere([Self.factor(300)]) == nil)
  }
}
