import AgentProtocol
import SystemSupport

/// What no type says of a method: its purpose, and the errors to expect beside those of every method.
///
/// A new method needs a row here and a step in Tests/EndToEndTests/Protocol/EveryMethod+Steps.swift; its params and its
/// result are learned from its types. Then write the golden file anew (Tests/AgentCoreTests/Discovery/WireFormat.swift
/// says how), and name the method in docs/protocol.md.
struct MethodNotes: Sendable {
  let summary: String
  let errors: [ErrorKind]

  private init(_ summary: String, _ groups: [ErrorKind]...) {
    self.summary = summary
    errors = (Self.always + groups.flatMap { $0 }).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Any method may answer with these.
  private static let always: [ErrorKind] = [.invalidParams, .internalError, .notReady, .tooLarge, .tooMany]
  private static let account: [ErrorKind] = [.unknownAccount, .signInNeeded, .misconfigured, .denied, .approvalNeeded]
  private static let network: [ErrorKind] = [.offline, .serviceUnavailable, .rateLimited, .timedOut]
  private static let vault: [ErrorKind] = [
    .vaultLocked, .vaultCopied, .vaultDamaged, .vaultUnavailable, .wrongKey, .storageFull, .formatTooNew,
  ]
  private static let signIn: [ErrorKind] =
    network + vault + [
      .invalidCredentials, .emailNotConfirmed, .userExists, .weakPassword, .methodDisabled, .wrongUser, .flowBusy,
      .misconfigured, .identityTaken, .callbackInvalid, .cancelled, .denied, .approvalNeeded,
    ]
  private static let flow: [ErrorKind] = signIn + [.flowUnknown, .flowTimedOut]

  static let all: [String: MethodNotes] = [
    AgentDiagnose.name: MethodNotes("The checks of `ritualctl doctor` that need the agent; 10 s at most."),
    AgentHello.name: MethodNotes("Says who calls, and learns what the agent speaks.", [.unsupportedVersion]),
    AgentReload.name: MethodNotes("Reads the configuration again; a bad file keeps the old.", account, network),
    AgentStatusMethod.name: MethodNotes("Everything that `ritualctl status` shows."),
    APIRequestMethod.name: MethodNotes(
      "An authorised request, sent by the agent; the token stays there.", account, network, vault, [.denied]),
    ApprovalAnswer.name: MethodNotes(
      "Answers a question of the policy; never from the asker's own unit.", [.denied]),
    ApprovalList.name: MethodNotes("What waits for an answer, and the answers that hold."),
    ApprovalRevoke.name: MethodNotes("Forgets an answer, or withdraws a question.", [.denied]),
    ApprovalWait.name: MethodNotes("Waits until a question is answered or over."),
    AuditList.name: MethodNotes("The last entries of the audit log, newest last.", vault),
    AuditVerify.name: MethodNotes("Holds every entry of the audit log against its chain.", vault),
    EventsSubscribe.name: MethodNotes("The present state, then every change, as `event` notifications."),
    IdentityDecide.name: MethodNotes("The answer to a `decisionNeeded`.", flow),
    IdentityLink.name: MethodNotes(
      "Begins to link another provider; goes on as a sign-in does.", signIn, account, [.linkingDisabled]),
    IdentityList.name: MethodNotes("The ways to sign in of the account's user.", account, network, vault),
    IdentityUnlink.name: MethodNotes(
      "Removes one of the ways to sign in; the last one stays.", account, network, vault,
      [.lastIdentity, .linkingDisabled]),
    ProfileGet.name: MethodNotes("The user's profile at the API.", account, network, vault),
    ProfileUpdate.name: MethodNotes("Changes members of the profile.", account, network, vault, [.denied]),
    RPCDiscover.name: MethodNotes("This document."),
    SessionExplain.name: MethodNotes("What the refresher will do next, and why.", account, vault),
    SessionList.name: MethodNotes("All accounts."),
    SessionRefresh.name: MethodNotes("A refresh now, unless one ended a moment ago.", account, network, vault),
    SessionSignOut.name: MethodNotes(
      "Ends a session here at once, and at the server when it can be reached.", account, network, vault),
    SessionStatus.name: MethodNotes("One account.", account),
    SessionToken.name: MethodNotes("The access token.", account, network, vault),
    SessionUse.name: MethodNotes("Makes an account the default one.", account, vault),
    SessionUseAPI.name: MethodNotes("Accepts the API that is configured now for the account's token.", account, vault),
    SignInCancel.name: MethodNotes("Ends a sign-in that runs.", [.flowUnknown]),
    SignInComplete.name: MethodNotes("Hands in the address that the browser ended on.", flow),
    SignInIDToken.name: MethodNotes("Exchanges an identity token of Apple or Google.", signIn),
    SignInImportSession.name: MethodNotes("Brings a session along by its refresh token.", signIn, [.signInNeeded]),
    SignInMethods.name: MethodNotes("The ways to sign in that the project has on.", network, [.misconfigured]),
    SignInNonce.name: MethodNotes("A nonce for Apple's native sign-in, for single use."),
    SignInPassword.name: MethodNotes("Signs in by e-mail and password.", signIn),
    SignInSignUp.name: MethodNotes("Makes a user by e-mail and password.", signIn),
    SignInStart.name: MethodNotes(
      "Begins a sign-in in a browser. The starter's disconnect cancels it unless `detach`.", signIn),
    SignInWait.name: MethodNotes("Waits for the end of a sign-in.", flow),
    TelemetrySnapshot.name: MethodNotes("What the agent counted since its start. No personal data."),
    VaultAddKey.name: MethodNotes("Adds a way to open the vault.", vault, [.denied]),
    VaultAdopt.name: MethodNotes("Makes a vault from another machine at home here.", vault, network),
    VaultLock.name: MethodNotes("Locks the vault until `vault.unlock`, over restarts.", vault),
    VaultRekey.name: MethodNotes("A new master key; every key has to be presented.", vault, [.denied]),
    VaultRemoveKey.name: MethodNotes(
      "Removes a key; an older copy of the vault still opens with it.", vault, [.denied]),
    VaultStatus.name: MethodNotes("All that can be said of the vault, also while it is locked.", vault),
    VaultUnlock.name: MethodNotes("Opens the vault.", vault),
    VaultVerify.name: MethodNotes("Holds every file of the vault against its keys.", vault),
  ]
}
