import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// A code that was sent by email or text message and that the flow waits for. Never holds the code. Prints redacted.
struct PendingCode: Sendable, Redacted {
  let address: CodeAddress
  let purpose: CodePurpose
  /// When the project sends another code to this address.
  var resendAt: BootTime
  /// True once the mailed link has used up the code without a session.
  var isSpent = false
  /// The error of the last attempt with a code, for the page.
  var refusal: AgentError?

  init(_ address: CodeAddress, _ purpose: CodePurpose = .signIn, resendAt: BootTime) {
    self.address = address
    self.purpose = purpose
    self.resendAt = resendAt
  }

  /// Returns the seconds until the project sends another code, not negative.
  func resendAfter(_ now: BootTime) -> Double { max(0, now.duration(to: resendAt).seconds.rounded(.up)) }
}

extension CodeAddress {
  /// The digits of a phone number (E.164: at most 15), and the shortest ones in use.
  private static let phoneLength = 6...15

  /// Returns the address of a request that names exactly one.
  /// - Throws: `invalidParams` for none, two or an invalid one.
  static func only(email: String?, phone: String?) throws(AgentError) -> CodeAddress {
    switch (email, phone) {
    case (let email?, nil): return try .email(checking: email)
    case (nil, let phone?): return try .phone(checking: phone)
    default: throw AgentError(.invalidParams, "Name either an email address or a phone number.")
    }
  }

  /// Returns the email address in lower case, as the server stores it.
  static func email(checking text: String) throws(AgentError) -> CodeAddress {
    let scalars = text.unicodeScalars
    guard text.utf8.count <= FirstTimeFacts.emailLength, scalars.contains("@"),
      scalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { throw AgentError(.invalidParams, "This is not a valid email address.") }
    return .email(text.lowercased())
  }

  /// Returns the number with `+`. Spaces and the usual separators are dropped.
  static func phone(checking text: String) throws(AgentError) -> CodeAddress {
    let separators: Set<Character> = [" ", "-", ".", "/", "(", ")", "\u{A0}"]
    let number = text.filter { !separators.contains($0) }
    let digits = number.hasPrefix("+") ? number.dropFirst() : number[...]
    guard phoneLength.contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit), !digits.hasPrefix("0") else {
      throw AgentError(
        .invalidParams, "This is not a valid phone number.",
        hint: "write it with its country code, such as +49 151 23456789")
    }
    return .phone("+" + digits)
  }

  var provider: Provider {
    switch self {
    case .email: .email
    case .phone: .phone
    }
  }

  /// The address as it is sent.
  var key: String {
    switch self {
    case .email(let email): email
    case .phone(let phone): phone
    }
  }

  /// Returns whether the addresses include this one; nil if the one of this kind is not known.
  func isAmong(email: String?, phone: String?) -> Bool? {
    switch self {
    case .email(let own): email.map { $0.lowercased() == own.lowercased() }
    case .phone(let own): phone.map { Self.digits($0) == Self.digits(own) }
    }
  }

  /// Returns whether the address is the user's.
  func belongs(to user: User) -> Bool { isAmong(email: user.email, phone: user.phone) == true }

  static func another(_ account: String) -> AgentError {
    AgentError(
      .wrongUser, "This belongs to another address than the one that was named. The new session was revoked.",
      account: account)
  }

  /// The server stores numbers without `+`.
  private static func digits(_ phone: String) -> String { phone.filter { $0.isASCII && $0.isNumber } }
}

extension MailLink {
  /// Reads a link of this project, at the configured URL, or at the same with its origin in the usual form.
  /// - Throws: `invalidParams`, with words for what is wrong.
  init(_ text: String, _ endpoint: ProjectEndpoint) throws(AgentError) {
    let places = [endpoint.authURL, endpoint.origin + endpoint.path + "/auth/v1"]
    try self.init(text, places: places.map { $0 + "/verify" })
  }
}

/// A code or link, entered as proof that a message arrived. Prints redacted.
enum CodeEntry: Sendable, Redacted {
  case code(String)
  case link(MailLink)

  /// The lengths that a project can configure.
  private static let lengths = 6...10

  /// Returns the entry of a request that has exactly one.
  /// - Throws: `invalidParams` for none, two or an invalid one; nothing was sent then.
  static func only(code: String?, link: String?, _ project: Project) throws(AgentError) -> CodeEntry {
    switch (code, link) {
    case (let code?, nil): return try .code(checking: code)
    case (nil, let link?): return .link(try MailLink(link, project.endpoint))
    default: throw AgentError(.invalidParams, "Give either a code or a link.")
    }
  }

  /// Returns the code without white space. A code is text: it may begin with 0.
  static func code(checking text: String) throws(AgentError) -> CodeEntry {
    let digits = String(text.filter { !$0.isWhitespace }).outOfLine
    guard lengths.contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit) else {
      throw AgentError(.invalidParams, "A code has 6 to 10 digits.")
    }
    return .code(digits)
  }

  /// Returns the request that sends the entry.
  func proof(_ address: CodeAddress, _ purpose: CodePurpose) throws(AgentError) -> CodeProof {
    switch (self, address, purpose) {
    case (.code(let code), .email(let email), .link): return .emailChange(code, email: email)
    case (.code(let code), _, .signIn): return .code(code, address)
    case (.link(let link), .email, .signIn): return .tokenHash(link.token)
    default:
      throw AgentError(
        .invalidParams, "A link cannot be used here: enter the code, or open the link on this computer.")
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension CodePurpose {
  static func known(_ purpose: CodePurpose?) throws(AgentError) -> CodePurpose {
    guard let purpose else { return .signIn }
    guard [.signIn, .link].contains(purpose) else {
      throw AgentError(.invalidParams, "The purpose must be signIn or link.")
    }
    return purpose
  }
}
