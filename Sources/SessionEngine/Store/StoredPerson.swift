import AgentProtocol
import SessionVault
import SystemSupport

/// What is known of the person behind an account, beside the session: sealed in a record of its own, so that the record of
/// the tokens stays as small as it is and changes with the tokens alone. It stays over a sign-out, for some of it is told
/// once only. Never logged, never printed.
package struct StoredPerson: Codable, Sendable, Hashable {
  var format = 1
  var account: String
  /// Whose facts these are: they count for an account of this user alone.
  var userID: String
  /// `needed` or `complete`; nil while the profile was never read.
  var onboarding: String?
  /// What Apple told at the first sign-in (SI-4); nil if it told nothing.
  var firstTime: FirstTimeFacts?
  /// The ids of the identities that the agent knows of; nil while no answer has listed them.
  package var identities: [String]?

  init(account: String, userID: String) {
    self.account = account
    self.userID = userID
  }
}

/// Name and e-mail address, which Apple tells at the first sign-in and never again.
package struct FirstTimeFacts: Codable, Sendable, Hashable {
  package var name: String?
  /// A relay address is kept as it is (SI-5).
  package var email: String?

  package init(name: String? = nil, email: String? = nil) {
    (self.name, self.email) = (name, email)
  }

  /// Bytes of an e-mail address (RFC 5321, section 4.5.3.1: 64 before the @, 255 after it).
  package static let emailLength = 320

  var isEmpty: Bool { name == nil && email == nil }

  /// These facts with what is told now; what is not told now stays.
  func updated(by told: FirstTimeFacts) -> FirstTimeFacts {
    FirstTimeFacts(name: told.name ?? name, email: told.email ?? email)
  }

  /// Nil for a text without anything in it; cut where no name is that long.
  package static func present(_ text: String) -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    var text = text
    while text.utf8.count > emailLength { text.removeLast() }
    return text
  }
}

extension SessionStore {
  private static let prefix = "person/"

  /// The people of all accounts, by account. A damaged record is set aside and named in the status.
  func loadPeople() async throws(AgentError) -> [String: StoredPerson] {
    try await run { vault in
      let people = vault.names().filter { $0.hasPrefix(Self.prefix) }.compactMap { name in
        try? Self.decode(StoredPerson.self, vault.load(name))
      }
      return Dictionary(people.map { ($0.account, $0) }, uniquingKeysWith: { $1 })
    }
  }

  /// Durable when it returns.
  func save(_ person: StoredPerson) async throws(AgentError) {
    try await run { try $0.save(Self.encode(person), as: Self.prefix + person.account) }
  }
}
