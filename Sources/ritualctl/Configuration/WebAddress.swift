import FoundationEssentials

/// An address that may be spoken to or opened: https, or http to this machine (OP-4, PR-6); printable, no userinfo, no
/// fragment.
struct WebAddress {
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }), let url = URL(string: text),
      url.user == nil, url.password == nil, url.fragment == nil, let host = url.host(), !host.isEmpty
    else { return nil }
    switch url.scheme?.lowercased() {
    case "https": return
    case "http" where Self.isThisMachine(host.lowercased()): return
    default: return nil
    }
  }

  /// By the spelling alone: a name is never looked up to decide it.
  private static func isThisMachine(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
  }
}
