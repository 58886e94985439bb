import AgentProtocol

/// What one call of a method costs the agent (PR-4). A test runs every method and compares.
package struct MethodCost: Sendable, Hashable {
  /// Processor time of a call in a release build; what is measured beyond it is charged as well.
  let microseconds: Int
  /// Bytes that its answer usually takes at most. A method whose answers grow asks for more (`Call.makeRoom`).
  package let answer: Int
  /// True for work that takes more than a millisecond where there is much of what it works on: it runs on a thread of
  /// `CostlyThreads`, two at a time for a process.
  let isCostly: Bool

  private init(_ microseconds: Int, answer: Int, isCostly: Bool) {
    (self.microseconds, self.answer, self.isCostly) = (microseconds, answer, isCostly)
  }

  /// An answer from memory.
  static let memory = MethodCost(50, answer: 4 * 1024, isCostly: false)
  /// Waits for a person: many of them leave room for others on their connection.
  static let wait = MethodCost(50, answer: 1024, isCostly: false)
  /// An answer from memory that grows with the accounts.
  static let accounts = MethodCost(150, answer: 4 * 1024, isCostly: true)
  /// Requests to a server. It bears less of them than this processor: 100 a second, 500 at once.
  static let network = MethodCost(2_000, answer: 8 * 1024, isCostly: false)
  /// Commits to the disk: each waits for two or three fsync(2). As many as of `network`.
  static let disk = MethodCost(2_000, answer: 4 * 1024, isCostly: false)
  /// Reads many files, on a thread.
  static let files = MethodCost(5_000, answer: 64 * 1024, isCostly: true)
  /// May derive a key: half a second for a passphrase, charged as it is measured.
  static let keys = MethodCost(5_000, answer: 4 * 1024, isCostly: false)

  /// The answer to what is no request, and of an unknown method.
  static let errorAnswer = 512
  /// The answer to a request that is not parsed yet.
  static let longAnswer = api.answer
  /// `api.request`: a small answer. A larger one asks for room before it is fetched.
  package static let api = MethodCost(2_000, answer: 16 * 1024, isCostly: false)

  static let table: [String: MethodCost] = [
    AgentDiagnose.name: MethodCost(2_000, answer: 32 * 1024, isCostly: false),
    AgentHello.name: memory, AgentReload.name: files, AgentStatusMethod.name: accounts, APIRequestMethod.name: api,
    ApprovalAnswer.name: disk, ApprovalList.name: MethodCost(150, answer: 64 * 1024, isCostly: true),
    ApprovalRevoke.name: disk, ApprovalWait.name: wait, AuditList.name: files, AuditVerify.name: files,
    EventsSubscribe.name: accounts, IdentityDecide.name: network, IdentityLink.name: network,
    IdentityList.name: network, IdentityUnlink.name: network,
    ProfileGet.name: MethodCost(2_000, answer: 64 * 1024, isCostly: false),
    ProfileUpdate.name: MethodCost(2_000, answer: 64 * 1024, isCostly: false),
    // Writing 70 KiB is most of it.
    RPCDiscover.name: MethodCost(1_000, answer: 128 * 1024, isCostly: false),
    SessionExplain.name: memory, SessionList.name: accounts, SessionRefresh.name: network, SessionSignOut.name: disk,
    SessionStatus.name: memory, SessionToken.name: MethodCost(50, answer: 8 * 1024, isCostly: false),
    SessionUse.name: disk, SessionUseAPI.name: disk, SignInCancel.name: memory, SignInComplete.name: network,
    SignInIDToken.name: network,
    SignInImportSession.name: network, SignInMethods.name: network, SignInNonce.name: memory,
    SignInPassword.name: network, SignInSignUp.name: network, SignInStart.name: network, SignInWait.name: wait,
    TelemetrySnapshot.name: MethodCost(500, answer: 64 * 1024, isCostly: true),
    VaultAddKey.name: keys, VaultAdopt.name: disk, VaultLock.name: disk, VaultRekey.name: keys,
    VaultRemoveKey.name: keys, VaultStatus.name: memory, VaultUnlock.name: keys, VaultVerify.name: files,
  ]

  static func of(_ method: String) -> MethodCost { table[method] ?? memory }
}
