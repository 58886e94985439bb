/// What `Vault.verify` found of one file.
public struct FileFinding: Sendable, Equatable {
  /// What there is to say of a file.
  public enum State: Sendable, Equatable {
    /// It opens, and is what this vault wrote.
    case ok
    /// It does not open, or somebody put another copy in its place; in words.
    case damaged(String)
    /// It has this version, newer than the program.
    case newer(UInt32)
    /// The system did not let it be read; in words.
    case unreadable(String)
    /// It was found damaged some time ago and renamed.
    case setAside
    /// It is a record of this vault's that is not there.
    case missing
    /// It is no file of a vault.
    case foreign
  }

  /// The file's name in the vault's folder: tells nothing of the record's.
  public let file: String
  /// What was found.
  public let state: State
}
