import FoundationEssentials

/// The syntax of HTTP (RFC 9110).
public enum HTTPSyntax {
  /// True for a token (section 5.6.2).
  public static func isToken(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  /// True for a field value (section 5.5): no control characters except the tab, so no CR, LF or NUL.
  public static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) } }
}

/// A header that each request to a project's servers has, such as a gate in front of them demands.
package struct ConstantHeader: Sendable, Hashable, Redacted {
  package let name: String
  package let value: String

  /// Reads a line `Name: value`; nil if it is not a header.
  package init?(line: some StringProtocol) {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    name = String(line[..<colon])
    value = String(line[line.utf8.index(after: colon)...]).trimmed
    guard HTTPSyntax.isToken(name.utf8), !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return nil
    }
  }
}

extension String {
  /// Without spaces and tabs around it.
  fileprivate var trimmed: String {
    var bytes = utf8[...]
    while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
    while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
    return String(bytes) ?? ""
  }
}

/// The user name and the password for an HTTP proxy (RFC 7617).
package struct ProxyPassword: Sendable, Hashable, Redacted {
  package let user: String
  package let password: String

  /// Reads the content of a file: one line `user:password`. The user name has no colon.
  package init?(_ text: String) {
    // A line end of Windows is one character.
    let line = text.last?.isNewline == true ? text.dropLast() : text[...]
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex,
      line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    (user, password) = (String(line[..<colon]), String(line[line.utf8.index(after: colon)...]))
  }

  /// The value of `Proxy-Authorization`.
  package var authorization: String {
    "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
