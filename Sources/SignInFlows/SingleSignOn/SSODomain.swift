import AgentProtocol

/// The email domain of an organization.
enum SSODomain {
  /// The longest name of a host (RFC 1035, section 2.3.4).
  private static let maxLength = 253

  /// Returns the domain in lower case, which is the only spelling that the server finds. Accepts a work email address,
  /// whose domain is used.
  /// - Throws: `invalidParams` for anything else.
  static func checked(_ text: String) throws(AgentError) -> String {
    let domain = (text.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? "").lowercased()
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    guard domain.utf8.count <= maxLength, !labels.isEmpty, labels.allSatisfy(isLabel) else {
      throw AgentError(
        .invalidParams, "This is not a domain.", hint: "use the part of your work email address after the @")
    }
    return domain
  }

  private static func isLabel(_ label: Substring) -> Bool {
    !label.isEmpty && label.first != "-" && label.last != "-"
      && label.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}
