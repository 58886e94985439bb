import AccessControl
import AgentProtocol
import AgentServer
import COpenRPC
import FoundationEssentials
import SessionEngine

/// `agent.*`
extension MethodTable {
  mutating func addAgentMethods(_ services: Services) {
    add(AgentHello.self, policy: .none("says the version"), cost: .quick) { params, _ in
      guard params.protocol == Wire.protocolVersion else { throw AgentError.unsupported(params.protocol) }
      return AgentHello.Result(
        agent: "ritual-agent", version: AgentVersion.current, protocol: Wire.protocolVersion,
        capabilities: Wire.capabilities)
    }
    add(AgentStatusMethod.self, policy: .none("shows states, no token"), cost: .costly) { params, _ in
      var status = await services.status()
      status.here = params.directory.flatMap { services.accounts.tokens.account(in: $0)?.value }
      return status
    }
    add(AgentDiagnose.self, policy: .none("shows states, no token"), cost: .costly) { _, _ in
      try await services.diagnose()
    }
    add(AgentReload.self, policy: .none("reads the user's own file"), cost: .costly) { params, _ in
      try await services.reload(params)
    }
  }
}

extension AgentError {
  /// The hint names the older side, which must be updated.
  fileprivate static func unsupported(_ version: Int) -> AgentError {
    let hint =
      version < Wire.protocolVersion
      ? "install a newer version of the client"
      : "install a newer ritual-agent, then: \(ServiceManager.restartAgent)"
    return AgentError(
      .unsupportedVersion,
      "The client uses protocol version \(version), this agent (\(AgentVersion.current)) uses version "
        + "\(Wire.protocolVersion).", hint: hint)
  }
}

/// `vault.*`
extension MethodTable {
  mutating func addVaultMethods(_ services: Services) {
    let vault = services.vault
    add(VaultStatus.self, policy: .none("shows the vault"), cost: .quick) { _, _ in try await vault.status() }
    add(VaultLock.self, policy: .none("only restricts access"), cost: .quick) { _, _ in
      try await vault.lock(.manual)
    }
    // Keys are derived on the vault's own thread, one call at a time. The threads of costly calls are
    // often idle, and a passphrase in the params would stay on their stacks.
    add(VaultUnlock.self, policy: .none("needs a key"), cost: .quick) { params, _ in
      VaultUnlock.Result(key: VaultKey(try await vault.unlock(by: params)))
    }
    add(VaultAddKey.self, policy: .none("needs a key"), cost: .quick) { params, _ in try await vault.addKey(params) }
    add(VaultRemoveKey.self, policy: .none("needs a key"), cost: .quick) { params, _ in
      try await vault.removeKey(params)
      return Empty()
    }
    add(VaultRekey.self, policy: .none("needs a key"), cost: .quick) { params, _ in try await vault.rekey(params) }
    add(VaultVerify.self, policy: .none("reads the vault's files"), cost: .costly) { _, _ in try await vault.verify() }
    add(VaultAdopt.self, policy: .none("the user confirms that this machine owns the vault"), cost: .quick) { _, _ in
      try await vault.adopt()
    }
  }
}

/// `approval.*`
extension MethodTable {
  mutating func addApprovalMethods(_ services: Services) {
    let policy = services.policy
    let itsOwn = PolicyUse.none("has its own rule: the requester cannot answer")
    add(ApprovalList.self, policy: itsOwn, cost: .costly) { _, _ in
      ApprovalList.Result(approvals: policy.approvals())
    }
    add(ApprovalAnswer.self, policy: itsOwn, cost: .quick) { params, call in
      try await policy.answer(params, .init(ApprovalAnswer.name, call))
    }
    add(ApprovalRevoke.self, policy: itsOwn, cost: .quick) { params, call in
      try await policy.revoke(params.id, .init(ApprovalRevoke.name, call))
      return Empty()
    }
    add(
      ApprovalWait.self, policy: itsOwn, cost: .quick, waitsForPerson: true
    ) { params, _ in
      ApprovalWait.Result(state: try await policy.wait(params.id))
    }
  }
}

/// `audit.*` and `telemetry.*`
extension MethodTable {
  mutating func addRecordMethods(_ services: Services) {
    add(AuditList.self, policy: .none("shows past events, no token"), cost: .costly) { params, _ in
      let limit = params.limit ?? AuditList.defaultLimit
      guard (1...AuditList.maxLimit).contains(limit) else {
        throw AgentError(.invalidParams, "The limit must be 1 to \(AuditList.maxLimit).")
      }
      return try await services.audit.get().list(limit)
    }
    add(AuditVerify.self, policy: .none("shows past events, no token"), cost: .costly) { _, _ in
      try await services.audit.get().verify()
    }
    add(TelemetrySnapshot.self, policy: .none("shows numbers"), cost: .costly) { _, _ in
      let records = services.records
      return TelemetrySnapshot.Result(
        families: AgentMetrics.families(await services.status(), served: records.issuedTokens.served)
          + records.telemetry.families,
        events: records.telemetry.recent)
    }
  }
}

/// `rpc.discover`
extension MethodTable {
  mutating func addDiscovery() {
    addJSON(RPCDiscover.self, policy: .none("shows the protocol"), cost: .costly) { _, _ in (discovery, nil) }
  }
}

/// docs/openrpc.json, which is embedded in the program, in one line, because a line break ends a
/// frame. In JSON, a line break and the indentation after it are never part of a string.
private let discovery: Data = {
  var size = 0
  let document = UnsafeBufferPointer(start: ritual_openrpc(&size), count: size)
  return document.split(separator: UInt8(ascii: "\n")).reduce(into: Data()) { json, line in
    json.append(contentsOf: line.drop { $0 == UInt8(ascii: " ") })
  }
}()
