/// The stable name of an error: `data.kind` on the wire. Open, since a newer agent may know more kinds.
public struct ErrorKind: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire.
  public let rawValue: String

  /// A kind by its name, known or not.
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

  // The standard errors of JSON-RPC 2.0, section 5.1, by name.
  public static let parseError = ErrorKind(rawValue: "parseError")
  public static let invalidRequest = ErrorKind(rawValue: "invalidRequest")
  public static let methodNotFound = ErrorKind(rawValue: "methodNotFound")
  public static let invalidParams = ErrorKind(rawValue: "invalidParams")
  public static let internalError = ErrorKind(rawValue: "internalError")
}
