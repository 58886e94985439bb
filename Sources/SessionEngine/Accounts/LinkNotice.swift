package import SupabaseAuth

/// Something happened to the ways to sign in of an account (LK-3): for the audit log and the counters. It holds no address.
package struct LinkNotice: Sendable, Hashable {
  package enum Way: String, Sendable {
    /// The server linked it by itself at a sign-in here, for the address is the same (LK-1).
    case automatic
    /// Seen in an answer to a refresh or a look: another device linked it.
    case elsewhere
    /// `identity.link`.
    case byHand
    /// The server linked it, and the person agreed (LK-2).
    case confirmed
    /// The person did not agree; it was unlinked again.
    case declined
    /// The person did not agree; it could not be unlinked.
    case declinedInVain
    /// `identity.unlink`.
    case unlinked
  }

  package let account: String
  let project: String
  package let provider: Provider
  let identityID: String
  package let way: Way
}
