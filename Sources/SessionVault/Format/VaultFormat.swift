/// The constants of the format, as `docs/vault-format.md` has them.
package enum VaultFormat {
  /// The header that this program writes. It reads versions 1 and 2 too, and replaces them.
  static let headerVersion: UInt32 = 3
  /// The first header whose vault has a second copy of every file. In an older vault a second copy is what a migration
  /// that did not come to its end left: an older program may have changed the first copy since.
  static let firstDoubledVersion: UInt32 = 3
  /// The only version that a record has had.
  static let recordVersion: UInt32 = 1
  /// The version of a slot, part of what its key is wrapped with. Unchanged since header 1, so that slots outlive a
  /// migration, for which no key but the one at hand is there.
  static let slotVersion: UInt32 = 1
  /// The header's file.
  static let headerFile = "header"
  static let headerMagic = Array("RITVAULT".utf8)
  static let recordMagic = Array("RITRECRD".utf8)
  /// A record's file is its name's keyed hash in hexadecimal and this.
  static let recordSuffix = ".record"
  static let identifierLength = 16

  /// Records are padded to multiples of this: the usual block of a file system, so it costs no space, and a session
  /// (2 to 4 KiB of JSON) shows neither its provider nor the length of an address.
  static let paddingBlock = 4096
  /// 255 bytes, as for a file's name: an account's name has 32 at most, with room for a prefix.
  static let longestName = 255
  /// 1 MiB: a thousand times a session; keeps a mistake from filling memory.
  static let largestContent = 1 << 20
  /// The largest content with its name, padding and frame.
  static let largestFile = largestContent + 2 * paddingBlock
  /// Each kind of key once would be three; this leaves room, and bounds what a forged header can ask for.
  static let mostSlots = 32
  /// A wrong passphrase costs one derivation for each of these: with one for every person or device there is still an
  /// answer in some seconds.
  static let mostPassphrases = 4

  /// Whether it is the name of a record's first copy.
  static func isRecord(_ file: String) -> Bool {
    file.hasSuffix(recordSuffix) && file.utf8.count == 2 * Sodium.hashLength + recordSuffix.utf8.count
  }

  /// Whether a file was a record once, and was found damaged.
  static func isSetAside(_ file: String) -> Bool { file.contains(".damaged-") }

  /// Where a damaged file is moved.
  package static func asideName(_ file: String, _ number: Int) -> String { "\(file).damaged-\(number)" }
}

/// Why a file cannot be used, before it is known which error that means for the vault.
enum FormatFault: Error {
  /// A newer program wrote it.
  case newer(UInt32)
  /// The bytes are not what a vault writes, in words.
  case damaged(String)
}
