import AgentProtocol
import FoundationEssentials
package import SessionVault

/// The names of the accounts, and the default account, available while the vault is locked.
package struct KnownAccounts: Codable, Sendable, Equatable {
  var format = 1
  var names: [String] = []
  var defaultAccount: String?
}

/// `STATE/accounts` and its copy `accounts.2`: the account names outside the vault, so that a start
/// with a locked vault can list them. Names are not secret. If neither copy is
/// readable, no name is known.
package struct AccountNamesFile: Sendable {
  private let copies: [PrivateFile]

  package init(path: String) { copies = [PrivateFile(path: path), PrivateFile(path: path + ".2")] }

  package func read() -> KnownAccounts { copies.lazy.compactMap { Self.known(in: $0) }.first ?? KnownAccounts() }

  /// Writes both copies, unless the first readable copy already has this content.
  func write(_ known: KnownAccounts) throws(PrivateFileError) {
    guard copies.lazy.compactMap({ Self.known(in: $0) }).first != known else { return }
    guard let bytes = Self.bytes(known) else { return }
    for copy in copies { try copy.write(bytes) }
  }

  /// Rewrites a missing or damaged copy from the other copy. Does nothing if neither is intact.
  package func restore() -> [RestoredCopy] {
    guard let good = copies.first(where: { Self.known(in: $0) != nil })?.read() else { return [] }
    if let old = Self.olderContent(good), let bytes = Self.bytes(old) {
      for copy in copies { try? copy.write(bytes) }
      return []
    }
    return copies.filter { $0.read() != good }.map { copy in
      let reason = copy.exists ? "it was damaged or differed from the other copy" : "it was missing"
      do {
        try copy.write(good)
        return RestoredCopy(file: copy.name, reason: reason, failure: nil)
      } catch {
        return RestoredCopy(file: copy.name, reason: reason, failure: "\(error)")
      }
    }
  }

  /// The content of a copy; nil if the file is missing or damaged. A copy is damaged if any byte
  /// differs from what this type writes.
  private static func known(in file: PrivateFile) -> KnownAccounts? {
    guard let bytes = file.read(), let stored = try? WireCoding.decode(Stored.self, from: bytes),
      stored.known.format == KnownAccounts().format, stored.check == nil || stored.check == checkSum(stored.known),
      (try? WireCoding.encode(stored)) == bytes
    else { return nil }
    let names = Set(stored.known.names.filter(AccountName.isValid))
    return KnownAccounts(
      names: names.sorted(), defaultAccount: stored.known.defaultAccount.flatMap { names.contains($0) ? $0 : nil })
  }

  /// The content of a file from a version with one copy only.
  private static func olderContent(_ bytes: Data) -> KnownAccounts? {
    guard let stored = try? WireCoding.decode(Stored.self, from: bytes), stored.check == nil else { return nil }
    return stored.known
  }

  private static func bytes(_ known: KnownAccounts) -> Data? {
    try? WireCoding.encode(Stored(known: known, check: checkSum(known)))
  }

  /// FNV-1a, 32 bits. Detects a changed character; no protection against forgery.
  private static func checkSum(_ known: KnownAccounts) -> UInt32 {
    (known.names + [known.defaultAccount ?? ""]).joined(separator: "\n").utf8.reduce(0x811C_9DC5) {
      ($0 ^ UInt32($1)) &* 0x0100_0193
    }
  }

  /// The members of `KnownAccounts`, and `check`, which older files lack.
  private struct Stored: Codable {
    var known: KnownAccounts
    var check: UInt32?

    private enum Key: CodingKey { case check }

    init(known: KnownAccounts, check: UInt32?) { (self.known, self.check) = (known, check) }

    init(from decoder: any Decoder) throws {
      known = try KnownAccounts(from: decoder)
      check = try decoder.container(keyedBy: Key.self).decodeIfPresent(UInt32.self, forKey: .check)
    }

    func encode(to encoder: any Encoder) throws {
      try known.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encodeIfPresent(check, forKey: .check)
    }
  }
}
