import AgentProtocol
import SystemSupport

/// The link of a sign-in mail as a person pasted it. It is never opened: its token is sent like a code. Prints
/// redacted.
struct MailLink: Sendable, Hashable, Redacted {
  /// The value of `token`, a hash of the code and the address.
  let token: String

  /// The `type` values of mails that sign in or confirm a sign-up.
  private static let types = ["magiclink", "signup"]
  private static let maxTokenLength = 255

  /// Reads a link to one of `places`, byte for byte. White space and quotes around it come from pasting and are ignored.
  /// - Throws: `invalidParams`, with words for what is wrong.
  init(_ text: String, places: [String]) throws(AgentError) {
    let bytes = PastedText.trimmed(text)
    guard bytes.count <= SignInLimits.maxCallbackLength else { throw Self.refusal("The link is longer than 8 KiB.") }
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }), !bytes.contains(UInt8(ascii: "#")) else {
      throw Self.notALink
    }
    let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard places.contains(String(decoding: parts[0], as: UTF8.self)) else { throw Self.elsewhere }
    guard parts.count == 2, let items = QueryItems(parts[1]), !items.hasDuplicates, let type = items.only("type"),
      let token = items.only("token"), Self.isToken(token)
    else { throw Self.notALink }
    guard Self.types.contains(type) else { throw Self.otherPurpose(type) }
    self.token = token
  }

  /// A hexadecimal hash, with the prefix `pkce_` if the sign-in was begun with PKCE.
  private static func isToken(_ text: String) -> Bool {
    (1...maxTokenLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  // MARK: - Words

  private static func refusal(_ message: String, hint: String? = nil) -> AgentError {
    AgentError(.invalidParams, message + " Nothing was sent.", hint: hint)
  }

  private static var notALink: AgentError {
    refusal(
      "This is not the link of a sign-in email.", hint: "copy the complete link from the email, without opening it")
  }

  private static var elsewhere: AgentError {
    refusal(
      "This link does not belong to the project.",
      hint: "copy the link itself, not one that an email program has rewritten; or enter the code from the email")
  }

  private static func otherPurpose(_ type: String) -> AgentError {
    let words = ["recovery": "a password reset", "invite": "an invitation", "email_change": "a change of address"]
    return refusal("This link is for \(words[type] ?? "something else"), not for a sign-in.")
  }
}
