package import AgentProtocol
import FoundationEssentials
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
