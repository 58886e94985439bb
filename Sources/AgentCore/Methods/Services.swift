import AccessControl
import AgentProtocol
import AgentServer
import Egress
import SessionEngine
import SignInFlows
import SystemSupport

/// The services that the handlers call. Handlers only decode, call and encode.
struct Services: Sendable {
  let accounts: Accounts
  let signIn: SignInService
  let vault: VaultAccess
  let profiles: ProfileService
  let identities: IdentityService
  /// The audit log, or the error that prevents it.
  let audit: Result<AuditLog, AgentError>
  let records: Records
  let policy: Policy
  let grants: GrantService
  let status: @Sendable () async -> AgentStatusMethod.Result
  /// Reads the configuration again, for `agent.reload`.
  let reload: @Sendable (AgentReload.Params) async throws -> AgentReload.Result
  var diagnose: @Sendable () async throws -> AgentDiagnose.Result = { throw AgentError(.notReady) }
}

extension MethodTable {
  /// A table of all methods of the agent. Calls wait for `isStarted`, which is set when everything is
  /// in memory that a method may ask for.
  init(_ services: Services, after isStarted: SettledValue<Void>? = nil) {
    let policy = MethodPolicy(services)
    self.init(
      admit: { method, use, params, call async throws(AgentError) in
        if let isStarted, isStarted.settled == nil, (try? await isStarted.wait()) == nil {
          throw AgentError(.cancelled)
        }
        return try await policy.admit(method, use, params, call)
      })
    addAgentMethods(services)
    addSessionMethods(services)
    addSignInMethods(services)
    addEventMethods(services)
    addVaultMethods(services)
    addProfileMethods(services)
    addSecondFactorMethods(services)
    addIdentityMethods(services)
    addRecordMethods(services)
    addApprovalMethods(services)
    addEgressMethods(services)
    addDiscovery()
  }
}
