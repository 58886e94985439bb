package import AgentProtocol
import FoundationEssentials
import Hashing
import SessionVault
package import SupabaseAuth
import SystemSupport

/// An account's sealed record in the vault: everything that a restart needs. Never logged, never
/// printed.
struct StoredAccount: Codable, Sendable, Hashable {
  var format = 1
  var name: String
  var project: String
  var session: StoredSession?
  var ended: StoredEnd?
  /// The account's former name, until the record of that name is deleted. A start that finds both
  /// records keeps the former name.
  var renamedFrom: String?
}

/// How a session ended without a local sign-out, and its user, so that a sign-in as a different
/// user is noticed.
struct StoredEnd: Codable, Sendable, Hashable {
  var at: Timestamp
  var reason: String
  var userID: String
  var email: String?
  /// Nil in a record of an older version.
  var kind: SessionEndReason?
  /// When the server last continued the session; nil in a record of an older version.
  var aliveAt: Timestamp?
  /// True for an anonymous user, who cannot sign in again; nil otherwise.
  var isAnonymous: Bool?
}

/// A session: its tokens, the origin that issued them, and when they were received.
struct StoredSession: Codable, Sendable, Hashable {
  /// Identifies the session on this machine, through all its refreshes. Nil in a record of an older version.
  var id: String?
  var origin: String
  /// The API origin to which the token may be sent. Nil in a record of an older version until it is
  /// first read.
  var apiOrigin: String?
  var issuer: String?
  var accessToken: String
  @OutOfLine var refreshToken: String
  /// Lifetime of the access token from its receipt, in seconds.
  var expiresIn: Int
  var received: Receipt
  var user: StoredUser
  var signedInAt: Timestamp
  var provider: String
  /// True if the server shortened the life of the access token: it is less than the response says, or
  /// less than the former token's. Else nil.
  var isShortened: Bool?
  /// True if another program started the session. Else nil.
  var isImported: Bool?
  /// The machine of the sign-in (`ThisMachine.tag`), if the vault belonged to another machine.
  var machine: String?
  /// The access token's level, `aal1` or `aal2`; nil if the token does not tell, or in a record of
  /// an older version.
  var assurance: String?
  /// A verification of a second factor that was about to be sent for this access token and whose
  /// outcome is not stored.
  var verification: StoredVerification?
  /// True if the access token replaced one that the auth server refused, and has not been accepted
  /// since: another refusal does not cause another refresh. Else nil.
  var replacesRefused: Bool?

  /// Lifetime of the access token, clamped to a year like the server's responses, because a record
  /// may contain any number.
  var life: Duration { .seconds(min(max(0, expiresIn), 31_536_000)) }

  var bearer: BearerToken { BearerToken(accessToken) }
  var refresh: RefreshToken { RefreshToken(refreshToken) }
}

/// The durable marker of a verification, written before it is sent. Never contains the code.
struct StoredVerification: Codable, Sendable, Hashable {
  /// The factor's ID.
  var factor: String
  /// When the marker was written.
  var at: Timestamp
  /// The fingerprint of the access token with which the verification was sent. A marker of another
  /// token means nothing.
  var token: String
}

/// When a response was received, on both clocks.
struct Receipt: Codable, Sendable, Hashable {
  var bootID: String
  var boot: BootTime
  var wall: Timestamp

  init(_ clock: any AgentClock) {
    bootID = clock.bootID
    boot = clock.now
    wall = clock.wall
  }

  /// The receipt of a response to a request sent at `asked`, in this boot. A response can wait in a
  /// buffer while the machine sleeps. Counting the lifetime from the request makes it some seconds
  /// too short at most, never too long.
  init(_ clock: any AgentClock, asked: BootTime) {
    bootID = clock.bootID
    boot = asked
    wall = clock.wallTime(of: asked)
  }

  /// The time of receipt on the current boot's clock. After a reboot the wall clock is used, unless
  /// it is earlier than the receipt. Nil then: the token counts as long expired, and a refresh
  /// follows.
  func bootTime(on clock: any AgentClock) -> BootTime? {
    if bootID == clock.bootID { return boot }
    let passed = clock.wall.unixSeconds - wall.unixSeconds
    guard passed >= 0 else { return nil }
    return clock.now.advanced(by: .zero - .seconds(passed))
  }
}

package struct StoredUser: Codable, Sendable, Hashable {
  package var id: String
  package var email: String?
  package var name: String?
  package var identities: [AccountIdentity]
  /// The phone number, without `+`.
  package var phone: String?
  /// True for an anonymous user, who is lost with the session; else nil.
  package var isAnonymous: Bool?
  /// The second factors, as the last response with a user listed them; nil for none.
  package var factors: [AccountFactor]?
}

/// Settings changed by programs, other than the accounts.
package struct StoredSettings: Codable, Sendable, Hashable {
  var format = 1
  package var defaultAccount: String?
  /// The accounts of directories, sorted; nil if none.
  var directories: [DirectoryAccount]?
  /// The limits for sessions that servers have shown, the last changed last; nil if none.
  var limits: [LearnedLimits]?
}

extension StoredSession {
  /// A session from the server's response, received now or to a request sent at `asked`.
  init(
    _ session: Session, origin: String, provider: String, signedInAt: Timestamp, asked: BootTime? = nil,
    clock: any AgentClock
  ) {
    self.init(
      origin: origin, issuer: session.issuer, accessToken: session.accessToken.exposed,
      refreshToken: session.refreshToken.exposed, expiresIn: session.expiresIn,
      received: asked.map { Receipt(clock, asked: $0) } ?? Receipt(clock),
      user: StoredUser(session.user), signedInAt: signedInAt, provider: provider, assurance: session.assurance)
    id = UUID().uuidString.lowercased()
    isShortened = session.isShortened ? true : nil
  }

  /// This session after a refresh or a verification, whose marker is gone. A response without email,
  /// name or identities erases none of them.
  func refreshed(by session: Session, asked: BootTime, clock: any AgentClock) -> StoredSession {
    var next = self
    next.accessToken = session.accessToken.exposed
    next.refreshToken = session.refreshToken.exposed
    next.expiresIn = session.expiresIn
    next.isShortened = session.isShortened || session.expiresIn < expiresIn ? true : nil
    next.received = Receipt(clock, asked: asked)
    next.user = user.updated(by: session.user)
    next.assurance = session.assurance
    next.verification = nil
    next.replacesRefused = nil
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
      }, phone: user.phone.isEmpty ? nil : user.phone, isAnonymous: user.isAnonymous ? true : nil,
      factors: user.factors.isEmpty ? nil : user.factors.map(AccountFactor.init))
  }

  func updated(by user: User) -> StoredUser {
    let new = StoredUser(user)
    return StoredUser(
      id: id, email: new.email ?? email, name: new.name ?? name,
      identities: user.identities == nil ? identities : new.identities, phone: new.phone ?? phone,
      isAnonymous: user.isAnonymous || !new.hasSignInMethod ? isAnonymous : nil,
      // A user made from the token's claims lists neither identities nor factors.
      factors: user.identities == nil && user.factors.isEmpty ? factors : new.factors)
  }

  /// True if the user can sign in again: an address or an identity is known.
  private var hasSignInMethod: Bool { email != nil || phone != nil || !identities.isEmpty }
}

/// The stored facts about an account's user. Sealed in a separate record, so that the token
/// record stays small and changes only with the tokens. Kept after a sign-out, because some facts
/// are sent only once. Never logged, never printed.
package struct StoredPerson: Codable, Sendable, Hashable {
  var format = 1
  var account: String
  /// The user that the facts belong to. They apply only to an account of this user.
  var userID: String
  /// `needed` or `complete`; nil until the profile is read.
  var onboarding: String?
  /// The name and email that Apple sent at the first sign-in; nil if Apple sent none.
  var firstTime: FirstTimeFacts?
  /// Keys of the known identities; nil until a response has listed them.
  package var identities: [String]?

  init(account: String, userID: String) {
    self.account = account
    self.userID = userID
  }

  /// The same facts for an account that is renamed.
  func named(_ account: String) -> StoredPerson {
    var copy = self
    copy.account = account
    return copy
  }
}

/// The name and the email address, which Apple sends at the first sign-in only.
package struct FirstTimeFacts: Codable, Sendable, Hashable {
  package var name: String?
  /// A relay address is kept unchanged.
  package var email: String?

  package init(name: String? = nil, email: String? = nil) {
    (self.name, self.email) = (name, email)
  }

  /// Maximum length of an email address in bytes (RFC 5321, section 4.5.3.1: 64 before the @, 255
  /// after it).
  package static let emailLength = 320

  var isEmpty: Bool { name == nil && email == nil }

  func updated(by new: FirstTimeFacts) -> FirstTimeFacts {
    FirstTimeFacts(name: new.name ?? name, email: new.email ?? email)
  }

  /// Returns nil for blank text. Truncates to `emailLength` bytes, which no name exceeds.
  package static func present(_ text: String) -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    var text = text
    while text.utf8.count > emailLength { text.removeLast() }
    return text
  }
}

/// The machine that the vault belongs to.
package struct VaultMachine: Sendable {
  /// This machine's tag; nil if it has no ID.
  package var machineTag: String?
  /// True if the vault is a copy that belongs to another machine.
  package var isCopy: Bool

  package init(here: String? = nil, isElsewhere: Bool = false) {
    (self.machineTag, self.isCopy) = (here, isElsewhere)
  }
}

/// Identifies this machine in sessions signed in on a copied vault. The tag is a hash, so
/// that the machine ID itself, which is confidential (machine-id(5)), is never stored.
package enum ThisMachine {
  package static func tag(file: String = "/etc/machine-id") -> String? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    let id = text.prefix { $0 != "\n" }
    guard !id.isEmpty else { return nil }
    return SHA256.digest("ritual-agent session\u{0}\(id)").hexadecimal
  }
}

/// A session to be ended at the server, stored sealed until then. Never printed.
struct Revocation: Codable, Sendable {
  var format = 1
  /// A UUID, used in the record's name.
  var id: String
  /// The account of the session; empty for a session that was never adopted.
  var account: String
  var project: String
  /// The origin that issued the session. The tokens are sent to no other origin.
  var origin: String
  var accessToken: String
  @OutOfLine var refreshToken: String
  /// When the access token was received. An expired token needs a refresh first, because the server
  /// rejects it.
  var received: Receipt
  var expiresIn: Int
  var scope: String
  var since: Timestamp
  /// True if the access token replaced one that the auth server refused. Else nil.
  var replacesRefused: Bool?
  /// The ID of the session. Nil in a record of an older version.
  var session: String?
  /// True if the session ends because a sign-in replaced it, or failed. The revocation is void while an
  /// account's record holds the session, because the sign-in has then not happened, or not failed. Else nil.
  var isReplaced: Bool?

  var bearer: BearerToken { BearerToken(accessToken) }
  var refresh: RefreshToken { RefreshToken(refreshToken) }
}
