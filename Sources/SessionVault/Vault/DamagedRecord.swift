/// A record's file that could not be used. Nothing is ever deleted for being damaged.
public struct DamagedRecord: Sendable, Equatable {
  /// The name of the file in the vault's folder (not the record's name: that is sealed).
  public let file: String
  /// What is wrong with it, in words.
  public let reason: String
  /// The name that the file has now; nil if it was left where it is (a newer format, or it could not be read just now).
  public let setAsideAs: String?
}
