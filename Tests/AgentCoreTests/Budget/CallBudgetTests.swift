import AgentProtocol
import Testing

@testable import AgentServer

/// The CPU time of calls, per process.
@Suite struct CallBudgetTests {
  private let clock = ManualClock()
  private let cost = MethodCost.network

  private func isAdmitted(_ budget: CallBudget, _ pid: Int32) -> Bool { (try? budget.admit(cost, pid)) != nil }

  private func exhaust(_ budget: CallBudget) {
    for _ in 0..<Int(CallBudget.burst) / cost.microseconds { #expect(isAdmitted(budget, 1)) }
  }

  @Test func theBurstPassesAndOneMoreDoesNot() {
    let budget = CallBudget(clock: clock)
    exhaust(budget)
    #expect { try budget.admit(cost, 1) } throws: { error in
      let error = error as? AgentError
      return error?.kind == .tooMany && error?.data.retryAfter == 1
    }
    #expect(isAdmitted(budget, 2), "another process notices nothing")
  }

  @Test func itFillsAtItsRate() {
    let budget = CallBudget(clock: clock)
    exhaust(budget)
    clock.advance(by: .seconds(1))
    for _ in 0..<Int(CallBudget.rate) / cost.microseconds { #expect(isAdmitted(budget, 1)) }
    #expect(!isAdmitted(budget, 1))
  }

  @Test func whatACallTakesBeyondItsUsualCostIsCharged() {
    let budget = CallBudget(clock: clock)
    #expect(isAdmitted(budget, 1))
    budget.charge(cost, used: cost.microseconds * CallBudget.slowness, 1)
    #expect(isAdmitted(budget, 1), "the usual cost is not charged twice")
    budget.charge(cost, used: Int(CallBudget.burst) * CallBudget.slowness, 1)
    #expect(!isAdmitted(budget, 1))
    clock.advance(by: .seconds(5))
    #expect(isAdmitted(budget, 1), "no more is owed than can be saved")
  }

  @Test func manyProcessesAreForgottenAgain() {
    let budget = CallBudget(clock: clock)
    for pid in 0..<Int32(3 * CallBudget.maxProcesses) { #expect(isAdmitted(budget, pid)) }
    #expect(budget.processes <= CallBudget.maxProcesses)
  }
}
