import Crypto
import FoundationEssentials
import SystemSupport

/// Where the vault is at home, as the sessions need to know it (VA-8).
package struct VaultHome: Sendable {
  /// This machine's tag; nil where it has no id.
  package var here: String?
  /// The vault is another machine's: a copy.
  package var isElsewhere: Bool

  package init(here: String? = nil, isElsewhere: Bool = false) {
    (self.here, self.isElsewhere) = (here, isElsewhere)
  }
}

/// What a session that was made in a copied vault remembers its machine by (VA-8): a hash, so that the machine's id itself,
/// which is confidential (machine-id(5)), goes nowhere.
package enum ThisMachine {
  /// Nil where the machine has no id.
  package static func tag(file: String = "/etc/machine-id") -> String? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    let id = text.prefix { $0 != "\n" }
    guard !id.isEmpty else { return nil }
    return SHA256.hash(data: Data("ritual-agent session\u{0}\(id)".utf8)).hexadecimal
  }
}
