import AccessControl
import AgentProtocol
import AgentServer

/// `approval.*`
extension MethodTable {
  mutating func addApprovalMethods(_ services: Services) {
    let policy = services.policy
    let itsOwn = PolicyUse.none("has a rule of its own: who asked does not answer")
    add(ApprovalList.self, policy: itsOwn, cost: .approvals) { _, _ in
      ApprovalList.Result(approvals: policy.approvals())
    }
    add(ApprovalAnswer.self, policy: itsOwn, cost: .disk) { params, call in
      try await policy.answer(params, .init(ApprovalAnswer.name, call))
    }
    add(ApprovalRevoke.self, policy: itsOwn, cost: .disk) { params, call in
      try await policy.revoke(params.id, .init(ApprovalRevoke.name, call))
      return Empty()
    }
    add(
      ApprovalWait.self, policy: itsOwn, cost: .wait, waitsForPerson: true
    ) { params, _ in
      ApprovalWait.Result(state: try await policy.wait(params.id))
    }
  }
}
