import AgentProtocol

/// What a unit asks for with `LoadCredential=NAME:PATH` (systemd.exec(5)), as the name of the
/// peer's socket tells it: `\0RANDOM/unit/UNIT/NAME`, RANDOM being a hexadecimal number.
///
/// Any process can bind such a name. It is trusted for the credential alone; who asks, the kernel
/// tells.
struct CredentialRequest: Sendable, Equatable {
  let unit: String
  let credential: String
  /// The account whose token is wanted; nil means the default account.
  let account: String?

  /// Types of units that load credentials.
  private static let kinds = [".service", ".socket", ".mount", ".swap"]

  /// The name of the credential with the default account's token, and the start of the others.
  private static let name = "token"

  /// - Parameter peerName: the address of the peer's socket after its family (unix(7)), from
  ///   getpeername(2).
  /// - Returns: nil if the name has another form.
  init?(peerName: some Sequence<UInt8>) {
    let parts = Array(peerName).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 4, Self.isRandom(parts[0]), parts[1].elementsEqual("unit".utf8),
      let unit = Self.text(parts[2]), let credential = Self.text(parts[3]),
      let kind = Self.kinds.first(where: { unit.hasSuffix($0) }), unit.utf8.count > kind.utf8.count
    else { return nil }
    guard let account = Self.account(credential) else { return nil }
    (self.unit, self.credential, self.account) = (unit, credential, account.name)
  }

  /// The account that a credential's name selects; nil for names that select none.
  private static func account(_ credential: String) -> (name: String?, Void)? {
    if credential == name { return (nil, ()) }
    guard credential.hasPrefix(name + ".") else { return nil }
    let account = String(credential.dropFirst(name.count + 1))
    return AccountName.isValid(account) ? (account, ()) : nil
  }

  /// A NUL byte, by which the name is abstract, and a 64-bit number.
  private static func isRandom(_ part: ArraySlice<UInt8>) -> Bool {
    let digits = part.dropFirst()
    return part.first == 0 && (1...16).contains(digits.count)
      && digits.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  /// Printable ASCII without spaces, of which names of units and credentials consist.
  private static func text(_ part: ArraySlice<UInt8>) -> String? {
    guard !part.isEmpty, part.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    return String(decoding: part, as: UTF8.self)
  }
}
