import Testing

@testable import ritual_notify

/// How often a person is told that programs need the second factor of an account.
@Suite struct FactorNeedsTests {
  private static let need = FactorNeeds.Need(program: "backup", reason: nil)

  /// Whether a need that arises at `moment` is shown.
  private func isShown(_ needs: FactorNeeds, _ account: String, at moment: ContinuousClock.Instant) -> Bool {
    var needs = needs
    needs.add(account, Self.need, now: moment)
    return needs.waiting[account] != nil
  }

  @Test("MF-4: one notification of an account in 10 minutes, and an hour of silence after a dismissal")
  func pauses() {
    let start = ContinuousClock.now
    var needs = FactorNeeds()
    #expect(isShown(needs, "work", at: start))
    needs.add("work", Self.need, now: start)
    needs.shown("work", now: start)
    #expect(needs.waiting.isEmpty)
    #expect(!isShown(needs, "work", at: start + .seconds(599)))
    #expect(isShown(needs, "work", at: start + .seconds(600)))
    #expect(isShown(needs, "home", at: start), "another account")
    needs.dismissed("work", now: start + .seconds(60))
    #expect(!isShown(needs, "work", at: start + .seconds(3659)))
    #expect(isShown(needs, "work", at: start + .seconds(3660)))
  }

  @Test("a verification ends the silence, and what waits")
  func settles() {
    let start = ContinuousClock.now
    var needs = FactorNeeds()
    needs.add("work", Self.need, now: start)
    needs.settled("work")
    #expect(needs.waiting.isEmpty)
    needs.dismissed("work", now: start)
    needs.settled("work")
    #expect(isShown(needs, "work", at: start))
  }
}
