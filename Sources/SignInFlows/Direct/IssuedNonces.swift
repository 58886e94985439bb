import AgentProtocol
import Crypto
import FoundationEssentials
import SystemSupport

/// The nonces of `signIn.nonce` (SI-3): 32 characters, good once, for ten minutes. Spent and expired ones are remembered
/// for a while, so that they are refused and not taken for a caller's own.
struct IssuedNonces {
  private struct Issued {
    let nonce: String
    let at: BootTime
    var isSpent = false
  }

  /// Oldest first.
  private var issued: [Issued] = []

  /// 24 bytes are 32 characters of base64url: 192 bits.
  private static let bytes = 24

  /// Remembered nonces for each that may be outstanding.
  private static let memory = 4

  mutating func issue(now: BootTime) -> String {
    let nonce = RandomText.base64url(bytes: Self.bytes)
    issued.append(Issued(nonce: nonce, at: now))
    let outstanding = issued.indices.filter { !issued[$0].isSpent }
    if outstanding.count > SignInBounds.outstandingNonces { issued[outstanding[0]].isSpent = true }
    issued = issued.suffix(SignInBounds.outstandingNonces * Self.memory)
    return nonce
  }

  /// Spends a nonce that was issued here; a caller's own passes.
  /// - Throws: `callbackInvalid` where it was used before, or is too old.
  mutating func spend(_ nonce: String, now: BootTime) throws(AgentError) {
    guard let index = issued.firstIndex(where: { ConstantTime.equal($0.nonce, nonce) }) else { return }
    let entry = issued[index]
    issued[index].isSpent = true
    guard !entry.isSpent, entry.at.duration(to: now) < SignInBounds.nonceLife else {
      throw AgentError(.callbackInvalid, hint: "the nonce was used already or is too old; ask signIn.nonce for another")
    }
  }

  /// What goes into the request to the provider, and comes back in the identity token.
  static func hashed(_ nonce: String) -> String { SHA256.hash(data: Data(nonce.utf8)).hexadecimal }
}
