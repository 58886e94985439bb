/// An error of the vault. Errors are equal if their codes are equal: callers decide by code, users
/// read the message. Neither message nor cause contains a secret or a record's name.
public struct VaultError: Error, Equatable, CustomStringConvertible {
  /// The kind of error. Open, so that later versions can add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the kind.
    public let description: String

    private init(_ name: String) { description = name }

    /// No record has that name.
    public static let notFound = Code("notFound")
    /// The vault is locked or closed, and its keys are wiped.
    public static let locked = Code("locked")
    /// The given key opens no key slot of the vault.
    public static let wrongKey = Code("wrongKey")
    /// The vault exists, but the key file or credential does not.
    public static let keyMissing = Code("keyMissing")
    /// The input cannot be a key: an empty or overlong passphrase, or a credential that is too
    /// short or too long.
    public static let invalidKey = Code("invalidKey")
    /// The key to add already opens the vault.
    public static let keyKnown = Code("keyKnown")
    /// No key slot has that id.
    public static let noSuchKey = Code("noSuchKey")
    /// The last key slot cannot be removed, or the maximum number of slots is reached.
    public static let keyLimit = Code("keyLimit")
    /// A rekey must wrap the new master key for every slot, but the keys of some slots were not
    /// given.
    public static let keysNeeded = Code("keysNeeded")
    /// A passphrase slot demands more time or memory than this program allows. Nothing was
    /// allocated.
    public static let costRefused = Code("costRefused")
    /// The keys or the lock state changed during this call; the caller may retry.
    public static let changedMeanwhile = Code("changedMeanwhile")
    /// No vault exists yet, or one already exists where a new one was requested.
    public static let wrongState = Code("wrongState")
    /// A file does not contain what the vault wrote.
    public static let damaged = Code("damaged")
    /// The kernel refused access: EACCES, EPERM.
    public static let noPermission = Code("noPermission")
    /// The file system is mounted read-only: EROFS.
    public static let readOnly = Code("readOnly")
    /// No space left, or the quota is exceeded: ENOSPC, EDQUOT.
    public static let diskFull = Code("diskFull")
    /// A newer program wrote the file. The file was left unchanged.
    public static let formatTooNew = Code("formatTooNew")
    /// Another process has the vault open.
    public static let inUse = Code("inUse")
    /// The mode, owner or type of a file or directory would give other users access. Nothing secret
    /// was read or written.
    public static let unsafe = Code("unsafe")
    /// A record's name is empty or longer than 255 bytes.
    public static let invalidName = Code("invalidName")
    /// A record's content, or a file, is larger than the format allows.
    public static let tooLarge = Code("tooLarge")
    /// Any other system error; see `cause`.
    public static let io = Code("io")
  }

  /// The kind of error.
  public var code: Code
  /// The fault and its remedy, for the user.
  public var message: String
  /// The underlying error, if any.
  public var cause: (any Error)?

  /// Creates an error. `message` names the remedy and contains no secret.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Compares the codes only.
  public static func == (left: VaultError, right: VaultError) -> Bool { left.code == right.code }

  /// Code, message and cause in one line.
  public var description: String {
    guard let cause else { return "\(code): \(message)" }
    return "\(code): \(message) (\(cause))"
  }
}
