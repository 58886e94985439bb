import AgentProtocol
import SupabaseAuth

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
