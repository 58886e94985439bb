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

  /// The bytes of one copy of a file; `.notFound`, `.tooLarge` (above `VaultFormat.largestFile`).
  func read(_ copy: String) throws(VaultError) -> [UInt8]

  /// Replaces both copies of a file, or makes them: durable when it returns. On an error the first copy is the old or the new
  /// file, whole. The second copy is the same when it returns, or absent where it could not be replaced.
  func write(_ bytes: [UInt8], to file: String) throws(VaultError)

  /// Replaces one copy of a file, durably.
  func restore(_ bytes: [UInt8], to copy: String) throws(VaultError)

  /// Removes the second copy of a file, then the first, durably; no error if there is none.
  func remove(_ file: String) throws(VaultError)

  /// Renames one copy to the first free `COPY.damaged-N`, N = 1, 2 …, and gives that name; its bytes are untouched.
  func setAside(_ copy: String) throws(VaultError) -> String
}
