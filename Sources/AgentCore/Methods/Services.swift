import AccessControl
import AgentProtocol
import AgentServer
import Egress
import SessionEngine
import SignInFlows
import SystemSupport

/// What the handlers call. They decode, call and encode; everything else is done here.
struct Services: Sendable {
  let accounts: Accounts
  let signIn: SignInService
  let api: APIService
  let vault: VaultAccess
  let profiles: ProfileService
  let identities: IdentityService
  /// The audit log, or why there is none.
  let audit: Result<AuditLog, AgentError>
  let records: Records
  let policy: Policy
  /// Everything that `agent.status` shows.
  let status: @Sendable () async -> AgentStatusMethod.Result
  /// Reads the configuration again.
  let reload: @Sendable (AgentReload.Params) async throws -> AgentReload.Result
  /// The checks of `agent.diagnose`.
  var diagnose: @Sendable () async throws -> AgentDiagnose.Result = { throw AgentError(.notReady) }
}

extension MethodTable {
  /// Every method of the agent.
  init(_ services: Services) {
    self.init(admit: MethodPolicy(services).admit, budget: CallBudget(clock: services.accounts.clock))
    addAgentMethods(services)
    addSessionMethods(services)
    addSignInMethods(services)
    addEventMethods(services)
    addAPIMethods(services)
    addVaultMethods(services)
    addProfileMethods(services)
    addIdentityMethods(services)
    addRecordMethods(services)
    addApprovalMethods(services)
    addDiscovery()
  }
}
