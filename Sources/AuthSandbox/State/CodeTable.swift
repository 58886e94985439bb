/// A place for one code of a user; a newer code replaces the older one.
enum CodeSlot: Hashable, Sendable, CaseIterable {
  /// The confirmation of a sign-up, and every code to a confirmed phone number.
  case confirmation
  /// Password recovery and magic links share a slot.
  case recovery
  case emailChangeNew
  case emailChangeCurrent
  case phoneChange
  case reauthentication
}

/// A code that was sent and neither used nor replaced.
struct PendingCode: Sendable {
  var userID: String
  var slot: CodeSlot
  /// The email address or phone number that the code was sent to.
  var address: String
  /// The digest of address and code.
  var hash: String
  /// True if the link leads to an exchange with PKCE.
  var isPKCE: Bool
  var sentAt: Moment

  /// The token in the link.
  var linkToken: String { Self.linkToken(hash, isPKCE: isPKCE) }

  static func linkToken(_ hash: String, isPKCE: Bool) -> String { isPKCE ? "pkce_" + hash : hash }

  /// A digest with the 56 digits of the server's SHA-224. Clients only pass it on.
  static func digest(_ address: String, _ code: String) -> String { String(Text.sha256Hex(address + code).prefix(56)) }

  /// True if `code` is the code that was sent.
  func accepts(_ code: String) -> Bool { Self.digest(address, code) == hash }
}

/// The pending codes of all users.
struct CodeTable: Sendable {
  /// The number of used codes that are kept; more than run at once in any test.
  private static let usedCapacity = 100

  private var codes: [String: [CodeSlot: PendingCode]] = [:]
  private var used: [(code: PendingCode, arrivals: Int)] = []

  subscript(user: String, slot: CodeSlot) -> PendingCode? {
    get { codes[user]?[slot] }
    set { codes[user, default: [:]][slot] = newValue }
  }

  func first(in slots: [CodeSlot], where matches: (PendingCode) -> Bool) -> PendingCode? {
    codes.values.lazy.flatMap { byUser in slots.compactMap { byUser[$0] } }.first(where: matches)
  }

  /// The pending code that matches, or a code that was used while the request already ran: the real
  /// server does not guard a code against parallel use.
  func first(in slots: [CodeSlot], arrival: Int, where matches: (PendingCode) -> Bool) -> PendingCode? {
    first(in: slots, where: matches)
      ?? used.last { arrival <= $0.arrivals && slots.contains($0.code.slot) && matches($0.code) }?.code
  }

  /// Removes a code that was accepted. `arrivals` is the number of requests received so far.
  mutating func use(_ code: PendingCode, arrivals: Int) {
    if self[code.userID, code.slot]?.hash == code.hash { remove(code) }
    used.append((code, arrivals))
    if used.count > Self.usedCapacity { used.removeFirst() }
  }

  mutating func put(_ code: PendingCode) { self[code.userID, code.slot] = code }

  mutating func remove(_ code: PendingCode) { self[code.userID, code.slot] = nil }

  mutating func removeAll(ofUser id: String) {
    codes[id] = nil
    used.removeAll { $0.code.userID == id }
  }
}

/// An email or a text message that was recorded instead of sent.
struct SentMessage: Sendable {
  var to: String
  /// Nil for a text message.
  var mail: MailKind?
  var code: String
  /// Nil for a message without a link.
  var link: String?
  var at: Moment
}

/// The emails that Supabase Auth sends. The raw value is the type in the link.
enum MailKind: String, Sendable {
  case signUp = "signup"
  case magicLink = "magiclink"
  case recovery
  case emailChange = "email_change"
  case reauthentication

  /// The server's own subjects.
  func subject(code: String) -> String {
    switch self {
    case .signUp: "Confirm your email address"
    case .magicLink: "Your sign-in link"
    case .recovery: "Reset your password"
    case .emailChange: "Confirm your new email address"
    case .reauthentication: "\(code) is your verification code"
    }
  }

  /// The method of a session that is begun by the link and PKCE.
  var linkMethod: String { self == .signUp ? "email/signup" : rawValue }

  /// The message of the error if the mail server is down.
  var failure: String {
    switch self {
    case .signUp: "Error sending confirmation email"
    case .magicLink: "Error sending magic link email"
    case .recovery: "Error sending recovery email"
    case .emailChange: "Error sending email change email"
    case .reauthentication: "Error sending reauthentication email"
    }
  }
}

/// The messages in the order of sending.
struct Outbox: Sendable {
  /// More than any test reads; limited, because a sandbox may run for days.
  private static let capacity = 500

  private(set) var messages: [SentMessage] = []

  mutating func add(_ message: SentMessage) {
    messages.append(message)
    if messages.count > Self.capacity { messages.removeFirst(messages.count - Self.capacity) }
  }

  /// The number of emails sent after `start`.
  func emails(after start: Moment) -> Int { messages.count { $0.mail != nil && $0.at > start } }
}
