import AccessControl
import AgentProtocol
import NIOCore
import SessionEngine
import SystemSupport

/// Answers `session.token` from memory on the event loop, without a task, decoder or encoder. A
/// request that it does not recognise, or that has no valid token in memory, is left to the general
/// path.
///
/// Bound to one event loop, because it caches the text of times.
struct HotPath {
  private let tokens: TokenSnapshot
  private let clock: any AgentClock
  private let issuedTokens: IssuedTokens?
  private let policy: Policy?
  private var times = TimeTexts()

  init(tokens: TokenSnapshot, clock: any AgentClock, issuedTokens: IssuedTokens? = nil, policy: Policy? = nil) {
    self.issuedTokens = issuedTokens
    self.policy = policy
    self.tokens = tokens
    self.clock = clock
  }

  enum Outcome: Equatable {
    /// `needsCaller`: the audit log needs a lookup of the caller, which has not begun.
    case answered(needsCaller: Bool)
    /// The general path must answer.
    case notHandled
    /// The policy has not allowed the caller, whose lookup may be pending. The general path must
    /// answer.
    case undecided
  }

  /// Appends the answer to `line`, including its newline, to `output`.
  ///
  /// - Parameter opener: The process that opened `connection`, if the rules can tell by it.
  mutating func answer(
    _ line: ByteBuffer, into output: inout ByteBuffer, for connection: IssuedTokens.Connection? = nil,
    _ opener: ConnectionOpener? = nil
  ) -> Outcome {
    let now = clock.now
    guard let request = HotRequest(line.readableBytesUInt8Span) else { return .notHandled }
    let bound = request.account == nil ? request.directory.flatMap { tokens.account(in: $0) } : nil
    guard
      let answer = tokens.answer(
        account: bound?.value.account ?? request.account, minTTL: request.minTTL, rejected: request.rejected, now: now),
      let id = line.getSlice(at: line.readerIndex + request.id.lowerBound, length: request.id.count)
    else { return .notHandled }
    let endpoints = request.endpoints ? answer.endpoints : nil
    guard !request.endpoints || endpoints != nil else { return .notHandled }
    guard isAllowed(connection, opener, answer, now) else { return .undecided }
    tokens.use(at: now)
    let needsCaller = connection.flatMap { issuedTokens?.note(.init(answer), to: $0, at: answer.handedOutAt) }
    output.writeStaticString("{\"id\":")
    output.writeImmutableBuffer(id)
    output.writeStaticString(",\"jsonrpc\":\"2.0\",\"result\":{\"accessToken\":")
    if let token = answer.plainToken {
      output.writeStaticString("\"")
      output.writeString(token)
      output.writeStaticString("\"")
    } else if let token = answer.escapedToken {
      output.writeString(token)
    }
    output.writeStaticString(",\"account\":")
    output.writeString(answer.quotedAccount)
    if let bound {
      output.writeStaticString(",\"directory\":")
      output.writeString(bound.quotedPath)
    }
    if let endpoints {
      output.writeStaticString(",\"endpoints\":")
      output.writeString(endpoints)
    }
    output.writeStaticString(",\"expiresAt\":\"")
    output.writeBytes(times.text(of: answer.expiresAt))
    output.writeStaticString("\",\"expiresIn\":")
    output.writeString(String(answer.expiresIn))
    output.writeStaticString(",\"tokenType\":\"bearer\"")
    if answer.unchanged { output.writeStaticString(",\"unchanged\":true") }
    output.writeStaticString("}}\n")
    return .answered(needsCaller: needsCaller ?? false)
  }

  /// True if the policy has already allowed the caller, or allows it without a lookup. Otherwise the
  /// general path decides, and reports a refusal.
  private func isAllowed(
    _ connection: IssuedTokens.Connection?, _ opener: ConnectionOpener?, _ answer: TokenAnswer, _ now: BootTime
  ) -> Bool {
    guard let policy, policy.isInForce else { return true }
    guard let connection else { return false }
    let account = answer.entry.account
    return policy.isAllowed(connection.id, account, now: now)
      || opener.map { policy.allowsAtOnce(account, connection.id, $0) } ?? false
  }
}

/// A cache of recent time texts: the expiry of a token does not change.
private struct TimeTexts {
  /// Number of entries, a power of two: one for each account in use at a time, and some more.
  private static let count = 16
  private var times = [Timestamp](repeating: Timestamp(unixSeconds: .min), count: count)
  private var texts = [[UInt8]](repeating: [], count: count)

  mutating func text(of time: Timestamp) -> [UInt8] {
    let index = Int(truncatingIfNeeded: time.unixSeconds) & (Self.count - 1)
    if times[index] != time {
      times[index] = time
      texts[index] = Array(time.description.utf8)
    }
    return texts[index]
  }
}
