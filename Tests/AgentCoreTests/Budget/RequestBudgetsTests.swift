import SystemSupport
import Testing

@testable import SessionEngine

struct RequestBudgetsTests {
  private let start = BootTime(nanoseconds: 1_000_000_000_000)
  private let origin = "https://one.example"

  /// Requests repeatedly for `duration`, as the engine does. Returns the times of the granted
  /// requests, relative to `start`.
  private func grants(
    _ budgets: RequestBudgets, _ priority: RequestBudgets.Priority, for duration: Duration
  ) -> [Duration] {
    var (now, granted) = (start, [Duration]())
    while start.duration(to: now) < duration {
      if let later = budgets.take(origin, priority, now: now) {
        #expect(later > now, "asking again at the same moment would spin")
        now = later
      } else {
        granted.append(start.duration(to: now))
      }
    }
    return granted
  }

  @Test("the server's limits, 150 in 5 minutes and 30 at once, are never exceeded", arguments: [0.0, 0.5, 0.999])
  func keepsBelowTheServersLimit(random: Double) {
    for priority in [RequestBudgets.Priority.caller, .background] {
      let granted = grants(RequestBudgets(random: { random }), priority, for: .seconds(1200))
      for (index, moment) in granted.enumerated() {
        #expect(granted[index...].prefix { $0 < moment + .seconds(300) }.count <= 150)
        #expect(granted[index...].prefix { $0 < moment + .seconds(1) }.count <= 30)
      }
      #expect(granted.count > 400, "and most of it is used")
    }
  }

  @Test("background refreshes are spread out and leave room for callers")
  func spreadsTheBackground() {
    let budgets = RequestBudgets(random: { 0.5 })
    let granted = grants(budgets, .background, for: .seconds(20))
    #expect(granted.prefix(2) == [.zero, .milliseconds(250)])
    let now = start.advanced(by: .seconds(20))
    let left = (0..<30).prefix { _ in budgets.take(origin, .caller, now: now) == nil }.count
    #expect((6...7).contains(left))
  }

  @Test("origins do not share a budget")
  func keepsOriginsApart() {
    let budgets = RequestBudgets()
    while budgets.take(origin, .caller, now: start) == nil {}
    #expect(budgets.take("https://two.example", .caller, now: start) == nil)
  }

  @Test("after a 429 the budget is empty; a sign-in is counted and never refused")
  func emptiesAndSpends() {
    let budgets = RequestBudgets()
    budgets.empty(origin, now: start)
    #expect(budgets.take(origin, .caller, now: start) != nil)
    #expect(budgets.take(origin, .caller, now: start.advanced(by: .seconds(3))) == nil)
    budgets.spend(origin, now: start.advanced(by: .seconds(4)))
    #expect(budgets.take(origin, .caller, now: start.advanced(by: .seconds(6))) != nil)
  }
}
