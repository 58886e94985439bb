package import AgentProtocol

/// The answer to `session.token`.
package struct TokenAnswer: Sendable {
  package let entry: TokenEntry
  package let expiresAt: Timestamp
  package let expiresIn: Int
  package let unchanged: Bool

  /// `"accessToken":"…","account":"…",` as JSON bytes.
  package var head: [UInt8] { entry.head }

  var result: SessionToken.Result {
    SessionToken.Result(
      account: entry.account, accessToken: entry.accessToken.exposed, tokenType: "bearer", expiresAt: expiresAt,
      expiresIn: expiresIn, unchanged: unchanged ? true : nil)
  }
}
