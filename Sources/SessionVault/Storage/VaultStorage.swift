/// Where a vault's files lie. They are sealed before they come here and never hold a secret in the clear; a storage only has to
/// keep them whole. All calls block and may come from any thread; between `acquire` and `release` they come one at a time.
public protocol VaultStorage: Sendable {
  /// Where it is, for messages.
  var place: String { get }

  /// Takes the storage for this vault alone, after checking that it is safe; `.inUse` if another one has it.
  func acquire() throws(VaultError)

  /// Lets another one have it; no error if it was not taken.
  func release()

  /// The names of all files.
  func list() throws(VaultError) -> [String]

  /// A file's bytes; `.notFound`, `.tooLarge` (above `VaultFormat.largestFile`).
  func read(_ file: String) throws(VaultError) -> [UInt8]

  /// Replaces a file, or makes it: durable when it returns. On an error the old or the new file is there, whole.
  func write(_ bytes: [UInt8], to file: String) throws(VaultError)

  /// Removes a file, durably; no error if there is none.
  func remove(_ file: String) throws(VaultError)

  /// Renames a file to the first free `FILE.damaged-N`, N = 1, 2 …, and gives that name; its bytes are untouched.
  func setAside(_ file: String) throws(VaultError) -> String
}
