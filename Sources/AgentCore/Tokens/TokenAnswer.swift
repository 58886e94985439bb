import AgentProtocol

/// The answer to `session.token`.
struct TokenAnswer: Sendable {
  let entry: TokenEntry
  let expiresAt: Timestamp
  let expiresIn: Int
  let unchanged: Bool

  /// `"accessToken":"…","account":"…",` as JSON bytes.
  var head: [UInt8] { entry.head }

  var result: SessionToken.Result {
    SessionToken.Result(
      account: entry.account, accessToken: entry.accessToken.exposed, tokenType: "bearer", expiresAt: expiresAt,
      expiresIn: expiresIn, unchanged: unchanged ? true : nil)
  }
}
