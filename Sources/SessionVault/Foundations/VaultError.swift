/// What went wrong with the vault. Two errors are equal if their codes are: a caller decides by the code, a person
/// reads the message. Neither message nor cause ever holds a secret or a record's name.
public struct VaultError: Error, Equatable, CustomStringConvertible {
  /// The kind of error; open, so that a later version can add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The kind's stable name.
    public let description: String

    private init(_ name: String) { description = name }

    /// There is no record of that name.
    public static let notFound = Code("notFound")
    /// The vault is locked or closed: its keys are wiped.
    public static let locked = Code("locked")
    /// The key given opens none of the vault's key slots.
    public static let wrongKey = Code("wrongKey")
    /// The vault is there, the key file or the credential is not.
    public static let keyMissing = Code("keyMissing")
    /// What was given cannot be a key: an empty or overlong passphrase, a credential that is too short or too long.
    public static let invalidKey = Code("invalidKey")
    /// The key that was to be added opens the vault already.
    public static let keyKnown = Code("keyKnown")
    /// There is no key slot with that id.
    public static let noSuchKey = Code("noSuchKey")
    /// The vault's last key slot, or one more than it can have.
    public static let keyLimit = Code("keyLimit")
    /// A new master key has to be wrapped for every slot, and the keys of some were not given.
    public static let keysNeeded = Code("keysNeeded")
    /// A passphrase slot asks for more time or memory than this program spends; nothing was allocated.
    public static let costRefused = Code("costRefused")
    /// The keys or the lock changed while this call was at work: try again.
    public static let changedMeanwhile = Code("changedMeanwhile")
    /// There is no vault yet, or there is one already where a new one was to be made.
    public static let wrongState = Code("wrongState")
    /// A file does not hold what the vault wrote there.
    public static let damaged = Code("damaged")
    /// The kernel refused access: EACCES, EPERM.
    public static let noPermission = Code("noPermission")
    /// The file system is mounted read-only: EROFS.
    public static let readOnly = Code("readOnly")
    /// No space, or the quota is used up: ENOSPC, EDQUOT.
    public static let diskFull = Code("diskFull")
    /// A newer program wrote the file; it was left untouched.
    public static let formatTooNew = Code("formatTooNew")
    /// Another process has the vault open.
    public static let inUse = Code("inUse")
    /// Mode, owner or kind of a file or folder would let others in; nothing secret was read or written.
    public static let unsafe = Code("unsafe")
    /// A record's name is empty or longer than 255 bytes.
    public static let invalidName = Code("invalidName")
    /// A record's content, or a file, is larger than the format allows.
    public static let tooLarge = Code("tooLarge")
    /// Any other failure of the system; `cause` says which.
    public static let io = Code("io")
  }

  /// What kind of error it is.
  public var code: Code
  /// What happened and what to do about it, for a person.
  public var message: String
  /// The error below this one, if there was one.
  public var cause: (any Error)?

  /// Makes an error; `message` names the remedy and holds no secret.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Compares the codes alone.
  public static func == (left: VaultError, right: VaultError) -> Bool { left.code == right.code }

  /// Code, message and cause in one line.
  public var description: String {
    guard let cause else { return "\(code): \(message)" }
    return "\(code): \(message) (\(cause))"
  }
}
