package import AgentProtocol
import Crypto
import FoundationEssentials
import SessionVault
package import SupabaseAuth
import SystemSupport

/// An account as the vault keeps it, sealed: all that a restart needs. Never logged, never printed.
struct StoredAccount: Codable, Sendable {
  /// The version of this JSON; a later one may add members, which this version would lose on writing.
  var format = 1
  var name: String
  var project: String
  var session: StoredSession?
  var ended: StoredEnd?
}

/// How a session ended without a sign-out here, and whose it was, so that a sign-in as somebody else is noticed (SI-15).
struct StoredEnd: Codable, Sendable {
  var at: Timestamp
  var reason: String
  var userID: String
  var email: String?
}

/// The tokens of a session, the origin that issued them, and when they came.
struct StoredSession: Codable, Sendable {
  var origin: String
  /// The origin of the project's API that the token may go to; nil in a record of an older version, until it is read.
  var apiOrigin: String?
  var issuer: String?
  var accessToken: String
  @OutOfLine var refreshToken: String
  /// The life of the access token from its receipt, in seconds.
  var expiresIn: Int
  var received: Receipt
  var user: StoredUser
  var signedInAt: Timestamp
  var provider: String
  /// The machine on which the sign-in was made, where the vault was at home on another one (VA-8): `ThisMachine.tag`.
  var machine: String?

  /// The life of the access token, bounded as the server's answers are: a record may hold any number.
  var life: Duration { .seconds(min(max(0, expiresIn), 31_536_000)) }

  var bearer: BearerToken { BearerToken(accessToken) }
  var refresh: RefreshToken { RefreshToken(refreshToken) }
}

/// When an answer came, on both clocks (TK-8).
struct Receipt: Codable, Sendable, Hashable {
  var bootID: String
  var boot: BootTime
  var wall: Timestamp

  init(_ clock: any AgentClock) {
    bootID = clock.bootID
    boot = clock.now
    wall = clock.wall
  }

  /// The receipt of an answer to a request that was sent at `asked`, of this boot. An answer can wait in a buffer while the
  /// machine sleeps: life is counted from the asking, some seconds too early at most, never too late.
  init(_ clock: any AgentClock, asked: BootTime) {
    bootID = clock.bootID
    boot = asked
    wall = clock.wallTime(of: asked)
  }

  /// The receipt's moment on the present boot's clock. Over a reboot the wall clock decides if it is plausible: not
  /// before the receipt. Else the token counts as long dead, and a refresh follows.
  func bootTime(on clock: any AgentClock) -> BootTime? {
    if bootID == clock.bootID { return boot }
    let passed = clock.wall.unixSeconds - wall.unixSeconds
    guard passed >= 0 else { return nil }
    return clock.now.advanced(by: .zero - .seconds(passed))
  }
}

/// Who a session belongs to.
package struct StoredUser: Codable, Sendable, Hashable {
  package var id: String
  package var email: String?
  package var name: String?
  package var identities: [AccountIdentity]
}

/// What programs change beside the accounts.
package struct StoredSettings: Codable, Sendable {
  var format = 1
  package var defaultAccount: String?
}

extension StoredSession {
  /// The session that the server answered with, just now or to a request that was sent at `asked`.
  init(
    _ session: Session, origin: String, provider: String, signedInAt: Timestamp, asked: BootTime? = nil,
    clock: any AgentClock
  ) {
    self.init(
      origin: origin, issuer: session.issuer, accessToken: session.accessToken.exposed,
      refreshToken: session.refreshToken.exposed, expiresIn: session.expiresIn,
      received: asked.map { Receipt(clock, asked: $0) } ?? Receipt(clock),
      user: StoredUser(session.user), signedInAt: signedInAt, provider: provider)
  }

  /// This session after a refresh. An answer that leaves out e-mail, name or identities erases none of them.
  func refreshed(by session: Session, asked: BootTime, clock: any AgentClock) -> StoredSession {
    var next = self
    next.accessToken = session.accessToken.exposed
    next.refreshToken = session.refreshToken.exposed
    next.expiresIn = session.expiresIn
    next.received = Receipt(clock, asked: asked)
    next.user = user.updated(by: session.user)
    return next
  }
}

extension StoredUser {
  package init(_ user: User) {
    let metadata = user.userMetadata
    self.init(
      id: user.id, email: user.email.isEmpty ? nil : user.email, name: metadata["full_name"] ?? metadata["name"],
      identities: (user.identities ?? []).map {
        AccountIdentity(identityID: $0.identityID, provider: $0.provider.rawValue, email: $0.email)
      })
  }

  func updated(by user: User) -> StoredUser {
    let new = StoredUser(user)
    return StoredUser(
      id: id, email: new.email ?? email, name: new.name ?? name,
      identities: user.identities == nil ? identities : new.identities)
  }
}

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

/// A session that is to be ended at the server, kept sealed until it is (SE-4). Never printed.
struct Revocation: Codable, Sendable {
  var format = 1
  /// A UUID, for the record's name.
  var id: String
  /// The account that it was, for the journal.
  var account: String
  var project: String
  /// The session goes to the origin that issued it and to no other (SE-2).
  var origin: String
  var accessToken: String
  @OutOfLine var refreshToken: String
  /// When the access token came, and for how long; a dead one needs a refresh first, for the server refuses it.
  var received: Receipt
  var expiresIn: Int
  var scope: String
  var since: Timestamp

  var bearer: BearerToken { BearerToken(accessToken) }
  var refresh: RefreshToken { RefreshToken(refreshToken) }
}
