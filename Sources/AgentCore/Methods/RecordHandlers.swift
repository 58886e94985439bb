import AccessControl
import AgentProtocol
import AgentServer
import SessionEngine

/// `audit.*` and `telemetry.*`
extension MethodTable {
  mutating func addRecordMethods(_ services: Services) {
    add(AuditList.self, policy: .none("shows what was done, no token"), cost: .files) { params, call in
      let limit = params.limit ?? AuditList.usual
      guard (1...AuditList.most).contains(limit) else {
        throw AgentError(.invalidParams, "The limit is 1 to \(AuditList.most).")
      }
      try await call.makeRoom(for: limit * AuditLog.entrySize)
      return try await services.audit.get().list(limit)
    }
    add(AuditVerify.self, policy: .none("shows what was done, no token"), cost: .files) { _, _ in
      try await services.audit.get().verify()
    }
    add(TelemetrySnapshot.self, policy: .none("shows numbers"), cost: .counters) { _, _ in
      let records = services.records
      return TelemetrySnapshot.Result(
        families: AgentMetrics.families(await services.status(), served: records.handOuts.served)
          + records.telemetry.families,
        events: records.telemetry.recent)
    }
  }
}
