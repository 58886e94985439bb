/// The error object of a response (JSON-RPC 2.0, section 5.1), and the error that the agent and its
/// clients throw.
///
/// `message` is shown to the user. It never contains a secret, and foreign text in it is escaped by
/// `ForeignText`.
public struct AgentError: Error, Sendable, Codable, Hashable {
  /// The JSON-RPC code of the kind.
  public var code: Int
  /// The message for the user.
  public var message: String
  /// The details for programs.
  public var data: Details

  /// The part of an error that programs read.
  public struct Details: Sendable, Codable, Hashable {
    /// The stable name, for programs to branch on.
    public var kind: ErrorKind
    /// Whether the same request can succeed later without intervention.
    public var retryable: Bool
    /// Seconds to wait before a retry.
    public var retryAfter: Double?
    /// The command to run, or another next step.
    public var hint: String?
    /// The account that the error concerns.
    public var account: String?
    /// For `approvalNeeded`, the id that `approval.wait` and `ritualctl approvals allow` take.
    public var approval: String?
    /// For `offline`, the host and the cause of the failed connection; never a secret.
    public var detail: String?
  }

  /// Creates an error of `kind`. Message and hint default to those of the table.
  public init(
    _ kind: ErrorKind, _ message: String? = nil, hint: String? = nil, account: String? = nil,
    retryAfter: Double? = nil
  ) {
    let facts = kind.facts
    code = facts.code
    self.message = message ?? facts.message
    data = Details(
      kind: kind, retryable: facts.retryable, retryAfter: retryAfter,
      hint: hint ?? facts.hint.map { Self.hint($0, account: account) }, account: account)
  }

  /// Adds the account to a hint that is a sign-in command, or the one for a second factor.
  private static func hint(_ hint: String, account: String?) -> String {
    guard let account, AccountName.isValid(account),
      ["ritualctl sign-in", "ritualctl mfa"].contains(where: hint.hasPrefix)
    else { return hint }
    return "\(hint) --account \(account)"
  }

  /// The stable name.
  public var kind: ErrorKind { data.kind }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(Int.self, forKey: .code)
    message = try container.decode(String.self, forKey: .message)
    let fallback = Details(kind: .internalError, retryable: false)
    data = try container.decodeIfPresent(Details.self, forKey: .data) ?? fallback
  }
}

/// The stable name of an error: `data.kind` on the wire. A newer agent may send other kinds.
public struct ErrorKind: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let notReady = ErrorKind(rawValue: "notReady")
  public static let signInNeeded = ErrorKind(rawValue: "signInNeeded")
  public static let unknownAccount = ErrorKind(rawValue: "unknownAccount")
  public static let vaultLocked = ErrorKind(rawValue: "vaultLocked")
  public static let vaultDamaged = ErrorKind(rawValue: "vaultDamaged")
  public static let vaultUnavailable = ErrorKind(rawValue: "vaultUnavailable")
  public static let denied = ErrorKind(rawValue: "denied")
  public static let offline = ErrorKind(rawValue: "offline")
  public static let serviceUnavailable = ErrorKind(rawValue: "serviceUnavailable")
  public static let rateLimited = ErrorKind(rawValue: "rateLimited")
  public static let invalidCredentials = ErrorKind(rawValue: "invalidCredentials")
  public static let callbackInvalid = ErrorKind(rawValue: "callbackInvalid")
  public static let flowUnknown = ErrorKind(rawValue: "flowUnknown")
  public static let flowBusy = ErrorKind(rawValue: "flowBusy")
  public static let flowTimedOut = ErrorKind(rawValue: "flowTimedOut")
  public static let cancelled = ErrorKind(rawValue: "cancelled")
  public static let wrongKey = ErrorKind(rawValue: "wrongKey")
  public static let storageFull = ErrorKind(rawValue: "storageFull")
  public static let formatTooNew = ErrorKind(rawValue: "formatTooNew")
  public static let emailNotConfirmed = ErrorKind(rawValue: "emailNotConfirmed")
  public static let userExists = ErrorKind(rawValue: "userExists")
  public static let weakPassword = ErrorKind(rawValue: "weakPassword")
  public static let methodDisabled = ErrorKind(rawValue: "methodDisabled")
  public static let linkingDisabled = ErrorKind(rawValue: "linkingDisabled")
  public static let lastIdentity = ErrorKind(rawValue: "lastIdentity")
  public static let identityTaken = ErrorKind(rawValue: "identityTaken")
  public static let linkingConflict = ErrorKind(rawValue: "linkingConflict")
  public static let wrongUser = ErrorKind(rawValue: "wrongUser")
  public static let approvalNeeded = ErrorKind(rawValue: "approvalNeeded")
  public static let vaultCopied = ErrorKind(rawValue: "vaultCopied")
  public static let tooLarge = ErrorKind(rawValue: "tooLarge")
  public static let tooMany = ErrorKind(rawValue: "tooMany")
  public static let timedOut = ErrorKind(rawValue: "timedOut")
  public static let unsupportedVersion = ErrorKind(rawValue: "unsupportedVersion")
  public static let misconfigured = ErrorKind(rawValue: "misconfigured")
  public static let codeInvalid = ErrorKind(rawValue: "codeInvalid")
  public static let captchaRequired = ErrorKind(rawValue: "captchaRequired")
  public static let mfaNeeded = ErrorKind(rawValue: "mfaNeeded")

  // The standard errors of JSON-RPC 2.0, section 5.1, by name.
  public static let parseError = ErrorKind(rawValue: "parseError")
  public static let invalidRequest = ErrorKind(rawValue: "invalidRequest")
  public static let methodNotFound = ErrorKind(rawValue: "methodNotFound")
  public static let invalidParams = ErrorKind(rawValue: "invalidParams")
  public static let internalError = ErrorKind(rawValue: "internalError")
}

/// The properties of an error kind, from one table: code, retryable, exit status, message and hint.
public struct ErrorFacts: Sendable {
  /// The `code` of the JSON-RPC error.
  public let code: Int
  /// Whether the same request can succeed later without intervention.
  public let retryable: Bool
  /// The exit status of `ritualctl`.
  public let exit: ExitStatus
  /// The default message for the user.
  public let message: String
  /// The default hint, if one next step fits all cases.
  public let hint: String?
}

extension ErrorKind {
  /// The properties of this kind, or those of `internalError` for an unknown kind.
  public var facts: ErrorFacts { ErrorFacts.table[self] ?? ErrorFacts.unknown }

  /// The kinds that this version knows, sorted by name.
  public static var known: [ErrorKind] { ErrorFacts.table.keys.sorted { $0.rawValue < $1.rawValue } }
}

extension ErrorFacts {
  static let unknown = ErrorFacts(
    code: -32603, retryable: false, exit: .failed, message: "Something went wrong inside the agent.",
    hint: ServiceManager.agentLog)

  private static func row(
    _ code: Int, _ words: String, _ hint: String? = nil, retryable: Bool = false, exit: ExitStatus = .failed
  ) -> ErrorFacts {
    ErrorFacts(code: code, retryable: retryable, exit: exit, message: words, hint: hint)
  }

  // The messages that the requirements prescribe (ER, "Errors, in words"). They are defined only
  // here.
  private static let connectionFailed = "Connection failed. Please check your internet and try again."
  private static let unavailable = "Service temporarily unavailable. Please try again later."
  private static let expired = "Session expired. Please sign in again."
  private static let badCredentials = "Sign in failed. Please check your email and password."
  private static let signInFailed = "Sign in failed. Please try again."
  private static let conflict = "This email is already associated with another account."
  private static let noStorage = "Unable to access secure storage."

  static let table: [ErrorKind: ErrorFacts] = [
    .parseError: row(-32700, "The request is not JSON."),
    .invalidRequest: row(-32600, "The request is not a JSON-RPC 2.0 request."),
    .methodNotFound: row(-32601, "The agent has no such method."),
    .invalidParams: row(-32602, "The parameters are not valid for this method.", exit: .usage),
    .internalError: unknown,
    .notReady: row(-32000, "The agent is still starting. Please try again.", retryable: true, exit: .temporary),
    .signInNeeded: row(-32001, expired, "ritualctl sign-in", exit: .signInNeeded),
    .unknownAccount: row(-32002, "There is no such account.", "ritualctl accounts", exit: .usage),
    .vaultLocked: row(-32003, "The vault is locked.", "ritualctl unlock", exit: .vaultLocked),
    .vaultDamaged: row(-32004, noStorage, "ritualctl vault verify"),
    .vaultUnavailable: row(-32005, noStorage),
    .denied: row(-32006, "Access denied.", exit: .refused),
    .offline: row(-32007, connectionFailed, retryable: true, exit: .temporary),
    .serviceUnavailable: row(-32008, unavailable, retryable: true, exit: .temporary),
    .rateLimited: row(-32009, "Too many requests. Please try again later.", retryable: true, exit: .temporary),
    .invalidCredentials: row(-32010, badCredentials),
    .callbackInvalid: row(-32011, signInFailed, "ritualctl sign-in"),
    .flowUnknown: row(-32012, "This sign-in has ended or does not exist.", "ritualctl sign-in"),
    .flowBusy: row(-32013, "A sign-in for this account is already running."),
    .flowTimedOut: row(
      -32014, "The sign-in took too long. Please try again.", "ritualctl sign-in", retryable: true, exit: .temporary),
    .cancelled: row(-32015, "Cancelled.", exit: .cancelled),
    .wrongKey: row(-32016, noStorage, "restore the vault's key file from a backup"),
    .storageFull: row(-32017, noStorage, "free some disk space; the agent retries automatically", retryable: true),
    .formatTooNew: row(-32018, noStorage, "install the newer ritual-agent that wrote this vault"),
    .emailNotConfirmed: row(-32019, "Please confirm your email address first, then sign in."),
    .userExists: row(-32020, "An account with this email address already exists.", "ritualctl sign-in email"),
    .weakPassword: row(-32021, "This password is too weak. Please choose another."),
    .methodDisabled: row(-32022, "This sign-in method is disabled for the project."),
    .linkingDisabled: row(-32023, "The project does not allow manual linking."),
    .lastIdentity: row(-32024, "The last sign-in method cannot be removed."),
    .identityTaken: row(-32025, conflict),
    .linkingConflict: row(-32026, conflict),
    .wrongUser: row(-32027, "You signed in as a different user. The account was not changed."),
    .approvalNeeded: row(-32028, "This needs your approval.", "ritualctl approvals", exit: .refused),
    .vaultCopied: row(-32029, "This vault was copied from another machine.", "ritualctl vault adopt"),
    .tooLarge: row(-32030, "The message is too large."),
    .tooMany: row(-32031, "Too many requests at once. Please try again.", retryable: true, exit: .temporary),
    .timedOut: row(-32032, "The request timed out. Please try again.", retryable: true, exit: .temporary),
    .unsupportedVersion: row(-32033, "The client and the agent use different protocol versions."),
    .misconfigured: row(-32034, "The configuration does not match this account."),
    .codeInvalid: row(-32035, "That code did not work."),
    .captchaRequired: row(
      -32036, "The project requires a CAPTCHA, which only its own pages can show.",
      "these still work: ritualctl sign-in PROVIDER, ritualctl sign-in code with a code that was requested on the "
        + "project's own page, --id-token-stdin, --session-stdin, and sign_in_page in the configuration"),
    .mfaNeeded: row(-32037, "This needs the second factor.", "ritualctl mfa verify", exit: .mfaNeeded),
  ]
}

/// The exit status of `ritualctl`, for scripts to branch on.
public struct ExitStatus: RawRepresentable, Sendable, Hashable {
  /// The number passed to exit(3).
  public let rawValue: Int32

  /// Creates a status from its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let done = ExitStatus(rawValue: 0)
  public static let failed = ExitStatus(rawValue: 1)
  public static let cancelled = ExitStatus(rawValue: 2)
  public static let unreachable = ExitStatus(rawValue: 3)
  public static let signInNeeded = ExitStatus(rawValue: 4)
  public static let vaultLocked = ExitStatus(rawValue: 5)
  public static let refused = ExitStatus(rawValue: 6)
  public static let temporary = ExitStatus(rawValue: 7)
  public static let mfaNeeded = ExitStatus(rawValue: 8)
  /// EX_USAGE of sysexits.h(3head).
  public static let usage = ExitStatus(rawValue: 64)
}
