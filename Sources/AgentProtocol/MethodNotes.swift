/// A method's summary, and the errors that it may return beside those of every method. `rpc.discover` shows both.
public struct MethodNotes: Sendable {
  public let summary: String
  public let errors: [ErrorKind]

  public init(_ summary: String, _ groups: ErrorGroup...) {
    self.summary = summary
    errors = ([.always] + groups).flatMap(\.kinds).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

/// A named set of errors. An array literal of kinds makes one, too.
public struct ErrorGroup: Sendable, ExpressibleByArrayLiteral {
  public let kinds: [ErrorKind]

  public init(arrayLiteral kinds: ErrorKind...) { self.kinds = kinds }

  private init(_ groups: [ErrorGroup], _ kinds: ErrorKind...) { self.kinds = groups.flatMap(\.kinds) + kinds }

  /// Errors that every method may return.
  public static let always: ErrorGroup = [.invalidParams, .internalError, .notReady, .tooLarge, .tooMany]
  /// Errors of a method that uses an account.
  public static let account: ErrorGroup = [.unknownAccount, .signInNeeded, .misconfigured, .denied, .approvalNeeded]
  public static let network: ErrorGroup = [.offline, .serviceUnavailable, .rateLimited, .timedOut]
  public static let vault: ErrorGroup = [
    .vaultLocked, .vaultCopied, .vaultDamaged, .vaultUnavailable, .wrongKey, .storageFull, .formatTooNew,
  ]
  /// A sign-in that begins, or is sent at once.
  public static let signIn = ErrorGroup(
    [network, vault], .invalidCredentials, .emailNotConfirmed, .userExists, .weakPassword, .methodDisabled, .wrongUser,
    .flowBusy, .misconfigured, .identityTaken, .callbackInvalid, .cancelled, .denied, .approvalNeeded)
  /// A sign-in that runs.
  public static let flow = ErrorGroup([signIn], .flowUnknown, .flowTimedOut)
}
