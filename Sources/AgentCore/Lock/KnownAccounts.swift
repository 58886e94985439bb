import AgentProtocol
import FoundationEssentials

/// What is known of the accounts while the vault is locked: their names, and which one is meant where none is named.
struct KnownAccounts: Codable, Sendable, Equatable {
  var format = 1
  var names: [String] = []
  var defaultAccount: String?
}

/// `STATE/accounts`: the names outside of the vault, so that a start into a locked vault can list them (VA-4). Names are no
/// secret (VA-1). A file that cannot be read is an empty one.
struct AccountNamesFile: Sendable {
  private let file: PrivateFile

  init(path: String) { file = PrivateFile(path: path) }

  func read() -> KnownAccounts {
    guard let bytes = file.read(), let known = try? WireCoding.decode(KnownAccounts.self, from: bytes) else {
      return KnownAccounts()
    }
    let names = Set(known.names.filter(AccountName.isValid))
    return KnownAccounts(
      names: names.sorted(), defaultAccount: known.defaultAccount.flatMap { names.contains($0) ? $0 : nil })
  }

  /// Nothing is written where the file holds the same already.
  func write(_ known: KnownAccounts) throws(PrivateFileError) {
    guard let bytes = try? WireCoding.encode(known), file.read() != bytes else { return }
    try file.write(bytes)
  }
}
