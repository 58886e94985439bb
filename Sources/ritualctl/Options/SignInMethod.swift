import AgentProtocol
import ArgumentParser

/// A word that names a sign-in method: a provider by Supabase's name, or one of `reserved`.
struct SignInMethod: Hashable, ExpressibleByArgument {
  /// The word, in lower case.
  let word: String

  init(_ word: String) { self.word = word.lowercased() }

  init?(argument: String) { self.init(argument) }

  static let apple = SignInMethod("apple")
  static let google = SignInMethod("google")
  /// Email and password.
  static let email = SignInMethod("email")
  /// A code or a link by email.
  static let code = SignInMethod("code")
  /// A code by text message.
  static let phone = SignInMethod("phone")
  static let sso = SignInMethod("sso")
  static let anonymous = SignInMethod("anonymous")

  /// The methods that are not providers.
  private static let reserved: Set = [email, code, phone, sso, anonymous]

  /// The methods to complete if the project's methods are unknown.
  static let common = [apple, google, email, code, phone, sso, anonymous]

  var isProvider: Bool { !Self.reserved.contains(self) }

  /// Whether `link` accepts the method.
  var isLinkable: Bool { isProvider || self == .email }

  /// The methods to offer for the answer of `signIn.methods`, in the same order. A project with email
  /// also sends codes by email.
  static func offered(_ enabled: [String]) -> [SignInMethod] {
    enabled.map { SignInMethod($0) }.flatMap { $0 == .email ? [.email, .code] : [$0] }
  }

  /// The method in a menu after "Continue with", by the names of the sign-in page. The last one stands alone.
  var title: Words {
    switch self {
    case .email: "Email"
    case .phone: "Phone"
    case .anonymous: "Continue without an account"
    default: Words(ProviderName.shown(word))
    }
  }

  /// True if the word can be a provider's name by the agent's rule; in addition, a name has a letter,
  /// which a code has not.
  var isName: Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = word.utf8.first, letters.contains(first) || digits.contains(first) else { return false }
    return word.utf8.count <= 64 && word.utf8.contains(where: letters.contains)
      && word.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || "._:-".utf8.contains($0) }
  }
}
