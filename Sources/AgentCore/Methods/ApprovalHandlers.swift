import AccessControl
import AgentProtocol
import AgentServer

/// `approval.*`
extension MethodTable {
  mutating func addApprovalMethods(_ services: Services) {
    let policy = services.policy
    add(ApprovalList.self) { _, _ in ApprovalList.Result(approvals: policy.approvals()) }
    add(ApprovalAnswer.self) { params, call in try await policy.answer(params, .init(ApprovalAnswer.name, call)) }
    add(ApprovalRevoke.self) { params, call in
      try await policy.revoke(params.id, .init(ApprovalRevoke.name, call))
      return Empty()
    }
    add(ApprovalWait.self, waitsForPerson: true) { params, _ in
      ApprovalWait.Result(state: try await policy.wait(params.id))
    }
  }
}
