import AgentProtocol
import SystemSupport
import Testing

@testable import AgentCore

/// Calls that cost something, for each process.
@Suite struct CallBudgetTests {
  private let clock = ManualClock()

  private func isAdmitted(_ budget: CallBudget, _ pid: Int32, _ method: String = "vault.verify") -> Bool {
    (try? budget.admit(method, pid)) != nil
  }

  @Test func theBurstPassesAndOneMoreDoesNot() {
    let budget = CallBudget(clock: clock)
    for _ in 0..<Int(CallBudget.burst) { #expect(isAdmitted(budget, 1)) }
    #expect { try budget.admit("vault.verify", 1) } throws: { error in
      let error = error as? AgentError
      return error?.kind == .tooMany && error?.data.retryAfter == 1
    }
    #expect(isAdmitted(budget, 2), "another process notices nothing")
    #expect(isAdmitted(budget, 1, "session.token"), "an answer from memory is not counted")
  }

  @Test func itFillsAtItsRate() {
    let budget = CallBudget(clock: clock)
    for _ in 0..<Int(CallBudget.burst) { #expect(isAdmitted(budget, 1)) }
    clock.advance(by: .seconds(1))
    for _ in 0..<Int(CallBudget.rate) { #expect(isAdmitted(budget, 1)) }
    #expect(!isAdmitted(budget, 1))
  }

  @Test func manyProcessesAreForgottenAgain() {
    let budget = CallBudget(clock: clock)
    for pid in 0..<Int32(3 * CallBudget.mostProcesses) { #expect(isAdmitted(budget, pid)) }
    #expect(budget.processes <= CallBudget.mostProcesses)
  }

  @Test func everyNameIsAMethod() {
    #expect(CallBudget.methods.subtracting(PolicyUse.table.keys).isEmpty)
  }
}
