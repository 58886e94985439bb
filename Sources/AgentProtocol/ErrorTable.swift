/// What belongs to an error kind: the one table kind → code → retryable → exit status → words → next step.
public struct ErrorFacts: Sendable {
  /// The `code` of the JSON-RPC error.
  public let code: Int
  /// Whether the same request can succeed later without anybody doing something.
  public let retryable: Bool
  /// The exit status of `ritualctl`.
  public let exit: ExitStatus
  /// What the user reads, where the place that throws has nothing better.
  public let words: String
  /// The next step, if there is one for all cases.
  public let hint: String?
}

extension ErrorKind {
  /// The facts of this kind; those of `internalError` for a kind that this version does not know.
  public var facts: ErrorFacts { ErrorFacts.table[self] ?? ErrorFacts.unknown }

  /// Every kind that this version knows, by ascending name.
  public static var known: [ErrorKind] { ErrorFacts.table.keys.sorted { $0.rawValue < $1.rawValue } }
}

extension ErrorFacts {
  static let unknown = ErrorFacts(
    code: -32603, retryable: false, exit: .failed, words: "Something went wrong inside the agent.",
    hint: ServiceManager.agentLog)

  private static func row(
    _ code: Int, _ words: String, _ hint: String? = nil, retryable: Bool = false, exit: ExitStatus = .failed
  ) -> ErrorFacts {
    ErrorFacts(code: code, retryable: retryable, exit: exit, words: words, hint: hint)
  }

  // The words of the table "Errors, in words" stand here and nowhere else.
  private static let connectionFailed = "Connection failed. Please check your internet and try again."
  private static let unavailable = "Service temporarily unavailable. Please try again later."
  private static let expired = "Session expired. Please sign in again."
  private static let badCredentials = "Sign in failed. Please check your e-mail and password."
  private static let signInFailed = "Sign in failed. Please try again."
  private static let conflict = "This email is already associated with another account."
  private static let noStorage = "Unable to access secure storage."

  static let table: [ErrorKind: ErrorFacts] = [
    .parseError: row(-32700, "The request is not JSON."),
    .invalidRequest: row(-32600, "The request is not a JSON-RPC 2.0 request."),
    .methodNotFound: row(-32601, "The agent has no such method."),
    .invalidParams: row(-32602, "The parameters do not fit the method.", exit: .usage),
    .internalError: unknown,
    .notReady: row(-32000, "The agent is still starting. Please try again.", retryable: true, exit: .temporary),
    .signInNeeded: row(-32001, expired, "ritualctl sign-in", exit: .signInNeeded),
    .unknownAccount: row(-32002, "There is no such account.", "ritualctl accounts", exit: .usage),
    .vaultLocked: row(-32003, "The vault is locked.", "ritualctl unlock", exit: .vaultLocked),
    .vaultDamaged: row(-32004, noStorage, "ritualctl vault verify"),
    .vaultUnavailable: row(-32005, noStorage),
    .denied: row(-32006, "This is not allowed.", exit: .refused),
    .offline: row(-32007, connectionFailed, retryable: true, exit: .temporary),
    .serviceUnavailable: row(-32008, unavailable, retryable: true, exit: .temporary),
    .rateLimited: row(-32009, "Too many requests. Please try again later.", retryable: true, exit: .temporary),
    .invalidCredentials: row(-32010, badCredentials),
    .callbackInvalid: row(-32011, signInFailed, "ritualctl sign-in"),
    .flowUnknown: row(-32012, "This sign-in is over or was never begun.", "ritualctl sign-in"),
    .flowBusy: row(-32013, "A sign-in for this account is already running."),
    .flowTimedOut: row(
      -32014, "The sign-in took too long. Please try again.", "ritualctl sign-in", retryable: true, exit: .temporary),
    .cancelled: row(-32015, "Cancelled.", exit: .cancelled),
    .wrongKey: row(-32016, noStorage, "restore the vault's key file from where it was saved"),
    .storageFull: row(-32017, noStorage, "free some disk space; the agent tries again by itself", retryable: true),
    .formatTooNew: row(-32018, noStorage, "install the newer ritual-agent that wrote this vault"),
    .emailNotConfirmed: row(-32019, "Please confirm your e-mail address first, then sign in."),
    .userExists: row(-32020, "This e-mail address has an account already.", "ritualctl sign-in email"),
    .weakPassword: row(-32021, "This password is too weak. Please choose another."),
    .methodDisabled: row(-32022, "This way to sign in is switched off for the project."),
    .linkingDisabled: row(-32023, "The project does not allow linking by hand."),
    .lastIdentity: row(-32024, "The last way to sign in cannot be removed."),
    .identityTaken: row(-32025, conflict),
    .linkingConflict: row(-32026, conflict),
    .wrongUser: row(-32027, "You signed in as a different user. The account was not changed."),
    .approvalNeeded: row(-32028, "This needs your approval.", "ritualctl approvals", exit: .refused),
    .vaultCopied: row(-32029, "This vault was copied from another machine.", "ritualctl vault adopt"),
    .tooLarge: row(-32030, "The message is too large."),
    .tooMany: row(-32031, "Too many requests at once. Please try again.", retryable: true, exit: .temporary),
    .timedOut: row(-32032, "This took too long. Please try again.", retryable: true, exit: .temporary),
    .unsupportedVersion: row(-32033, "The client and the agent do not speak the same version of the protocol."),
    .misconfigured: row(-32034, "The configuration does not fit this account."),
  ]
}
